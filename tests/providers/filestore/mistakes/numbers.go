package mistakes

import (
	"encoding/json"
	"strconv"

	"tfconform.example/providers/filestore"
)

// numbers go through a type that cannot hold them.
func numbers() []Mistake {
	return []Mistake{
		{"gigabytes_go_through_float64", "disk", filestore.Client{Read: throughFloat64}},
		{"gigabytes_go_through_int32", "disk", filestore.Client{Sent: throughInt32, Applied: AsAnswered}},
		{"code_goes_through_a_number", "account", filestore.Client{Read: codeThroughNumber}},
	}
}

// throughFloat64 is what encoding/json does to a number in a map[string]any.
func throughFloat64(answer filestore.Object) {
	if gigabytes, ok := answer["gigabytes"].(json.Number); ok {
		parsed, _ := gigabytes.Float64()
		answer["gigabytes"] = json.Number(strconv.FormatInt(int64(parsed), 10))
	}
}

func throughInt32(request, _ filestore.Object) {
	if request["gigabytes"] != nil {
		request["gigabytes"] = json.Number(strconv.Itoa(int(int32(Whole(request["gigabytes"])))))
	}
}

func codeThroughNumber(answer filestore.Object) {
	code, _ := answer["code"].(string)
	if number, err := strconv.Atoi(code); err == nil {
		answer["code"] = strconv.Itoa(number)
	}
}
