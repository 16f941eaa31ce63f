package csharp

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var formatPlace = regexp.MustCompile(`\{([0-9]{1,2})[,:}]`)

func (*checks) FormatArguments(p *rule.Pass) {
	for _, c := range p.CallsTo("string.Format", "String.Format") {
		args := p.Args(c)
		text, _, ok := p.String(p.Arg(c, 0))
		if !ok || len(args) < 2 || len(args) == 2 && !args[1].Is("string_literal") && !plain(p, args[1]) {
			continue
		}
		text = strings.NewReplacer("{{", "", "}}", "").Replace(text)
		for _, m := range formatPlace.FindAllStringSubmatch(text, -1) {
			if n, _ := strconv.Atoi(m[1]); n >= len(args)-1 {
				p.Report(c, "{"+m[1]+"}")
				break
			}
		}
	}
}

// plain tells whether n is a parameter of a type that is no array: an array would be all arguments.
func plain(p *rule.Pass, n rule.Node) bool {
	return rule.Any(p.Function(n).Find("parameter"), func(prm rule.Node) bool {
		return prm.ChildByField("name").Text() == n.Text() &&
			rule.OneOf(prm.ChildByField("type").Text(), "string", "int", "long", "bool", "double")
	})
}
