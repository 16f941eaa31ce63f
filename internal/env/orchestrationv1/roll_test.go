package orchestrationv1_test

import (
	"encoding/json"
)

// pyJSON is a text as a JSON string.
func pyJSON(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}
