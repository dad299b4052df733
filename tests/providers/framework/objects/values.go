package objects

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
)

// precision of the protocol's numbers, in bits.
const precision = 512

// fill replaces the unknowns of a plan with what the remote system generates.
func fill(plan tftypes.Value, computed map[string]Compute, prior filestore.Object, applied Applied) (tftypes.Value, error) {
	return tftypes.Transform(plan, func(path *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
		if value.IsKnown() {
			return value, nil
		}
		var names []string
		for _, step := range path.Steps() {
			if name, ok := step.(tftypes.AttributeName); ok {
				names = append(names, string(name))
			}
		}
		compute, ok := computed[strings.Join(names, ".")]
		if !ok {
			return value, path.NewErrorf("the remote system does not make this attribute")
		}
		applied.Was = at(prior, path)
		made := compute(applied)
		if value, ok := made.(tftypes.Value); ok {
			return value, nil
		}
		return tftypes.NewValue(value.Type(), made), nil
	})
}

// at is the value at a path, nil if there is none. A set has no paths.
func at(object any, path *tftypes.AttributePath) any {
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			fields, _ := object.(filestore.Object)
			object = fields[string(step)]
		case tftypes.ElementKeyString:
			fields, _ := object.(filestore.Object)
			object = fields[string(step)]
		case tftypes.ElementKeyInt:
			list, _ := object.([]any)
			if int(step) >= len(list) {
				return nil
			}
			object = list[step]
		default:
			return nil
		}
	}
	return object
}

// FromObject is the state that a file describes; attributes that are not in
// the file are taken from the current state.
func FromObject(object filestore.Object, current tftypes.Value, schema tftypes.Type, local []string) (tftypes.Value, error) {
	text, err := filestore.Encode(object)
	if err != nil {
		return tftypes.Value{}, err
	}
	options := tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}
	state, err := tftypes.ValueFromJSONWithOpts(text, schema, options)
	if err != nil || current.IsNull() {
		return state, err
	}
	var attributes, kept map[string]tftypes.Value
	if err := state.As(&attributes); err != nil {
		return state, err
	}
	if err := current.As(&kept); err != nil {
		return state, err
	}
	for _, name := range local {
		attributes[name] = kept[name]
	}
	return tftypes.NewValue(state.Type(), attributes), nil
}

// toObject is the text of a known state, in Terraform's state format: where
// the schema is dynamic, the type is next to the value.
func toObject(state tftypes.Value, schema tftypes.Type) (filestore.Object, error) {
	value, err := toJSON(state, schema)
	if err != nil {
		return nil, err
	}
	return value.(filestore.Object), nil
}

func toJSON(value tftypes.Value, schema tftypes.Type) (any, error) {
	if schema.Is(tftypes.DynamicPseudoType) {
		return dynamicToJSON(value)
	}
	if value.IsNull() {
		return nil, nil
	}
	switch schema := schema.(type) {
	case tftypes.List:
		return sequenceToJSON(value, schema.ElementType)
	case tftypes.Set:
		return sequenceToJSON(value, schema.ElementType)
	case tftypes.Tuple:
		return tupleToJSON(value, schema.ElementTypes)
	case tftypes.Map:
		return fieldsToJSON(value, func(string) tftypes.Type { return schema.ElementType })
	case tftypes.Object:
		return fieldsToJSON(value, func(name string) tftypes.Type { return schema.AttributeTypes[name] })
	}
	switch {
	case schema.Is(tftypes.Bool):
		var is bool
		err := value.As(&is)
		return is, err
	case schema.Is(tftypes.Number):
		number := new(big.Float)
		err := value.As(&number)
		return numberToJSON(number), err
	default:
		var text string
		err := value.As(&text)
		return text, err
	}
}

func dynamicToJSON(value tftypes.Value) (any, error) {
	if value.Type().Is(tftypes.DynamicPseudoType) {
		return nil, nil // A known value has a type, so this is a null without one.
	}
	kind, err := json.Marshal(value.Type())
	if err != nil {
		return nil, err
	}
	inner, err := toJSON(value, value.Type())
	return filestore.Object{"type": json.RawMessage(bytes.TrimSpace(kind)), "value": inner}, err
}

func sequenceToJSON(value tftypes.Value, element tftypes.Type) (any, error) {
	var elements []tftypes.Value
	if err := value.As(&elements); err != nil {
		return nil, err
	}
	return tupleOf(elements, slices.Repeat([]tftypes.Type{element}, len(elements)))
}

func tupleToJSON(value tftypes.Value, types []tftypes.Type) (any, error) {
	var elements []tftypes.Value
	if err := value.As(&elements); err != nil {
		return nil, err
	}
	return tupleOf(elements, types)
}

func tupleOf(elements []tftypes.Value, types []tftypes.Type) (any, error) {
	list := make([]any, len(elements))
	for i, element := range elements {
		var err error
		if list[i], err = toJSON(element, types[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func fieldsToJSON(value tftypes.Value, schema func(string) tftypes.Type) (any, error) {
	var fields map[string]tftypes.Value
	if err := value.As(&fields); err != nil {
		return nil, err
	}
	object := filestore.Object{}
	for name, field := range fields {
		var err error
		if object[name], err = toJSON(field, schema(name)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return object, nil
}

// numberToJSON writes as many digits as the protocol's precision needs, so
// that reading them gives the same number bit by bit.
func numberToJSON(number *big.Float) json.Number {
	whole := new(big.Float).SetPrec(max(precision, number.Prec())).Set(number)
	if whole.IsInt() && whole.MantExp(nil) < precision {
		return json.Number(whole.Text('f', 0))
	}
	return json.Number(whole.Text('g', -1))
}
