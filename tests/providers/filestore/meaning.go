package filestore

import (
	"encoding/json"
	"reflect"
	"strings"
)

// SameJSON says whether two texts are the same JSON value, whatever their
// spacing and the order of their keys. A text that is not JSON equals only
// itself.
func SameJSON(a, b string) bool {
	if a == b {
		return true
	}
	var left, right any
	if Decode(strings.NewReader(a), &left) != nil || Decode(strings.NewReader(b), &right) != nil {
		return false
	}
	return reflect.DeepEqual(left, right)
}

// SameCaseless says whether two texts differ at most in letter case.
func SameCaseless(a, b string) bool { return strings.EqualFold(a, b) }

// respellJSON writes the same JSON value in another way.
func respellJSON(text string) (string, bool) {
	var value any
	if Decode(strings.NewReader(text), &value) != nil {
		return "", false
	}
	indented, err := json.MarshalIndent(value, "", "    ")
	if err != nil {
		return "", false
	}
	if string(indented) != text {
		return string(indented), true
	}
	return " " + text, true
}

// respellCase changes the case of a text, if it has letters.
func respellCase(text string) (string, bool) {
	for _, other := range []string{strings.ToUpper(text), strings.ToLower(text)} {
		if other != text && SameCaseless(other, text) {
			return other, true
		}
	}
	return "", false
}

// respellNumber writes the same number with one more digit.
func respellNumber(number json.Number) (json.Number, bool) {
	switch text := number.String(); {
	case strings.ContainsAny(text, "eE"):
		return "", false
	case strings.Contains(text, "."):
		return json.Number(text + "0"), true
	default:
		return json.Number(text + ".0"), true
	}
}
