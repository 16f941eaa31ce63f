package shell

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LostInPipe(p *rule.Pass) {
	text := strings.Join(p.Lines(), "\n")
	if strings.Contains(text, "lastpipe") || strings.HasPrefix(text, "#!") && (strings.Contains(p.Lines()[0], "zsh") ||
		strings.Contains(p.Lines()[0], "ksh")) {
		return
	}
	for _, line := range p.Nodes("pipeline") {
		loop := line.NamedChild(line.NumNamed() - 1)
		if !loop.Is("while_statement") || !rule.OneOf(line.Parent().Kind(), "program", "compound_statement") {
			continue
		}
		for a := range loop.Find("variable_assignment") {
			name := a.ChildByField("name").Text()
			if set(line.Parent(), name, line.Start()) && lostAfter(line, name) {
				p.Report(a, name)
				break
			}
		}
	}
}

// set tells whether a statement of the block assigns the name before at.
func set(block rule.Node, name string, at int) bool {
	for s := range block.NamedChildren() {
		a := s
		if s.Is("declaration_command") {
			a = s.NamedChild(s.NumNamed() - 1)
		}
		if s.Start() < at && a.Is("variable_assignment") && a.ChildByField("name").Text() == name {
			return true
		}
	}
	return false
}

// lostAfter tells whether a statement behind the line uses the name before any gives it another value.
func lostAfter(line rule.Node, name string) bool {
	for next := line.NextSibling(); next.Valid(); next = next.NextSibling() {
		for n := range next.Find("variable_name") {
			if n.Text() != name {
				continue
			}
			return n.Field() != "name" && rule.OneOf(n.Parent().Kind(), "simple_expansion", "expansion")
		}
	}
	return false
}
