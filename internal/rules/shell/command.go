package shell

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// commands gives the commands whose name is one of the names, those that sudo starts among them.
func commands(p *rule.Pass, names ...string) []rule.Node {
	return rule.Where(p.Nodes("command"), func(c rule.Node) bool {
		words := words(c)
		if len(words) > 1 && words[0].Text() == "sudo" {
			words = words[1:]
		}
		return len(words) > 0 && rule.OneOf(words[0].Text(), names...)
	})
}

// words gives a command's name and arguments.
func words(command rule.Node) []rule.Node {
	var all []rule.Node
	for c := range command.NamedChildren() {
		if c.Field() == "name" || c.Field() == "argument" {
			all = append(all, c)
		}
	}
	return all
}

// flag tells whether one of the command's options has the letter, in a group of short ones, or is the long one.
func flag(command rule.Node, letter, long string) bool {
	for _, w := range words(command)[1:] {
		t := w.Text()
		if t == long || strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "--") && strings.Contains(t, letter) {
			return true
		}
	}
	return false
}

// bare is a word's text without quotes.
func bare(n rule.Node) string { return strings.NewReplacer(`"`, "", "'", "").Replace(n.Text()) }

var nounset = regexp.MustCompile(`(?m)^\s*(set\s+(-[a-zA-Z]*u|.*-o\s+nounset)|#!.*\s-[a-z]*u)`)

var errexit = regexp.MustCompile(`(?m)^\s*(set\s+(-[a-zA-Z]*e|.*-o\s+errexit)|#!.*\s-[a-z]*e)`)
