package finding

import (
	"encoding/json"

	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// SchemaName is the name under which Schema is handed to providers.
const SchemaName = "code_review"

// Schema is the JSON schema that workers are asked to answer in. Every property is required and none may be added, which
// is what the strict modes of providers ask for; a worker without an answer gives "" or 0.
func Schema() json.RawMessage {
	str := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	num := func(kind, what string) map[string]any { return map[string]any{"type": kind, "description": what} }
	item := map[string]any{
		"type":                 "object",
		"additionalProperties": false,
		"required": []string{
			"file", "line", "end_line", "severity", "category", "cwe", "title", "evidence", "explanation", "suggestion", "confidence",
		},
		"properties": map[string]any{
			"file":        str("path of the file exactly as it was shown"),
			"line":        num("integer", "1-based line on which the quoted code begins"),
			"end_line":    num("integer", "last line of the quoted code"),
			"severity":    map[string]any{"type": "string", "enum": taxonomy.Severities()},
			"category":    map[string]any{"type": "string", "enum": taxonomy.Categories()},
			"cwe":         str("CWE-89, or empty"),
			"title":       str("what is wrong, in one line"),
			"evidence":    str("the offending code, copied character for character, without line numbers"),
			"explanation": str("what triggers it (input, state or order of events) and what goes wrong then"),
			"suggestion":  str("how to mend it"),
			"confidence":  num("number", "0 to 1"),
		},
	}
	schema := map[string]any{
		"type":                 "object",
		"additionalProperties": false,
		"required":             []string{"summary", "findings"},
		"properties": map[string]any{
			"summary":  str("the answer to what was asked, in a few sentences"),
			"findings": map[string]any{"type": "array", "items": item},
		},
	}
	raw, err := json.Marshal(schema)
	if err != nil {
		panic(err) // a map of strings always marshals
	}
	return raw
}
