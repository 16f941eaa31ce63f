package rlm

import (
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/deeprepo/deeprepo/internal/rlm/look"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
)

//go:embed root.md
var rootTemplate string

//go:embed shapes.py
var shapes string

//go:embed repl.py
var surfaces string

// prelude makes the names that cells see.
var prelude = shapes + surfaces

// questionPrompt is a worker's system prompt where it is asked a question, and not for a review.
//
//go:embed question.md
var questionPrompt string

// Surface identifies the names that cells see and the roots' instructions: a run cannot be resumed by a version in
// which it differs.
func Surface() string { return prelude + rootTemplate + questionPrompt }

// about is what a root's system prompt depends on.
type about struct {
	Task                     string
	Tools, Children, Locates bool
	OutputChars, ReplyTokens int
	Categories               string
}

// systemPrompt is the root's system prompt.
func systemPrompt(a about) string {
	a.Categories = strings.Join(taxonomy.Categories(), ", ")
	var b strings.Builder
	t := template.Must(template.New("root").Parse(rootTemplate))
	err := t.Execute(&b, a)
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

// tellSystem records what a child's root is told before everything else, where that is not what the root of the run is told.
func (n *node) tellSystem() error {
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
		b.WriteString(cut(n.redacted(n.task), maxTask))
		b.WriteString("\n\n")
	}
	m := n.run.metadata
	fmt.Fprintf(&b, "The codebase has %d files, %d lines, %d characters.\n", m.TotalFiles, m.TotalLines, m.TotalChars)
	if names := entryNames(m.EntryPoints); names != "" {
		fmt.Fprintf(&b, "Entry points: %s\n", names)
	}
	fmt.Fprintf(&b, "\n<file_tree>\n%s\n</file_tree>\n", strings.TrimRight(n.run.fileTree, "\n"))
	return b.String()
}

// entryNames lists as many paths as there is room for.
func entryNames(paths []string) string {
	var b strings.Builder
	for i, path := range paths {
		name := look.Name(path)
		if b.Len()+len(name) > maxEntries {
			fmt.Fprintf(&b, `%d more in metadata["entry_points"]`, len(paths)-i)
			break
		}
		b.WriteString(name)
		if i < len(paths)-1 {
			b.WriteString(", ")
		}
	}
	return b.String()
}

// countdown closes every message to the root: where it stands in the turn that comes, and what that asks of it.
func (n *node) countdown(turn int) string {
	left := n.maxTurns - turn
	var b strings.Builder
	fmt.Fprintf(&b, "[Turn %d/%d, %d left after it", turn, n.maxTurns, left)
	if usd, ok := n.pool.Remaining(); ok {
		fmt.Fprintf(&b, "; %s left", usd)
	}
	if left, ok := n.tokensLeft(); ok {
		fmt.Fprintf(&b, "; %d tokens left", left)
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
	if turn == 1 && n.run.cfg.Gate.Mode != GateOff && n.id == "" {
		fmt.Fprintf(&b, "\nYour answer is wanted only after workers have answered for at least %.0f%% of the source lines.",
			100*n.run.cfg.Gate.Coverage)
	}
	return b.String()
}

// system is what the root is told before everything else.
func (n *node) system() string {
	cfg := n.run.cfg
	return systemPrompt(about{Task: cfg.Preset.Root, Tools: n.handle.Tools, Children: cfg.MaxDepth > depth(n.id),
		Locates: cfg.Graph != nil && !cfg.Unaided, OutputChars: cfg.OutputChars, ReplyTokens: cfg.RootTokens})
}
