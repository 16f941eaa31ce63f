package review

import (
	"cmp"
	"context"
	_ "embed" // the verifier's instructions
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

//go:embed verify.md
var verifierInstructions string

// refutation is a verifier's reply.
type refutation struct {
	Verdict string // refuted, stands or unsure
	Reason  string
	File    string
	Line    int
	Quote   string
	Check   string // Python that shows the defect, where it was asked for
}

// refutationSchema is the form of the reply. The properties stand in the order of their names, so that a model that
// writes them in order gives its proof and its reason before its verdict.
func refutationSchema(check bool) *llm.Schema {
	str := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	properties := map[string]any{
		"file":    str("path of the file that holds the deciding code"),
		"line":    map[string]any{"type": "integer", "description": "1-based line on which the quote begins"},
		"quote":   str("the deciding lines, copied character for character"),
		"reason":  str("what these lines show"),
		"verdict": map[string]any{"type": "string", "enum": []string{finding.Refuted, finding.Stands, finding.Unsure}},
	}
	required := []string{"file", "line", "quote", "reason", "verdict"}
	if check {
		properties["test"] = str("a short Python program that shows the defect, or empty")
		required = append(required, "test")
	}
	raw, err := json.Marshal(map[string]any{"type": "object", "additionalProperties": false, "required": required, "properties": properties})
	if err != nil {
		panic(err) // a map of strings always marshals
	}
	return &llm.Schema{Name: "verdict", JSON: raw}
}

// What one reply may hold.
const (
	maxVerdictBytes = 256 << 10
	maxReason       = 2 << 10
	maxQuote        = 8 << 10
	maxCheck        = 8 << 10
)

var errNoVerdict = errors.New("its reply holds no verdict that could be read")

// parseRefutation reads a verifier's reply: a JSON object with a verdict, alone, fenced or inside prose. Nothing is
// guessed: a reply without one of the three words in its place is not a verdict.
func parseRefutation(reply string) (refutation, error) {
	if len(reply) > maxVerdictBytes {
		reply = reply[:maxVerdictBytes]
	}
	_, text := llm.SplitThink(strings.ToValidUTF8(reply, "\uFFFD"))
	for from, tries := 0, 0; tries < 50; tries++ {
		i := strings.IndexByte(text[from:], '{')
		if i < 0 {
			break
		}
		from += i
		var o map[string]any
		if json.NewDecoder(strings.NewReader(text[from:])).Decode(&o) == nil {
			if r, ok := readRefutation(o); ok {
				return r, nil
			}
		}
		from++
	}
	return refutation{}, errNoVerdict
}

func readRefutation(o map[string]any) (refutation, bool) {
	word, _ := o["verdict"].(string)
	r := refutation{
		Verdict: strings.ToLower(strings.TrimSpace(word)), Reason: termtext.CutWith(termtext.OneLine(asText(o["reason"])),
			maxReason, " ..."),
		File: strings.TrimSpace(termtext.CutWith(asText(o["file"]), 4096, " ...")), Quote: asText(o["quote"]), Check: asText(o["test"]),
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
	return r, slices.Contains([]string{finding.Refuted, finding.Stands, finding.Unsure}, r.Verdict)
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

// weigh says what a reply does to its finding. A refutation counts only when the lines that it quotes stand in code that
// the verifier was shown, when at least one of them is code that runs (what a comment says is only what its author
// claims), when they have lines, names or calls in common with the finding, and when they are more than its own
// evidence. proof is set when the finding is refuted.
func weigh(ctx context.Context, code *codebase.Codebase, base *claim.Base, f finding.Finding, r refutation, shown []string) (status,
	why string, proof *runfile.Proof) {
	if r.Verdict != finding.Refuted {
		return r.Verdict, r.Reason, nil
	}
	doubt := func(format string, args ...any) (string, string, *runfile.Proof) {
		why := "the verifier calls it wrong, but " + fmt.Sprintf(format, args...)
		if r.Reason != "" {
			why += ". It says: " + r.Reason
		}
		return finding.Unsure, why, nil
	}
	r.File = cmp.Or(r.File, f.File)
	if strings.TrimSpace(r.Quote) == "" {
		return doubt("quotes no code")
	}
	grounded, _ := finding.Ground(code, []finding.Finding{{File: r.File, Line: r.Line, EndLine: r.Line, Evidence: r.Quote}}, shown)
	if len(grounded) == 0 {
		return doubt("what it quotes does not stand in the code")
	}
	g := grounded[0]
	switch {
	case !slices.Contains(shown, g.File):
		return doubt("what it quotes stands in a file that it was not shown")
	case base.OnlyComment(ctx, g.File, g.Line, g.EndLine):
		return doubt("what it quotes is a comment, and no code that runs")
	case !base.Touches(ctx, claim.At{File: f.File, Line: f.Line, EndLine: f.EndLine},
		claim.At{File: g.File, Line: g.Line, EndLine: g.EndLine}):
		return doubt("what it quotes has nothing to do with the finding: no line or name in common")
	case echoes(f, g):
		return doubt("quotes nothing but what the finding itself quotes")
	case r.Reason == "":
		return doubt("gives no reason")
	}
	return finding.Refuted, r.Reason, &runfile.Proof{File: g.File, Line: g.Line, Quote: g.Evidence}
}

// echoes reports a quote that holds only what the finding holds: weak readers refute everything with the line that they
// were handed. Within longer evidence a part may say something of its own.
func echoes(f, quote finding.Finding) bool {
	const short = 3 // lines
	within := quote.File == f.File && quote.Line >= f.Line && quote.EndLine <= f.EndLine
	return within && (f.EndLine-f.Line < short || quote.EndLine-quote.Line == f.EndLine-f.Line)
}
