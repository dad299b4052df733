package main

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"tfconform.example/providers/filestore"
)

// textType is a string type with several spellings of one meaning.
type textType struct {
	basetypes.StringType
	name string
	same func(a, b string) bool
}

// jsonText treats texts as equal if they are the same JSON value. A text that
// is not JSON is allowed, and equal only to itself.
var jsonText = textType{name: "jsonText", same: filestore.SameJSON}

// caselessText treats texts as equal if they differ only in case.
var caselessText = textType{name: "caselessText", same: filestore.SameCaseless}

func (t textType) String() string { return t.name }

func (t textType) Equal(other attr.Type) bool {
	o, ok := other.(textType)
	return ok && o.name == t.name
}

func (t textType) ValueType(context.Context) attr.Value { return text{kind: t} }

func (t textType) ValueFromString(_ context.Context, value basetypes.StringValue) (basetypes.StringValuable, diag.Diagnostics) {
	return text{value, t}, nil
}

func (t textType) ValueFromTerraform(ctx context.Context, in tftypes.Value) (attr.Value, error) {
	value, err := t.StringType.ValueFromTerraform(ctx, in)
	if err != nil {
		return nil, err
	}
	plain, ok := value.(basetypes.StringValue)
	if !ok {
		return nil, fmt.Errorf("expected a string, got %T", value)
	}
	return text{plain, t}, nil
}

type text struct {
	basetypes.StringValue
	kind textType
}

func (v text) Type(context.Context) attr.Type { return v.kind }

func (v text) Equal(other attr.Value) bool {
	o, ok := other.(text)
	return ok && v.StringValue.Equal(o.StringValue)
}

// StringSemanticEquals lets the framework keep the state's spelling.
func (v text) StringSemanticEquals(_ context.Context, other basetypes.StringValuable) (bool, diag.Diagnostics) {
	o, ok := other.(text)
	return ok && v.kind.same(v.ValueString(), o.ValueString()), nil
}
