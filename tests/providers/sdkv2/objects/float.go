package objects

import (
	"fmt"
	"math"
	"strconv"

	"github.com/hashicorp/terraform-plugin-sdk/v2/helper/schema"
)

// Finite refuses what is beyond a 64-bit float: no state can hold an infinity.
func Finite(value any, name string) ([]string, []error) {
	if number, ok := value.(float64); ok && math.IsInf(number, 0) {
		return nil, []error{fmt.Errorf("%s is too large", name)}
	}
	return nil, nil
}

// SameFloat compares as the state keeps them: at 64 bits.
func SameFloat(_, old, new string, _ *schema.ResourceData) bool {
	before, err := strconv.ParseFloat(old, 64)
	if err != nil {
		return false
	}
	after, err := strconv.ParseFloat(new, 64)
	return err == nil && before == after
}
