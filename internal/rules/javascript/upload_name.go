package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// filtered matches uploads of which the kind is looked at: by a filter that may refuse, or by what stands in the file name's function.
var filtered = regexp.MustCompile(`(?i)mimetype|\bext(name|ension)?\w*\s*(===?|!==?)|\.(includes|test|match|has)\(|allowed|whitelist|sanit`)

// UploadName looks for multer's uploads that are stored under the name that the client gave, whatever they are.
func (*checks) UploadName(p *rule.Pass) {
	for _, storage := range p.Calls() {
		if rule.LastName(p.Callee(storage)) != "diskStorage" {
			continue
		}
		name := property(p, p.Arg(storage, 0), "filename")
		if !name.Valid() {
			continue
		}
		given := rule.Within(name, func(n rule.Node) bool {
			return n.Is("call_expression") && p.Arg(n, 1).Valid() && clientNamed(p, p.Arg(n, 1))
		})
		if given && !p.FileHas(filtered) {
			p.Report(storage, "")
		}
	}
}

// clientNamed tells whether a name is, or ends in, what the client called the file.
func clientNamed(p *rule.Pass, n rule.Node) bool {
	for _, v := range built(p, n) {
		if endsInName.MatchString(v.Text()) {
			return true
		}
	}
	return false
}

var endsInName = regexp.MustCompile(`\boriginalname\b[^\w(]*$|\boriginalname\)\W*$`)
