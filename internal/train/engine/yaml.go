package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// yamlFile writes maps, lists and scalars as YAML in block style, keys in order. Scalars and empty collections are written
// as JSON, which YAML contains; so no text can mean anything but itself.
func yamlFile(name string, v any) (File, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return File{}, fmt.Errorf("write %s: %w", name, err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return File{}, fmt.Errorf("write %s: %w", name, err)
	}
	var b strings.Builder
	block(&b, plain, "")
	return File{name, []byte(b.String())}, nil
}

func block(b *strings.Builder, v any, indent string) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			fmt.Fprintf(b, "%s%s:", indent, scalar(k, true))
			nested(b, v[k], indent)
		}
	case []any:
		for _, item := range v {
			if m, ok := item.(map[string]any); ok && len(m) > 0 {
				var inner strings.Builder
				block(&inner, m, indent+"  ")
				fmt.Fprintf(b, "%s- %s", indent, strings.TrimPrefix(inner.String(), indent+"  "))
				continue
			}
			fmt.Fprintf(b, "%s-", indent)
			nested(b, item, indent)
		}
	}
}

func nested(b *strings.Builder, v any, indent string) {
	switch w := v.(type) {
	case map[string]any:
		if len(w) > 0 {
			b.WriteByte('\n')
			block(b, w, indent+"  ")
			return
		}
	case []any:
		if len(w) > 0 {
			b.WriteByte('\n')
			block(b, w, indent+"  ")
			return
		}
	}
	fmt.Fprintf(b, " %s\n", scalar(v, false))
}

// truths are words that YAML 1.1 takes for something else.
var truths = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// scalar is JSON; a key is a plain word where that can mean nothing else.
func scalar(v any, key bool) string {
	if s, ok := v.(string); ok && key && s != "" && !slices.Contains(truths, s) && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && r != '_'
	}) {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(data)
}
