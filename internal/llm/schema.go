package llm

import "strings"

// SchemaPrompt adds a reply schema to a system text, for servers that cannot be made to hold one. It stands in the
// system text so that it is part of the prefix that requests share.
func SchemaPrompt(system string, s Schema) string {
	ask := "Reply with one JSON value and nothing else: no prose, no code fence. It must validate against this JSON schema:\n" +
		string(canonicalJSON(s.JSON))
	return joinTexts(strings.TrimRight(system, "\n"), ask)
}
