package rlm

import (
	"embed"
	"fmt"
	"sort"
	"strings"
	"text/template"

	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
)

//go:embed root.md
var rootTemplate string

//go:embed presets/*.md
var presetFiles embed.FS

//go:embed repl.py
var prelude string

// Surface identifies what cells see and what roots are told: a run cannot be resumed by a version in which it differs.
func Surface() string { return prelude + rootTemplate }

// Preset is what a root and its workers are asked to do in one domain.
type Preset struct {
	Name   string
	Root   string // the task, appended to the description of the REPL
	Worker string // the workers' system prompt
}

// PresetNames lists the built-in presets, the default (code) first.
func PresetNames() []string {
	entries, err := presetFiles.ReadDir("presets")
	if err != nil {
		panic(err) // the files are embedded: this cannot fail in a program that was built
	}
	names := []string{"code"}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".md"); name != "code" {
			names = append(names, name)
		}
	}
	sort.Strings(names[1:])
	return names
}

// BuiltinPreset returns a preset by name.
func BuiltinPreset(name string) (Preset, error) {
	text, err := presetFiles.ReadFile("presets/" + name + ".md")
	if err != nil || strings.ContainsAny(name, `/\.`) {
		return Preset{}, fmt.Errorf("no preset %q; there are %s", name, strings.Join(PresetNames(), ", "))
	}
	return ParsePreset(name, string(text))
}

// ParsePreset reads a preset of one's own: Markdown with a part under "# Root" and a part under "# Worker". A text
// without these headings is the root's task, and the workers get the code preset's instructions.
func ParsePreset(name, text string) (Preset, error) {
	parts := map[string]*strings.Builder{"": {}, "root": {}, "worker": {}}
	current := ""
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			if h := strings.ToLower(strings.TrimSpace(heading)); h == "root" || h == "worker" {
				current = h
				continue
			}
		}
		parts[current].WriteString(line)
	}
	get := func(part string) string { return strings.TrimSpace(parts[part].String()) }
	p := Preset{Name: name, Root: get("root"), Worker: get("worker")}
	if p.Root == "" {
		p.Root = get("")
	}
	if p.Root == "" {
		return Preset{}, fmt.Errorf("preset %s: it says nothing to the root; write the task, or put it under a line \"# Root\"", name)
	}
	if p.Worker == "" {
		code, err := BuiltinPreset("code")
		if err != nil {
			return Preset{}, err
		}
		p.Worker = code.Worker
	}
	return p, nil
}

// systemPrompt is the root's system prompt.
func systemPrompt(task string, tools, children bool, outputChars int) string {
	var b strings.Builder
	t := template.Must(template.New("root").Parse(rootTemplate))
	err := t.Execute(&b, struct {
		Task            string
		Tools, Children bool
		OutputChars     int
	}{task, tools, children, outputChars})
	if err != nil {
		panic(err) // the template is embedded and its data fixed
	}
	return strings.TrimSpace(b.String())
}

// unrecorded is a system prompt that a run's trace does not hold yet, "" when it does.
func unrecorded(past []trace.Event, system string) string {
	for _, e := range past {
		if e.Kind == trace.KindStart && e.Node == "" && e.Start.System == system {
			return ""
		}
	}
	return system
}

// begin records what a child's root is told before everything else, where that is not what the root of the run is told.
func (n *node) begin() error {
	system := n.system()
	if system == n.run.system {
		return nil
	}
	return n.recordOnce(trace.Event{Kind: trace.KindStart, Node: n.id, Key: n.id + ".start",
		Start: &trace.Start{Run: n.run.cfg.RunID, Fingerprint: n.run.cfg.Fingerprint, System: system}})
}

// opening is the first message: what is there, and the tree.
func (n *node) opening() string {
	var b strings.Builder
	if n.id != "" {
		b.WriteString("Your task, from the model that called you (also in the variable `context`):\n\n")
		b.WriteString(cut(n.redacted(n.task), 20_000))
		b.WriteString("\n\n")
	}
	m := n.run.metadata
	fmt.Fprintf(&b, "The codebase has %d files, %d lines, %d characters.\n", m.TotalFiles, m.TotalLines, m.TotalChars)
	if len(m.EntryPoints) > 0 {
		fmt.Fprintf(&b, "Entry points: %s\n", strings.Join(m.EntryPoints, ", "))
	}
	fmt.Fprintf(&b, "\n<file_tree>\n%s\n</file_tree>\n", strings.TrimRight(n.run.fileTree, "\n"))
	return b.String()
}

// countdown closes every message to the root: where it stands, and what that asks of it.
func (n *node) countdown() string {
	left := n.maxTurns - n.turn
	var b strings.Builder
	fmt.Fprintf(&b, "[Turn %d/%d, %d left after it", n.turn, n.maxTurns, left)
	if usd, ok := n.remaining(); ok {
		fmt.Fprintf(&b, "; %s left", usd)
	}
	fmt.Fprintf(&b, "; coverage %.0f%%]", 100*n.run.ledger.Fraction())
	switch {
	case left == 0:
		b.WriteString("\nFINAL TURN: call set_answer(text) with your report now. Nothing can be done after this turn.")
	case left == 1:
		b.WriteString("\nThe next turn is the last. Finish the reading now; write the report next.")
	case left <= 3:
		b.WriteString("\nBegin the synthesis: close what is open, then write the report.")
	}
	if n.turn == 1 && n.run.cfg.Gate.Mode != GateOff && n.id == "" {
		fmt.Fprintf(&b, "\nYour answer is wanted only after at least %.0f%% of the source lines have reached a worker.", 100*n.run.cfg.Gate.Coverage)
	}
	return b.String()
}

// cut shortens a text to max characters and names its total.
func cut(s string, max int) string {
	if len(s) <= max {
		return s
	}
	head := termtext.Cut(s, max)
	return fmt.Sprintf("%s\n[cut at %d of %d characters]", head, len(head), len(s))
}
