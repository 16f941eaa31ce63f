// Package tomlfile reads TOML that people write, and says in which line a fault is.
package tomlfile

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// UnknownKey is a key that nobody reads.
type UnknownKey struct {
	Line int
	Key  string // with the tables around it: model.a/b.inputs
}

func (e *UnknownKey) Error() string { return fmt.Sprintf("line %d: unknown key %q", e.Line, e.Key) }

// Decode reads into v. Unknown keys are errors, as [UnknownKey]: a setting that is silently ignored is worse. Those of the
// file itself, outside its tables, that are in others are known to somebody else.
func Decode(data []byte, v any, others ...string) error {
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(v)
	if strict := (*toml.StrictMissingError)(nil); errors.As(err, &strict) {
		for _, e := range strict.Errors {
			if key := e.Key(); len(key) != 1 || !slices.Contains(others, key[0]) {
				line, _ := e.Position()
				return &UnknownKey{line, strings.Join(key, ".")}
			}
		}
		return nil
	}
	if decode := (*toml.DecodeError)(nil); errors.As(err, &decode) {
		line, column := decode.Position()
		return fmt.Errorf("line %d, column %d: %s", line, column, strings.TrimPrefix(decode.Error(), "toml: "))
	}
	return err
}

// Lines says in which line each key of the file itself, and each table, begins.
func Lines(data []byte) map[string]int {
	lines := map[string]int{}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&struct{}{})
	if strict := (*toml.StrictMissingError)(nil); errors.As(err, &strict) { // all keys are unknown to it
		for _, e := range strict.Errors {
			if key := strings.Join(e.Key(), "."); lines[key] == 0 {
				lines[key], _ = e.Position()
			}
		}
	}
	return lines
}
