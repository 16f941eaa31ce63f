package javascript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var fileFunctions = []string{
	"readFile", "readFileSync", "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createReadStream", "createWriteStream",
	"unlink", "unlinkSync", "rm", "rmSync", "rmdir", "readdir", "readdirSync", "rename", "renameSync", "copyFile", "copyFileSync",
	"open", "openSync",
}

// PathTraversal looks for files opened under a name the client sent.
func (*checks) PathTraversal(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		if len(args) == 0 {
			continue
		}
		var path rule.Node
		_, fs := callTo(p, call, "fs", fileFunctions...)
		_, extra := callTo(p, call, "fs-extra", append([]string{"remove", "outputFile", "ensureDir", "move"}, fileFunctions...)...)
		o, name := method(call)
		switch {
		case fs, extra:
			path = args[0]
		case (name == "sendFile" || name == "sendfile" || name == "download") && responseObject(p, o):
			if len(args) > 1 && (property(p, args[1], "root").Valid() || args[1].Kind() == "identifier") {
				continue
			}
			path = args[0]
		default:
			continue
		}
		if requestFlow(p).Tainted(path) && !confined(p, path) {
			p.Report(call, "the path holds "+rule.FirstLine(path))
		}
	}
}

// responseObject tells whether n is the response a handler was given.
func responseObject(p *rule.Pass, n rule.Node) bool {
	n = unwrap(n)
	return n.Kind() == "identifier" && rule.OneOf(n.Text(), "res", "response", "reply") && declaredInside(p, n)
}

// confined tells whether a directory is checked anywhere in the function: the
// shapes of such checks are too many to follow one by one.
func confined(p *rule.Pass, n rule.Node) bool {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		for call := range fn.Find("call_expression") {
			_, name := method(call)
			if name == "startsWith" || name == "relative" || name == "isSafePath" {
				return true
			}
			if arg := p.Arg(call, 0).Text(); (name == "indexOf" || name == "includes" || name == "replace") &&
				(strings.Contains(arg, "..") || strings.Contains(arg, `\.`)) {
				return true
			}
		}
	}
	return false
}
