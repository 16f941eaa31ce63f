package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var escapeName = regexp.MustCompile(`^(escape|esc|h|encode|escape(Html|HTML|Xml|XML|Markup|Text|Attr|Attribute)|encode(Html|HTML|Entities)|htmlEscape|htmlEncode|sanitize(Html|HTML)?)$`)

// EscapeDropped puts a value into HTML as it is: markup in it becomes part of the page.
func (operators) EscapeDropped(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for n := range find(p, path, "template_substitution") {
		call := n.NamedChild(0)
		_, name := callee(call)
		args := arguments(call)
		if !escapeName.MatchString(name) || len(args) != 1 || args[0].Kind() == "string" || !strings.Contains(n.Parent().Text(), "<") {
			continue
		}
		edits := []plant.Edit{replace(path, n, "${"+args[0].Text()+"}")}
		more, _ := reimport(p, path, name, 1, "")
		out = append(out, site(append(edits, more...), "%s puts %s into HTML without escaping it, so markup in that value becomes part of the page and runs there.", where(n), short(args[0].Text())))
	}
	return out
}
