package generate

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"strings"
	"text/template"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

//go:embed prompts
var promptFiles embed.FS

// Prompt is a model's prompt for a task.
type Prompt struct {
	Mode Mode
	Text string
	// Raw says that the model continues Text as it is; else Text is a user's message.
	Raw bool
	// Prefix is the code at the end of Text that a reply continues, "" if a reply is a whole program or holds one.
	Prefix string
	// Entry is the function that is asked for, "" for a program that reads standard input.
	Entry string
	// Stop are the sequences that end a reply.
	Stop []string
}

// Hash is the SHA-256 of what is sent, in hexadecimal.
func (p Prompt) Hash() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%t\x00%s\x00%s", p.Raw, strings.Join(p.Stop, "\x00"), p.Text))
	return hex.EncodeToString(sum[:])
}

// request is the call that the prompt makes.
func (p Prompt) request() llm.Request {
	if p.Raw {
		return llm.Request{Prompt: p.Text, Stop: p.Stop}
	}
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: p.Text}}, Stop: p.Stop}
}

// Solution is the whole program that a reply makes. It is false for a chat reply, and for one with a fence in it: where
// the code is in that, is for the extraction to find. A reply that holds nothing makes an empty program and not its
// prefix, which would run. Of a reply that the token limit cut off, the function that the model was in the middle of is
// left out where it comes after the one that is asked for.
func (p Prompt) Solution(reply string, truncated bool) (string, bool) {
	if p.Mode == Chat {
		return "", false
	}
	code := cut(reply, p.Stop)
	if strings.Contains(code, "```") {
		return "", false
	}
	if strings.TrimSpace(code) == "" {
		return "", true
	}
	code = p.Prefix + code
	if truncated {
		code = finished(code, p.Entry)
	}
	return code, true
}

// prompter makes the prompts of a set.
type prompter struct {
	mode      Mode
	raw       bool // may send raw prompts
	family    family
	showTests int // -1: all
	shots     []dataset.Task
	template  *template.Template
}

// view is a task as the templates see it.
type view struct {
	Text, Prefix, Entry, Signature, Setup, Code string
	Names, Tests                                []string
	Cases                                       []sandbox.Case
	All                                         []view // few-shot: the shots, then the task
}

func newPrompter(mode Mode, h llm.Handle, showTests int, shots []dataset.Task) (*prompter, error) {
	name := string(mode) + ".txt"
	t, err := template.New(name).Funcs(template.FuncMap{
		"fence":     func(code string) string { return fenced("python", code) },
		"fenced":    func(text string) string { return fenced("", text) },
		"join":      func(list []string) string { return strings.Join(list, "\n") },
		"docstring": docstring,
		"trim":      strings.TrimSpace,
	}).ParseFS(promptFiles, "prompts/"+name)
	if err != nil {
		return nil, fmt.Errorf("prompt %s: %w", name, err)
	}
	return &prompter{mode: mode, raw: h.Raw, family: familyOf(h.Name), showTests: showTests, shots: shots, template: t}, nil
}

// prompt makes a task's prompt.
func (p *prompter) prompt(t dataset.Task) (Prompt, error) {
	v := p.view(t)
	out := Prompt{Mode: p.mode, Entry: t.Entry, Raw: p.mode != Chat && p.raw, Stop: stops(p.mode, t, p.family)}
	switch p.mode {
	case FewShot:
		for _, s := range p.shots {
			if s.ID == t.ID { // its own answer is not an example
				continue
			}
			shot := p.view(s)
			shot.Code = strings.TrimSpace(s.Canonical)
			v.All = append(v.All, shot)
		}
		own := v
		own.All = nil
		v.All = append(v.All, own)
	case Complete:
		// Blanks at the end make a model that has never seen such a cut end its text at once.
		if out.Prefix = v.Prefix; out.Prefix == "" {
			out.Prefix = v.Signature
		}
	}
	var text strings.Builder
	if err := p.template.Execute(&text, v); err != nil {
		return Prompt{}, fmt.Errorf("prompt of %s: %w", t.ID, err)
	}
	out.Text = strings.TrimSpace(text.String())
	if p.mode == FewShot {
		out.Text += "\n"
	}
	return out, nil
}

func (p *prompter) view(t dataset.Task) view {
	limit := func(n int) int {
		if p.showTests < 0 {
			return n
		}
		return min(n, p.showTests)
	}
	v := view{Text: strings.TrimSpace(t.Text), Prefix: strings.TrimLeft(strings.TrimRight(t.Prefix, " \t\r\n"), "\r\n"), Entry: t.Entry,
		Signature: strings.TrimSpace(t.Signature), Names: t.Names}
	if v.Prefix == "" { // a prefix shows what it needs itself
		v.Setup = strings.TrimSpace(t.Setup)
	}
	public := t.Public()
	for _, code := range public[:limit(len(public))] {
		v.Tests = append(v.Tests, strings.TrimSpace(code))
	}
	v.Cases = t.Cases[:limit(min(t.PublicCases, len(t.Cases)))]
	return v
}

// fenced puts text into a fence that nothing in it closes.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.Trim(text, "\n") + "\n" + fence
}

// docstring makes text harmless between triple quotes.
func docstring(text string) string {
	return strings.ReplaceAll(strings.TrimRight(text, "\\ \t\r\n"), `"""`, "'''")
}
