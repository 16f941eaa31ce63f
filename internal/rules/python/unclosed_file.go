package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnclosedFile(p *rule.Pass) {
	openers := []string{"open", "io.open", "codecs.open", "os.fdopen", "gzip.open", "bz2.open", "lzma.open", "socket.socket",
		"socket.create_connection", "tempfile.TemporaryFile", "zipfile.ZipFile", "tarfile.open"}
	for _, call := range p.Calls() {
		name := callee(p, call)
		if method := call.ChildByField("function"); rule.LastName(name) == "write" && method.Kind() == "attribute" {
			if object := method.ChildByField("object"); object.Kind() == "call" && slices.Contains(openers[:3], callee(p, object)) {
				p.ReportAs(call, "low", "")
			}
			continue
		}
		if (strings.HasSuffix(name, "ZipFile") || name == "tarfile.open") &&
			(!p.Arg(call, 0).Valid() || regexp.MustCompile(`(?i)fp|file_?obj|bio|io\b|BytesIO|stream|buf`).MatchString(p.Arg(call,
				0).Text())) {
			continue // the file under it belongs to somebody else
		}
		fn := p.Function(call)
		assignment := call.Parent()
		if !slices.Contains(openers, name) || fn.Kind() != "function_definition" || assignment.Kind() != "assignment" {
			continue
		}
		target := assignment.ChildByField("left")
		if target.Kind() != "identifier" || assignment.ChildByField("right") != call {
			continue
		}
		if neverClosed(p, fn, target, assignment) {
			p.Report(assignment, "")
		}
	}
}

// neverClosed tells whether every use of the name in fn is a method call or loop that leaves the object open.
func neverClosed(p *rule.Pass, fn, target, assignment rule.Node) bool {
	name := target.Text()
	used := false
	for id := range fn.Find("identifier", "global_statement", "nonlocal_statement") {
		if id.Kind() != "identifier" {
			if strings.Contains(id.Text(), name) {
				return false
			}
			continue
		}
		if id.Text() != name || id == target {
			continue
		}
		parent := id.Parent()
		switch {
		case p.Function(id) != fn:
			return false // a closure keeps it
		case parent.Kind() == "attribute" && parent.ChildByField("object") == id:
			method := parent.ChildByField("attribute").Text()
			if rule.OneOf(method, "close", "detach", "__exit__", "shutdown", "release", "server_close") {
				return false
			}
			if g := parent.Parent(); g.Kind() != "call" || g.ChildByField("function") != parent {
				if method != "name" && method != "closed" && method != "encoding" {
					return false
				}
			}
			used = true
		case parent.Kind() == "attribute": // the name of an attribute of something else
		case parent.Kind() == "keyword_argument" && parent.ChildByField("name") == id:
		case parent.Kind() == "for_statement" && parent.ChildByField("right") == id:
			used = true
		case parent.Kind() == "assignment" && parent.ChildByField("left") == id && parent != assignment:
			return false // several files in turn: too hard to tell
		default:
			return false // passed on, returned, stored, used in with
		}
	}
	return used
}
