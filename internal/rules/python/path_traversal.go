package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathTraversal(p *rule.Pass) {
	flow := follow(p, "python.path", rule.Taint{Parameter: wholePath(p), Sanitizer: func(_ rule.Node, name string) bool {
		return rule.OneOf(rule.LastName(name), "secure_filename", "basename", "safe_join", "realpath", "resolve", "read",
			"get_valid_filename")
	}})
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		at := pathArgument(p, call)
		return at.Valid() && flow.Tainted(at)
	})
}

// pathArgument is the expression that call takes for the name of a file it opens, sends or removes.
func pathArgument(p *rule.Pass, call rule.Node) rule.Node {
	switch name := callee(p, call); name {
	case "open", "io.open", "codecs.open", "flask.send_file", "send_file", "os.remove", "os.unlink", "os.rmdir", "os.listdir",
		"os.makedirs", "shutil.rmtree", "shutil.copy", "shutil.copyfile", "shutil.move", "os.rename", "FileResponse",
		"fastapi.responses.FileResponse", "aiofiles.open":
		return p.Arg(call, 0)
	default:
		m := rule.LastName(name)
		if f := call.ChildByField("function"); f.Kind() == "attribute" &&
			rule.OneOf(m, "read_text", "read_bytes", "write_text", "write_bytes", "unlink") {
			object := f.ChildByField("object")
			if v, ok := assigned(p, object, call); ok && object.Kind() == "identifier" {
				object = v
			}
			if strings.Contains(object.Text(), "Path(") || object.Kind() == "binary_operator" ||
				object.Kind() == "parenthesized_expression" {
				return object
			}
		}
	}
	return rule.Node{}
}
