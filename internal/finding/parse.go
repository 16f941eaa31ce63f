package finding

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What one reply may hold. A reply is model output: beyond these sizes it is noise, and it must not fill memory.
const (
	maxReplyBytes   = 4 << 20
	maxFindings     = 1000
	maxTitleBytes   = 300
	maxTextBytes    = 16 << 10
	maxNestedValues = 8
)

// Errors of Parse.
var (
	// ErrEmpty is a reply without any text.
	ErrEmpty = errors.New("the reply is empty")
	// ErrTruncated is a reply that was cut before its first complete finding.
	ErrTruncated = errors.New("the reply was cut before its first complete finding")
)

// Forms that a reply was read in, from the best to the loosest.
const (
	FormJSON     = "json"     // the whole reply, or one fenced block of it, is JSON
	FormSalvaged = "salvaged" // complete objects out of a broken or truncated reply
	FormBullets  = "bullets"  // list items that name a file and a line
	FormText     = "text"     // prose without findings
)

// Parsed is what a reply says.
type Parsed struct {
	Summary  string
	Findings []Finding
	Form     string
	// Cut says that the reply ends in the middle of its JSON: there may have been more findings.
	Cut bool
	// Dropped counts findings beyond the most that one reply may hold.
	Dropped int
}

var thinking = pattern.New(`(?is)<think(?:ing)?>.*?</think(?:ing)?>`)

// Parse reads the findings out of a worker's reply. It accepts JSON in the shape of Schema and its usual variations, alone,
// fenced, inside prose or cut off, and falls back to list items such as "- path/file.py:12: text". Words outside the
// vocabulary are mapped into it. A reply in prose without findings is not an error: its text is the Summary.
//
// The findings have no ID, are not Grounded, and keep the order of the reply.
func Parse(reply string) (Parsed, error) {
	long := len(reply) > maxReplyBytes
	if long {
		reply = reply[:maxReplyBytes]
	}
	text := strings.TrimSpace(strings.TrimPrefix(strings.ToValidUTF8(reply, "\uFFFD"), "\uFEFF"))
	if t := strings.TrimSpace(thinking.ReplaceAllString(text, "")); t != "" {
		text = t
	}
	if text == "" || text == "null" {
		return Parsed{}, ErrEmpty
	}
	if p, ok := parseValue([]byte(text)); ok {
		p.Form = FormJSON
		return p, nil
	}
	if p, ok := parseFenced(text); ok {
		p.Form = FormJSON
		return p, nil
	}
	if p, ok := salvage(text); ok {
		p.Form = FormSalvaged
		return p, nil
	}
	if fs := parseBullets(text); len(fs) > 0 {
		return Parsed{Findings: fs, Form: FormBullets, Cut: long}, nil
	}
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[{") || strings.HasPrefix(text, "[[") || strings.HasPrefix(text, "```json") {
		return Parsed{Form: FormText}, ErrTruncated
	}
	return Parsed{Summary: termtext.Cut(text, maxTextBytes), Form: FormText}, nil
}

// ruleID is the form of a static rule's ID: its language and a kebab-case name.
var ruleID = pattern.New(`^[a-z]{1,20}/[a-z0-9][a-z0-9-]{0,80}$`)

// IsRule says whether s has the form of a static rule's ID.
func IsRule(s string) bool { return ruleID.MatchString(s) }

// ParseRules reads the reply of static rules: as [Parse] does, and which rule made each finding. It is for replies of which
// the caller knows that rules made them. In a model's reply a rule is a word like any other, and Parse never takes it.
func ParseRules(reply string) (Parsed, error) {
	p, err := Parse(reply)
	if err != nil {
		return p, err
	}
	for i := range p.Findings {
		p.Findings[i].Reader = runfile.ReaderRules
	}
	var claims struct {
		Findings []struct {
			Rule string         `json:"rule"`
			Path []runfile.Step `json:"path"`
		} `json:"findings"`
	}
	if json.Unmarshal([]byte(reply), &claims) != nil || len(claims.Findings) != len(p.Findings)+p.Dropped {
		return p, nil // no reply of ours: its claims stand without a rule
	}
	for i := range p.Findings {
		if rule := claims.Findings[i].Rule; IsRule(rule) {
			p.Findings[i].Rule = rule
			p.Findings[i].Path = claims.Findings[i].Path
		}
	}
	return p, nil
}

// parseValue reads text that is one JSON value and nothing else.
func parseValue(text []byte) (Parsed, bool) {
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return Parsed{}, false
	}
	var v any
	if json.Unmarshal(text, &v) != nil {
		return Parsed{}, false
	}
	var p Parsed
	return p, p.collect(v, 0)
}

var fence = pattern.New("(?ms)^[ \t]*(`{3,}|~{3,})[ \t]*[A-Za-z0-9_-]*[ \t]*\r?\n(.*?)^[ \t]*(?:`{3,}|~{3,})[ \t]*\r?$")

// parseFenced reads the first fenced block that is JSON of a known shape.
func parseFenced(text string) (Parsed, bool) {
	for _, m := range fence.FindAllStringSubmatchIndex(text, 50) {
		if p, ok := parseValue([]byte(strings.TrimSpace(text[m[4]:m[5]]))); ok {
			return p, true
		}
	}
	return Parsed{}, false
}

// collect adds what v says, and reports whether v has a shape that findings are given in (an empty list is one).
func (p *Parsed) collect(v any, depth int) bool {
	if depth > maxNestedValues {
		return false
	}
	switch v := v.(type) {
	case []any:
		known := len(v) == 0
		for _, e := range v {
			if _, ok := e.(map[string]any); ok && p.collect(e, depth+1) {
				known = true
			}
		}
		return known
	case map[string]any:
		o := object(v)
		list, listed := o.list("findings", "issues", "bugs", "vulnerabilities", "defects", "results", "problems")
		summary := o.text("summary", "overview", "analysis")
		if listed && p.Summary == "" {
			p.Summary = termtext.Cut(summary, maxTextBytes)
		}
		if listed {
			for _, e := range list {
				if m, ok := e.(map[string]any); ok {
					p.add(object(m))
				}
			}
			return true
		}
		if p.add(o) {
			return true
		}
		known := depth == 0 && summary != "" // an answer to a question, without findings
		if known {
			p.Summary = termtext.Cut(summary, maxTextBytes)
		}
		for _, k := range o.keys() {
			switch v[k].(type) {
			case map[string]any:
				known = p.collect(v[k], depth+1) || known
			case []any:
				if l := v[k].([]any); len(l) > 0 {
					known = p.collect(l, depth+1) || known
				}
			}
		}
		return known
	}
	return false
}

// add appends the finding that o is, and reports whether o looked like one.
func (p *Parsed) add(o object) bool {
	f, ok := o.finding()
	switch {
	case ok && len(p.Findings) < maxFindings:
		p.Findings = append(p.Findings, f)
	case ok:
		p.Dropped++
	}
	return ok
}
