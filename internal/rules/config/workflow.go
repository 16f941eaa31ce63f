package config

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"go.yaml.in/yaml/v3"
)

// workflow is one of GitHub's.
type workflow struct {
	root   *yaml.Node
	events []string
}

// workflows gives the workflow that the file is, if it is one.
func workflows(p *rule.Pass) []workflow {
	if !strings.Contains("/"+p.Path, "/.github/workflows/") {
		return nil
	}
	var all []workflow
	for _, d := range documents(p, "jobs:") {
		on := get(d, "on")
		w := workflow{root: d, events: []string{scalar(on)}}
		for _, n := range items(on) {
			w.events = append(w.events, scalar(n))
		}
		for _, e := range entries(on) {
			w.events = append(w.events, e.key.Value)
		}
		all = append(all, w)
	}
	return all
}

func (w workflow) has(events ...string) bool {
	return slices.ContainsFunc(events, func(e string) bool { return slices.Contains(w.events, e) })
}

// byStrangers: people without any right in the repository start it, and it has the repository's rights.
func (w workflow) byStrangers() bool {
	return w.has("pull_request_target", "issues", "issue_comment", "discussion", "discussion_comment", "workflow_run", "fork", "gollum")
}

// textLines calls visit with the lines of a scalar as they stand in the file, however it is quoted or folded.
func textLines(p *rule.Pass, n *yaml.Node, visit func(line int, text string)) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return
	}
	lines := p.Lines()
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		visit(n.Line, lines[min(n.Line, len(lines))-1])
		return
	}
	indent := -1
	for i := n.Line; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i])
		own := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
		if indent < 0 && text != "" {
			indent = own
		}
		if text != "" && own < indent {
			return
		}
		visit(i+1, text)
	}
}
