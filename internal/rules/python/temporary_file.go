package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func temporaryName() rule.Rule {
	return rule.Rule{
		ID: "python/mktemp", Title: "Temporary file name that somebody else can take first",
		Category: "concurrency", CWE: "CWE-377", Severity: "medium", Languages: []string{"python"}, Confidence: 0.95,
		Explanation: "mktemp only makes up a name. Between that and the opening another user can put a file or a link there.",
		Suggestion:  "Use tempfile.NamedTemporaryFile, mkstemp or TemporaryDirectory, which create it at once.",
		Bad: []rule.Sample{
			code(`import tempfile`, `path = tempfile.mktemp(suffix=".txt")`),
			code(`from tempfile import mktemp as name`, `def f():`, `    return open(name(), "w")`),
		},
		Good: []rule.Sample{
			code(`import tempfile`, `fd, path = tempfile.mkstemp()`),
			code(`import tempfile`, `with tempfile.NamedTemporaryFile() as f:`, `    f.write(b"x")`),
			code(`def mktemp():`, `    return "x"`, `p = mktemp()`),
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				switch callee(p, call) {
				case "tempfile.mktemp", "os.tempnam", "os.tmpnam":
					if !strings.Contains(call.Text(), `\\.\pipe`) { // Windows: no file
						p.Report(call, "")
					}
				}
			}
		},
	}
}
