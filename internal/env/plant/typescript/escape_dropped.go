package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var escapeName = regexp.MustCompile(`^(escape|esc|h|encode|escape(Html|HTML|Xml|XML|Markup|Text|Attr|Attribute)|encode(Html|HTML|` +
	`Entities)|htmlEscape|htmlEncode|sanitize(Html|HTML)?)$`)

// EscapeDropped puts a value into HTML as it is: markup in it becomes part of the page.
func (*operators) EscapeDropped(f file) {
	for n := range f.Root.Find("template_substitution") {
		call := n.NamedChild(0)
		_, name := callee(call)
		args := arguments(call)
		if !escapeName.MatchString(name) || len(args) != 1 || args[0].Kind() == "string" || !strings.Contains(n.Parent().Text(), "<") {
			continue
		}
		f.reportGone(syntax.Node{},
			name, f.Replace(n, "${"+args[0].Text()+"}"),
			"%s puts %s into HTML without escaping it, so markup in that value becomes part of the page and runs there.", where(n),
			short(args[0].Text()))
	}
}
