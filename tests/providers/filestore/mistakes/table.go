package mistakes

import (
	"os"
	"regexp"
	"strings"
)

// CheckTable compares a provider's faults with those that faults.toml, in the
// parent folder, says it has. It is for tests; t is their *testing.T.
func CheckTable(t interface{ Errorf(string, ...any) }, provider string, all []Mistake) {
	text, err := os.ReadFile("../faults.toml")
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	listed := map[string]string{}
	for _, entry := range strings.Split(string(text), "[[fault]]")[1:] {
		if strings.Contains(value(entry, "providers"), `"`+provider+`"`) {
			listed[strings.Trim(value(entry, "name"), `"`)] = strings.Trim(value(entry, "resource"), `"`)
		}
	}
	for _, mistake := range all {
		if listed[mistake.Name] != mistake.On {
			t.Errorf("faults.toml does not have %s on %s", mistake.Name, mistake.On)
		}
		delete(listed, mistake.Name)
	}
	for name := range listed {
		t.Errorf("%s of faults.toml does not exist", name)
	}
}

// value is what follows a key, to the end of the line.
func value(entry, key string) string {
	found := regexp.MustCompile(`(?m)^` + key + ` = (.*)$`).FindStringSubmatch(entry)
	if found == nil {
		return ""
	}
	return found[1]
}
