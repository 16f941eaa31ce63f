package finding

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// object is one decoded JSON object of a reply. Models that are asked for one key answer with its neighbours, so each
// field is looked for under several names.
type object map[string]any

func (o object) keys() []string { return slices.Sorted(maps.Keys(o)) }

// get finds the first of the names, written in any case and with any separators.
func (o object) get(names ...string) (any, bool) {
	for _, n := range names {
		if v, ok := o[n]; ok && v != nil {
			return v, true
		}
	}
	for _, k := range o.keys() {
		kk := strings.ReplaceAll(kebab(k), "-", "_")
		for _, n := range names {
			if kk == n && o[k] != nil {
				return o[k], true
			}
		}
	}
	return nil, false
}

func (o object) list(names ...string) ([]any, bool) {
	v, ok := o.get(names...)
	if !ok {
		return nil, false
	}
	l, ok := v.([]any)
	return l, ok
}

// text reads a string; lists of strings are joined by newlines and numbers written out.
func (o object) text(names ...string) string {
	v, ok := o.get(names...)
	if !ok {
		return ""
	}
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		var parts []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				parts = append(parts, s)
			}
		}
		return strings.Join(parts, "\n")
	case map[string]any:
		return object(v).text("code", "text", "snippet", "description", "id", "name")
	}
	return ""
}

var lineRange = pattern.New(`(\d{1,9})(?:\s*(?:-|–|—|\.\.|to|,|:)\s*L?(\d{1,9}))?`)

// parseLines reads "12", "12-15", "L12-L15", "lines 12 to 15".
func parseLines(s string) (line, end int) {
	m := lineRange.FindStringSubmatch(s)
	if m == nil {
		return 0, 0
	}
	line, _ = strconv.Atoi(m[1])
	if m[2] != "" {
		end, _ = strconv.Atoi(m[2])
	}
	return line, end
}

// lines reads a line or a range, given as a number, a string or a list.
func (o object) lines(names ...string) (line, end int) {
	v, ok := o.get(names...)
	if !ok {
		return 0, 0
	}
	switch v := v.(type) {
	case float64:
		if v >= 1 && v < 1e9 {
			return int(v), 0
		}
	case string:
		return parseLines(v)
	case []any:
		for i, e := range v {
			n, ok := e.(float64)
			if !ok || n < 1 || n >= 1e9 {
				continue
			}
			if i == 0 {
				line = int(n)
			}
			end = int(n)
		}
		return line, end
	case map[string]any:
		line, _ = object(v).lines("start", "start_line", "line")
		end, _ = object(v).lines("end", "end_line")
		return line, end
	}
	return 0, 0
}

// confidence reads 0.8, 80, "80%" and "high"; a missing or odd value counts as 0.5.
func (o object) confidence() float64 {
	v, ok := o.get("confidence", "certainty", "probability", "likelihood")
	if !ok {
		return 0.5
	}
	var c float64
	switch v := v.(type) {
	case float64:
		c = v
	case string:
		s := strings.ToLower(strings.TrimSpace(v))
		switch s {
		case "certain", "very high":
			return 0.95
		case "high":
			return 0.85
		case "medium", "moderate":
			return 0.6
		case "low":
			return 0.3
		}
		n, err := strconv.ParseFloat(strings.TrimSuffix(s, "%"), 64)
		if err != nil {
			return 0.5
		}
		c = n
	default:
		return 0.5
	}
	if c > 1 && c <= 100 {
		c /= 100
	}
	if math.IsNaN(c) || c < 0 || c > 1 {
		return 0.5
	}
	return c
}

// located matches "path/file.py:12-15" given as one string.
var located = pattern.New(`^(.*[^:\d]):(\d{1,9})(?:[-–](\d{1,9}))?(?::\d+)?$`)

// finding reads o as a finding, and reports whether it says enough to be one: what is wrong, and where or in which code.
func (o object) finding() (Finding, bool) {
	where := o
	if v, ok := o.get("location"); ok {
		if m, ok := v.(map[string]any); ok {
			where = object(m)
		}
	}
	f := Finding{
		Title:       oneLine(o.text("title", "name", "issue", "message", "problem", "finding", "headline", "summary")),
		Explanation: o.text("explanation", "description", "details", "detail", "rationale", "reason", "impact", "why"),
		Evidence:    o.text("evidence", "code", "snippet", "quote", "code_snippet", "vulnerable_code", "existing_code", "excerpt"),
		Suggestion:  o.text("suggestion", "fix", "recommendation", "remediation", "mitigation", "suggested_fix", "solution"),
		File:        strings.TrimSpace(where.text("file", "path", "filename", "file_path", "filepath", "file_name", "location", "uri")),
		Confidence:  o.confidence(),
	}
	f.Line, f.EndLine = where.lines("line", "lines", "line_number", "line_numbers", "start_line", "line_start", "lineno", "line_range",
		"start")
	if end, _ := where.lines("end_line", "line_end", "end_line_number", "end"); end > 0 {
		f.EndLine = end
	}
	if m := located.FindStringSubmatch(f.File); m != nil {
		f.File = m[1]
		if f.Line == 0 {
			f.Line, _ = strconv.Atoi(m[2])
			f.EndLine, _ = strconv.Atoi(m[3])
		}
	}
	f.Title = cmp.Or(f.Title, firstSentence(f.Explanation))
	f.CWE = NormalCWE(o.text("cwe", "cwe_id", "cwes"))
	category := o.text("category", "type", "kind", "class", "rule", "vulnerability_type")
	f.Category = NormalCategory(category, f.CWE)
	if f.Category == "other" && category != "other" {
		f.Category = NormalCategory(f.Title, f.CWE)
	}
	f.Severity = NormalSeverity(o.text("severity", "level", "priority", "risk", "criticality"))
	tidy(&f)
	return f, f.Title != "" && (f.File != "" || f.Line > 0 || f.Evidence != "")
}

// tidy cuts the texts to size and puts the lines in order.
func tidy(f *Finding) {
	f.Title = termtext.Cut(f.Title, maxTitleBytes)
	f.File = termtext.Cut(strings.TrimSpace(f.File), 4096)
	f.Evidence = termtext.Cut(f.Evidence, maxTextBytes)
	f.Explanation = termtext.Cut(strings.TrimSpace(f.Explanation), maxTextBytes)
	f.Suggestion = termtext.Cut(strings.TrimSpace(f.Suggestion), maxTextBytes)
	if f.EndLine < f.Line {
		f.EndLine = f.Line
	}
}

func oneLine(s string) string { return termtext.OneLine(termtext.Cut(s, 4*maxTitleBytes)) }

// firstSentence is the beginning of s up to a full stop, at most 120 bytes.
func firstSentence(s string) string {
	s = oneLine(s)
	if i := strings.Index(s, ". "); i > 0 {
		s = s[:i]
	}
	if len(s) > 120 {
		s = termtext.Cut(s, 117) + "..."
	}
	return strings.TrimSuffix(s, ".")
}
