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

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"tfconform.example/providers/framework/objects"
)

// encoded are texts that hold keys and other bytes.
func encoded() []*animal {
	secret := func(validators ...validator.String) schema.Attribute {
		return schema.StringAttribute{Required: true, Sensitive: true, Validators: validators}
	}
	return []*animal{
		newAnimal("private_key", "A private key.", attributes{
			"comment": comment(),
			"private_key_pem": schema.StringAttribute{
				Computed: true, Sensitive: true,
				PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
			},
		}).withComputed("private_key_pem", newKey),
		newAnimal("pem_key", "A login with a private key, which another type of this provider makes.", attributes{
			"user":            text(),
			"private_key_pem": secret(words{"Invalid private key", validKey}),
		}),
		newAnimal("hex_digest", "A file with a checksum.", attributes{
			"sha256":  text(words{"Invalid checksum", validDigest}),
			"comment": comment(),
		}),
		newAnimal("base64_bytes", "A key of 32 bytes.", attributes{
			"key":     secret(words{"Invalid key", validBytes}),
			"comment": comment(),
		}),
	}
}

func newKey(objects.Applied) any {
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

func validKey(text string) error {
	block, _ := pem.Decode([]byte(text))
	if block == nil {
		return errors.New("failed to decode PEM block containing private key")
	}
	_, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	return err
}

func validDigest(text string) error {
	digest, err := hex.DecodeString(text)
	if err == nil && len(digest) != 32 {
		err = fmt.Errorf("expected 64 hexadecimal characters, got %d", len(text))
	}
	return err
}

func validBytes(text string) error {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err == nil && len(decoded) != 32 {
		err = fmt.Errorf("the decoded key must be exactly 32 bytes long, got %d", len(decoded))
	}
	return err
}
