package opinion

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// reply is what a verifier says.
type reply struct {
	Verdict  string // one of finding.Verdicts
	Reason   string
	File     string
	Line     int
	Quote    string
	Severity string   // the right one, "" for no word that is a severity
	Missing  []string // what decides and was not shown: paths, names, or what is not in the codebase
	Check    string   // Python that shows the defect, where it was asked for
}

// schema is the form of the reply. The properties stand in the order of their names, so that a model that writes them in
// order gives its proof and its reason before its verdict.
func schema(check bool) *llm.Schema {
	str := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	properties := map[string]any{
		"file": str("path of the file that holds the deciding lines"),
		"line": map[string]any{"type": "integer", "description": "1-based line on which the quote begins"},
		"missing": map[string]any{"type": "array", "items": map[string]any{"type": "string"},
			"description": "for unsure: up to five paths or names that decide and are not shown; else empty"},
		"quote":    str("the deciding lines, copied character for character"),
		"reason":   str("what these lines show"),
		"severity": str("for stands and partly: the right severity where it is not the finding's; else empty"),
		"verdict":  map[string]any{"type": "string", "enum": finding.Verdicts()},
	}
	if check {
		properties["test"] = str("a short Python program that shows the defect, or empty")
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "additionalProperties": false,
		"required": slices.Sorted(maps.Keys(properties)), "properties": properties})
	if err != nil {
		panic(err) // a map of strings always marshals
	}
	return &llm.Schema{Name: "verdict", JSON: raw}
}

// What one reply may hold.
const (
	maxVerdictBytes = 256 << 10
	maxReason       = 2 << 10
	mostLacks       = 5   // names of what is missing
	maxLack         = 300 // bytes of one
	maxQuote        = 8 << 10
	maxCheck        = 8 << 10
)

var errNoVerdict = errors.New("its reply holds no verdict that could be read")

// parse reads a verifier's reply: a JSON object with a verdict, alone, fenced or inside prose. Nothing is guessed: a reply
// without one of the words in its place is not a verdict.
func parse(raw string) (reply, error) {
	if len(raw) > maxVerdictBytes {
		raw = raw[:maxVerdictBytes]
	}
	_, text := llm.SplitThink(strings.ToValidUTF8(raw, "\uFFFD"))
	for from, tries := 0, 0; tries < 50; tries++ {
		i := strings.IndexByte(text[from:], '{')
		if i < 0 {
			break
		}
		from += i
		var o map[string]any
		if json.NewDecoder(strings.NewReader(text[from:])).Decode(&o) == nil {
			if r, ok := read(o); ok {
				return r, nil
			}
		}
		from++
	}
	return reply{}, errNoVerdict
}

func read(o map[string]any) (reply, bool) {
	word := func(name string) string { return strings.ToLower(strings.TrimSpace(termtext.Cut(asText(o[name]), 40))) }
	sentence := func(name string) string {
		return termtext.CutWith(termtext.OneLine(asText(o[name])), maxReason, " ...")
	}
	r := reply{
		Verdict: strings.NewReplacer("-", "_", " ", "_").Replace(word("verdict")), Reason: sentence("reason"), Missing: lacks(o["missing"]),
		File: strings.TrimSpace(termtext.CutWith(asText(o["file"]), 4096, " ...")), Quote: asText(o["quote"]), Check: asText(o["test"]),
	}
	if s := word("severity"); taxonomy.Rank(s) > 0 {
		r.Severity = s
	}
	if len(r.Quote) > maxQuote {
		r.Quote = "" // so much proves nothing
	}
	if len(r.Check) > maxCheck {
		r.Check = ""
	}
	switch v := o["line"].(type) {
	case float64:
		if v >= 1 && v < 1e8 {
			r.Line = int(v)
		}
	case string:
		if n, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && n >= 1 && n < 1e8 {
			r.Line = n
		}
	}
	return r, slices.Contains(finding.Verdicts(), r.Verdict)
}

// lacks are the names of what is missing. Older verifiers were asked for one text.
func lacks(v any) []string {
	all, _ := v.([]any)
	if one, ok := v.(string); ok {
		all = []any{one}
	}
	var list []string
	for _, e := range all {
		text, _ := e.(string)
		if text = termtext.CutWith(termtext.OneLine(text), maxLack, " ..."); text != "" && len(list) < mostLacks && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// asText is a string, or a list of them as lines.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var lines []string
		for _, e := range v {
			s, _ := e.(string)
			lines = append(lines, s)
		}
		return strings.Join(lines, "\n")
	}
	return ""
}
