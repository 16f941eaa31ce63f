package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) Mktemp(p *rule.Pass) {
	for _, call := range callsTo(p, "tempfile.mktemp", "os.tempnam", "os.tmpnam") {
		if !strings.Contains(call.Text(), `\\.\pipe`) { // Windows: no file
			p.Report(call, "")
		}
	}
}
