// Package bounded reads what strangers wrote without letting it take all memory or all time.
//
// [Open] and [ReadFile] open regular files only: a named pipe would never end. Every file that a user or a codebase names is
// opened through them. [Unmarshal] decodes JSON with a bound on its values: "null" and "{}" can become a hundred times what
// they are in a file, so a bound on bytes alone is none. [Line] reads lines.
package bounded

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Values is how many values the JSON of a run's file may hold.
const Values = 1_000_000

// CrowdedError is a JSON text of more values than were allowed.
type CrowdedError struct{ Most int }

func (e *CrowdedError) Error() string { return fmt.Sprintf("it holds more than %d values", e.Most) }

// Unmarshal decodes a text into v as json.Unmarshal does, or fails with a *CrowdedError when it holds more than [Values].
func Unmarshal(text []byte, v any) error {
	if err := Check(text, Values); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// Check is a *CrowdedError for a text of more than so many values. Commas are counted, those within strings not.
func Check(text []byte, most int) error {
	if bytes.Count(text, []byte(",")) < most {
		return nil
	}
	n, within := 0, false
	for i := 0; i < len(text) && n < most; i++ {
		switch c := text[i]; {
		case c == '\\' && within:
			i++
		case c == '"':
			within = !within
		case c == ',' && !within:
			n++
		}
	}
	if n < most {
		return nil
	}
	return &CrowdedError{most}
}
