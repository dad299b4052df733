package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
	"tfconform.example/providers/sdkv2/objects"
)

// encoded are texts that hold keys and other bytes.
func encoded() []objects.Kind {
	return []objects.Kind{
		privateKey(),
		animal("pem_key", "A login with a private key, which another type of this provider makes.", map[string]*schema.Schema{
			"user":            {Type: schema.TypeString, Required: true},
			"private_key_pem": {Type: schema.TypeString, Required: true, Sensitive: true, ValidateFunc: validKey},
		}),
		animal("hex_digest", "A file with a checksum.", map[string]*schema.Schema{
			"sha256":  {Type: schema.TypeString, Required: true, ValidateFunc: validDigest},
			"comment": comment(),
		}),
		animal("base64_bytes", "A key of 32 bytes.", map[string]*schema.Schema{
			"key":     {Type: schema.TypeString, Required: true, Sensitive: true, ValidateFunc: validBytes},
			"comment": comment(),
		}),
	}
}

func privateKey() objects.Kind {
	kind := animal("private_key", "A private key.", map[string]*schema.Schema{
		"comment":         comment(),
		"private_key_pem": {Type: schema.TypeString, Computed: true, Sensitive: true},
	})
	kind.Computed["private_key_pem"] = func(_ string, was any) any {
		if was != nil {
			return was
		}
		_, key, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			panic(err)
		}
		der, err := x509.MarshalPKCS8PrivateKey(key)
		if err != nil {
			panic(err)
		}
		return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	}
	return kind
}

func validKey(value any, key string) (warnings []string, errs []error) {
	block, _ := pem.Decode([]byte(value.(string)))
	if block == nil {
		return nil, []error{fmt.Errorf("%s: %w", key, errors.New("failed to decode PEM block containing private key"))}
	}
	if _, err := x509.ParsePKCS8PrivateKey(block.Bytes); err != nil {
		errs = append(errs, fmt.Errorf("%s: %w", key, err))
	}
	return
}

func validDigest(value any, key string) (warnings []string, errs []error) {
	digest, err := hex.DecodeString(value.(string))
	if err != nil {
		return nil, []error{fmt.Errorf("%s is not hexadecimal: %w", key, err)}
	}
	if len(digest) != 32 {
		errs = append(errs, fmt.Errorf("%s must have 64 characters, has %d", key, 2*len(digest)))
	}
	return
}

func validBytes(value any, key string) (warnings []string, errs []error) {
	decoded, err := base64.StdEncoding.DecodeString(value.(string))
	if err != nil {
		return nil, []error{fmt.Errorf("%s is not base64: %w", key, err)}
	}
	if len(decoded) != 32 {
		errs = append(errs, fmt.Errorf("the decoded %s must be exactly 32 bytes long, got %d", key, len(decoded)))
	}
	return
}
