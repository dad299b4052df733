package objects

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/go-cty/cty"
	"tfconform.example/providers/filestore"
)

// unknown represents an unknown value in a plan.
type unknown struct{}

// Compute generates an attribute of an object. The second argument is its
// previous value: nil on create, in new elements and anywhere in a set.
type Compute func(id string, was any) any

func TheID(id string, _ any) any { return id }

// Generated creates an identifier that the attribute then keeps.
func Generated(_ string, was any) any {
	if was != nil {
		return was
	}
	return filestore.NewID()
}

// Counted is the number of applies so far.
func Counted(_ string, was any) any {
	number, _ := was.(json.Number)
	count, _ := number.Int64()
	return json.Number(fmt.Sprint(count + 1))
}

// toJSON converts a value to Terraform's state format, with unknown{} where it
// is unknown.
func toJSON(value cty.Value) any {
	if !value.IsKnown() {
		return unknown{}
	}
	if value.IsNull() {
		return nil
	}
	switch kind := value.Type(); {
	case kind == cty.String:
		return value.AsString()
	case kind == cty.Bool:
		return value.True()
	case kind == cty.Number:
		return numberToJSON(value.AsBigFloat())
	case kind.IsObjectType(), kind.IsMapType():
		object := filestore.Object{}
		for name, field := range value.AsValueMap() {
			object[name] = toJSON(field)
		}
		return object
	default:
		list := []any{}
		for _, element := range value.AsValueSlice() {
			list = append(list, toJSON(element))
		}
		return list
	}
}

func numberToJSON(number *big.Float) json.Number {
	if number.IsInt() {
		return json.Number(number.Text('f', 0))
	}
	return json.Number(number.Text('g', -1))
}

// fill replaces a plan's unknowns with what the remote system generates, and
// returns whether there were any. Path holds names and list indices. The SDK
// plans a null for a computed member of a block that an update adds, so nulls
// count as unknown.
func fill(value any, computed map[string]Compute, path []any, prior filestore.Object, id string) (any, bool, error) {
	filled := false
	switch value := value.(type) {
	case unknown, nil:
		var names []string
		for _, step := range path {
			if name, ok := step.(string); ok {
				names = append(names, name)
			}
		}
		if compute, ok := computed[strings.Join(names, ".")]; ok {
			return compute(id, at(prior, path)), true, nil
		}
		if value != nil {
			return nil, false, fmt.Errorf("the remote system does not make %s", strings.Join(names, "."))
		}
	case filestore.Object:
		for name, field := range value {
			made, changed, err := fill(field, computed, append(path[:len(path):len(path)], name), prior, id)
			if err != nil {
				return nil, false, err
			}
			value[name], filled = made, filled || changed
		}
	case []any:
		for i, element := range value {
			made, changed, err := fill(element, computed, append(path[:len(path):len(path)], i), prior, id)
			if err != nil {
				return nil, false, err
			}
			value[i], filled = made, filled || changed
		}
	}
	return value, filled, nil
}

// at is the value at a path, nil if there is none.
func at(object any, path []any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			fields, _ := object.(filestore.Object)
			object = fields[step]
		case int:
			list, _ := object.([]any)
			if step >= len(list) {
				return nil
			}
			object = list[step]
		}
	}
	return object
}
