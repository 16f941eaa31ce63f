package python

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func pathTraversal() rule.Rule {
	return rule.Rule{
		ID: "python/path-traversal", Title: "File path taken from a request",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "A value with ../ in it, or an absolute path, leaves the directory that the program means: os.path.join drops everything before an absolute part.",
		Suggestion:  "Resolve the path and check that it is inside the directory (Path.resolve and is_relative_to), use send_from_directory, or secure_filename for uploads.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`import os`, `from flask import request, send_file`, `def get():`, `    name = request.args["name"]`, `    return send_file(os.path.join("/srv/files", name))`),
			code(`from flask import request`, `def get():`, `    with open("data/" + request.form.get("file")) as f:`, `        return f.read()`),
			code(`import os`, `def delete(request):`, `    path = request.GET.get("path")`, `    os.remove(path)`),
			code(`from flask import Flask`, `app = Flask(__name__)`, `@app.route("/f/<path:name>")`, `def get(name):`, `    return open("files/" + name).read()`),
			code(`from pathlib import Path`, `def show(request):`, `    p = Path("static") / request.GET["page"]`, `    return p.read_text()`),
		},
		Good: []rule.Sample{
			code(`import os`, `from flask import request`, `from werkzeug.utils import secure_filename`, `def get():`, `    name = secure_filename(request.args["name"])`, `    return open(os.path.join("/srv/files", name)).read()`),
			code(`from flask import request, send_from_directory`, `def get():`, `    return send_from_directory("/srv/files", request.args["name"])`),
			code(`from flask import Flask`, `app = Flask(__name__)`, `@app.route("/f/<name>")`, `def get(name):`, `    return open("files/" + name).read()`),
			code(`def load(path):`, `    with open(path) as f:`, `        return f.read()`),
			code(`from flask import request`, `def get():`, `    name = request.args["name"]`, `    if name not in PAGES:`, `        abort(404)`, `    return open("pages/" + name).read()`),
		},
		Check: func(p *rule.Pass) {
			flow := follow(p, "python.path", rule.Taint{Parameter: wholePath(p), Sanitizer: func(_ syntax.Node, name string) bool {
				return slices.Contains([]string{"secure_filename", "basename", "safe_join", "realpath", "resolve", "read", "get_valid_filename"}, rule.LastName(name))
			}})
			for _, call := range p.Calls() {
				if at := pathArgument(p, call); at.Valid() && flow.Tainted(at) {
					p.Report(call, "")
				}
			}
		},
	}
}

// pathArgument is the expression that call takes for the name of a file it opens, sends or removes.
func pathArgument(p *rule.Pass, call syntax.Node) syntax.Node {
	switch name := callee(p, call); name {
	case "open", "io.open", "codecs.open", "flask.send_file", "send_file", "os.remove", "os.unlink", "os.rmdir", "os.listdir", "os.makedirs",
		"shutil.rmtree", "shutil.copy", "shutil.copyfile", "shutil.move", "os.rename", "FileResponse", "fastapi.responses.FileResponse", "aiofiles.open":
		return p.Arg(call, 0)
	default:
		m := rule.LastName(name)
		if f := call.ChildByField("function"); f.Kind() == "attribute" && slices.Contains([]string{"read_text", "read_bytes", "write_text", "write_bytes", "unlink"}, m) {
			object := f.ChildByField("object")
			if v, ok := assigned(p, object, call); ok && object.Kind() == "identifier" {
				object = v
			}
			if strings.Contains(object.Text(), "Path(") || object.Kind() == "binary_operator" || object.Kind() == "parenthesized_expression" {
				return object
			}
		}
	}
	return syntax.Node{}
}
