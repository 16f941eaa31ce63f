package mcp

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// clean is a result with every text in it made harmless to whoever reads it, and nothing shared with the original.
func clean[T any](result T) (T, error) {
	var of T
	text, err := jsonfile.Line(result)
	if err != nil {
		return of, err
	}
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return of, err
	}
	if text, err = jsonfile.Line(visible(v)); err != nil {
		return of, err
	}
	return of, json.Unmarshal(text, &of)
}

func visible(v any) any {
	switch v := v.(type) {
	case string:
		return termtext.Visible(v)
	case []any:
		for i := range v {
			v[i] = visible(v[i])
		}
	case map[string]any:
		seen := make(map[string]any, len(v))
		for key, value := range v {
			seen[termtext.Visible(key)] = visible(value)
		}
		return seen
	}
	return v
}

// told is an error as a client gets it: with its hint, in text that is harmless.
func told(err error) error {
	text := "error: " + err.Error()
	if advice := hint.Of(err); advice != "" {
		text += "\nhint: " + advice
	}
	return errors.New(termtext.Visible(termtext.CutWith(text, 4000, "...")))
}
