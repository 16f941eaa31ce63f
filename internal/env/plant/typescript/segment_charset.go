package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var pathCall = regexp.MustCompile(`^(join|resolve|readFile|writeFile|readFileSync|writeFileSync|open|rm|unlink|stat|createReadStream|` +
	`createWriteStream)$`)

// SegmentCharset lets dots and slashes through the function that makes a name safe. Other files put its result into
// paths, and "../" now leaves their folders.
func (*operators) SegmentCharset(f file) {
	for n := range f.Root.Find("regex") {
		pattern := n.ChildByField("pattern").Text()
		call := n.Parent().Parent()
		_, name := callee(call)
		fn := function(n)
		class, _, ok := strings.Cut(strings.TrimPrefix(pattern, "[^"), "]")
		if !strings.HasPrefix(pattern, "[^") || !ok || strings.ContainsAny(class, `./`) || (name != "replace" && name != "replaceAll") ||
			!exported(fn) {
			continue
		}
		if user, ok := f.relied(fn, intoPath); ok {
			text := `/[^.\/` + strings.TrimPrefix(n.Text(), "/[^")
			f.Report(f.Replace(n, text),
				"%s lets dots and slashes through, and %s puts its result into a path, so \"../\" in a name leaves the folder.", where(n), user)
		}
	}
}

// intoPath says whether what a call gives becomes part of a path: it stands in an argument of a function of paths or
// files, or in a variable that does.
func intoPath(call syntax.Node) bool {
	if insidePath(call) {
		return true
	}
	d := call.Enclosing("variable_declarator", "statement_block")
	if d.Kind() != "variable_declarator" {
		return false
	}
	name := d.ChildByField("name").Text()
	return syntax.Any(function(call).Find("identifier"), func(id syntax.Node) bool {
		return id.Text() == name && id.Start() > d.End() && insidePath(id)
	})
}

func insidePath(n syntax.Node) bool {
	for up := n.Enclosing("call_expression", "statement_block"); up.Kind() == "call_expression"; up = up.Enclosing("call_expression",
		"statement_block") {
		if _, name := callee(up); pathCall.MatchString(name) {
			return true
		}
	}
	return false
}
