package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Name is the worker's model name.
const Name = "offline/rules"

// Worker answers review prompts with what a Set finds in the file sections they hold. It is an llm.Model, needs no
// network and bills nothing. It is safe for concurrent use.
type Worker struct{ set *Set }

// NewWorker makes a worker of the set.
func NewWorker(set *Set) *Worker { return &Worker{set} }

// Handle is the worker as a model: free, local, without tool calls.
func (w *Worker) Handle() llm.Handle {
	return llm.Handle{Name: Name, Model: w, Price: llm.NotBilled(), Local: true, Scripted: true, Schema: true, Rules: true,
		PromptChars: promptChars,
		Judges:      func(path string) bool { return w.set.Reads(language.Read(path)) }, Unjudged: unjudged}
}

// promptChars is large because rules do not tire, and need files whole.
const promptChars = 2 << 20

// reply is what finding.Schema asks for, with each claim's rule, and finding.ParseRules reads.
type reply struct {
	Summary  string  `json:"summary"`
	Findings []claim `json:"findings"`
	// Unjudged are the files that rules exist for and that were not judged: the parser gave up, or saw only a part.
	Unjudged []string `json:"unjudged,omitempty"`
}

// unjudged reads back what a reply says of the files that were not judged.
func unjudged(text string) []string {
	var r reply
	if json.Unmarshal([]byte(text), &r) != nil {
		return nil
	}
	return r.Unjudged
}

type claim struct {
	File        string         `json:"file"`
	Line        int            `json:"line"`
	EndLine     int            `json:"end_line"`
	Severity    string         `json:"severity"`
	Category    string         `json:"category"`
	CWE         string         `json:"cwe"`
	Title       string         `json:"title"`
	Evidence    string         `json:"evidence"`
	Explanation string         `json:"explanation"`
	Suggestion  string         `json:"suggestion"`
	Confidence  float64        `json:"confidence"`
	Rule        string         `json:"rule"`
	Path        []runfile.Step `json:"path,omitempty"`
}

// Complete reads the file sections of the last user message and gives a JSON reply of the shape of finding.Schema. The
// only error is ctx's.
func (w *Worker) Complete(ctx context.Context, r llm.Request) (llm.Response, error) {
	prompt, size := "", len(r.System)
	for _, m := range r.Messages {
		size += len(m.Content)
		if m.Role == llm.RoleUser {
			prompt = m.Content
		}
	}
	answer, err := w.answer(ctx, prompt)
	if err != nil {
		return llm.Response{}, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return llm.Response{}, fmt.Errorf("write the reply: %w", err)
	}
	if r.OnDelta != nil {
		r.OnDelta(string(text))
	}
	free := money.USD(0)
	return llm.Response{
		Text: string(text), Finish: llm.FinishStop, Cost: &free, Model: Name,
		Usage: llm.Usage{InputTokens: tokens(size), OutputTokens: tokens(len(text))},
	}, nil
}

// tokens estimates by the usual four bytes a token.
func tokens(bytes int) int64 { return int64(bytes+3) / 4 }

func (w *Worker) answer(ctx context.Context, prompt string) (reply, error) {
	parts := sections(prompt)
	out := reply{Findings: []claim{}}
	if len(parts) == 0 {
		out.Summary = fmt.Sprintf("%s is a set of %d static rules, not a language model: it reads only file sections of the form "+
			"=== FILE: <path> (lines A-B of N) === and cannot answer questions. This prompt holds no such section.", Name, w.set.Len())
		return out, nil
	}
	var texts []text
	for _, s := range parts {
		texts = append(texts, text{s.path, language.Read(s.path), []byte(s.text)})
	}
	got := w.set.readAll(ctx, texts)
	if ctx.Err() != nil {
		return reply{}, ctx.Err()
	}
	var lines []string
	for i, s := range parts {
		line, found, judged := w.section(s, texts[i].language, got[i])
		lines = append(lines, line)
		out.Findings = append(out.Findings, found...)
		if !judged {
			out.Unjudged = append(out.Unjudged, s.path)
		}
	}
	out.Summary = strings.Join(lines, "\n")
	return out, nil
}

// section says in a line what was read of a section, and gives what was found; judged is false where rules exist for its
// language and could not be tried.
func (w *Worker) section(s section, language string, got outcome) (line string, found []claim, judged bool) {
	if !w.set.Reads(language) {
		return fmt.Sprintf("%s: %d lines, no rules for this kind of file.", s.path, lineCount(s.text)), nil, true
	}
	if got.err != nil {
		return fmt.Sprintf("%s: not judged, the parser gave up: %v.", s.path, got.err), nil, false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, ", s.path, language)
	n := lineCount(s.text)
	whole := s.first == 1 && n >= s.total
	if !whole && got.broken {
		// The part may begin inside a string or a comment, and then its prose would be judged as code.
		return fmt.Sprintf("%s: lines %d-%d of %d do not parse by themselves and were not judged: rules need whole files.",
			s.path, s.first, s.first+n-1, s.total), nil, false
	}
	if whole {
		fmt.Fprintf(&b, "%d lines", n)
	} else {
		fmt.Fprintf(&b, "lines %d-%d of %d", s.first, s.first+n-1, s.total)
	}
	if o := got.outline.line(8); o != "" {
		b.WriteString("; " + o)
	}
	b.WriteString(".")
	if got.more > 0 {
		fmt.Fprintf(&b, " %d more matches of the same rules are left out.", got.more)
	}
	for _, f := range got.failed {
		fmt.Fprintf(&b, " Failed: %v.", f)
	}
	for _, m := range got.matches {
		found = append(found, claimOf(s, m))
	}
	return b.String(), found, true
}

func claimOf(s section, m rule.Match) claim {
	title := m.Title
	if m.Detail != "" {
		title += ": " + m.Detail
	}
	return claim{
		File: s.path, Line: s.first - 1 + m.Line, EndLine: s.first - 1 + m.EndLine, Severity: m.Severity,
		Category: m.Category, CWE: m.CWE, Title: title, Evidence: m.Evidence,
		Explanation: m.Explanation + " (rule " + m.Rule + ")", Suggestion: m.Suggestion, Confidence: m.Confidence, Rule: m.Rule, Path: m.Path,
	}
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
