package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var fileFunctions = []string{
	"readFile", "readFileSync", "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createReadStream", "createWriteStream", "unlink", "unlinkSync",
	"rm", "rmSync", "rmdir", "readdir", "readdirSync", "rename", "renameSync", "copyFile", "copyFileSync", "open", "openSync",
}

// pathTraversal looks for files opened under a name the client sent.
func pathTraversal() rule.Rule {
	return rule.Rule{
		ID: "javascript/path-traversal", Title: "File path taken from the request without confining it to a directory",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "path.join resolves \"..\" but does not stop at the base directory, so a name such as ../../etc/passwd reaches any file the process may read or write.",
		Suggestion:  "Take path.basename of the name, or resolve the path and check that it starts with the base directory plus path.sep; res.sendFile with a root option does so.",
		Bad: []rule.Sample{
			{Source: "const fs = require('fs');\nconst path = require('path');\n\napp.get('/file', (req, res) => {\n  fs.createReadStream(path.join(__dirname, 'files', req.query.name)).pipe(res);\n});\n"},
			{Path: "src/app.ts", Source: "export function get({ params, query }: Request, res: Response) {\n  const file = params.file;\n  res.sendFile(path.resolve('ftp/', file));\n}\n"},
			{Source: "app.get('/get', (req, res) => {\n  const name = req.params.name;\n  res.sendFile('/srv/files/' + name);\n});\n"},
			{Source: "import { readFile } from 'fs/promises';\n\nexport async function get(req, res) {\n  const { file } = req.query;\n  res.end(await readFile(`./data/${file}`));\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "const fs = require('fs');\nconst path = require('path');\n\napp.get('/file', (req, res) => {\n  fs.createReadStream(path.join(__dirname, 'files', path.basename(req.query.name))).pipe(res);\n});\n"},
			{Source: "app.get('/get', (req, res) => {\n  res.sendFile(req.params.name, { root: '/srv/files' });\n});\n"},
			{Source: "const fs = require('fs');\nconst path = require('path');\n\napp.get('/file', (req, res) => {\n  const full = path.resolve('files', req.query.name);\n  if (!full.startsWith(base + path.sep)) return res.sendStatus(403);\n  fs.createReadStream(full).pipe(res);\n});\n"},
			{Source: "const fs = require('fs');\n\nfunction read(name) {\n  return fs.readFileSync(name);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				if len(args) == 0 {
					continue
				}
				var path syntax.Node
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
					p.Report(call, "the path holds "+oneLine(path))
				}
			}
		},
	}
}

// responseObject tells whether n is the response a handler was given.
func responseObject(p *rule.Pass, n syntax.Node) bool {
	n = unwrap(n)
	return n.Kind() == "identifier" && slices.Contains([]string{"res", "response", "reply"}, n.Text()) && declaredInside(p, n)
}

// confined tells whether a directory is checked anywhere in the function: the
// shapes of such checks are too many to follow one by one.
func confined(p *rule.Pass, n syntax.Node) bool {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		for call := range fn.Find("call_expression") {
			_, name := method(call)
			if name == "startsWith" || name == "relative" || name == "isSafePath" {
				return true
			}
			if arg := p.Arg(call, 0).Text(); (name == "indexOf" || name == "includes" || name == "replace") && (strings.Contains(arg, "..") || strings.Contains(arg, `\.`)) {
				return true
			}
		}
	}
	return false
}
