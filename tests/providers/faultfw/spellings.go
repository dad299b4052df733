package main

import (
	"encoding/json"
	"strconv"

	"golang.org/x/text/unicode/norm"
	"tfconform.example/providers/filestore"
	"tfconform.example/providers/filestore/mistakes"
)

// spellings change a text or a number that means the same.
func spellings() []fault {
	return []fault{
		{Mistake: mistakes.ReadAs("display_name_is_read_decomposed", "display_name", norm.NFD.String)},
		{Mistake: mistakes.ReadAs("display_name_is_read_in_compatible_form", "display_name", norm.NFKC.String)},
		{Mistake: mistakes.Mistake{Name: "price_goes_through_float64", On: "disk", Client: filestore.Client{
			Sent: priceThroughFloat64, Applied: mistakes.AsAnswered,
		}}},
	}
}

func priceThroughFloat64(request, _ filestore.Object) {
	if price, ok := request["price"].(json.Number); ok {
		parsed, _ := price.Float64()
		request["price"] = json.Number(strconv.FormatFloat(parsed, 'g', -1, 64))
	}
}
