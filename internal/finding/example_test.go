package finding_test

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
)

// A claim is believed as far as its quotation goes: the first stands in the file, two lines away from where the model said;
// the second was invented.
func Example() {
	code := codebase.FromMap(map[string]string{"a.py": "import os\n\ndef run(cmd):\n    os.system(cmd)\n"})
	reply := `{"summary": "runs commands", "findings": [
		{"file": "a.py", "line": 2, "severity": "high", "category": "command injection", "title": "Shell command from a parameter",
		 "evidence": "os.system(cmd)"},
		{"file": "a.py", "line": 3, "severity": "high", "category": "injection", "title": "eval of a parameter", "evidence": "eval(cmd)"}]}`
	parsed, err := finding.Parse(reply)
	if err != nil {
		panic(err)
	}
	grounded, ungrounded := finding.Ground(code, parsed.Findings, nil)
	for _, f := range grounded {
		fmt.Printf("%s:%d %s (%s): %s\n", f.File, f.Line, f.Title, f.Category, strings.TrimSpace(f.Evidence))
	}
	for _, f := range ungrounded {
		fmt.Println("without proof:", f.Title)
	}
	// Output:
	// a.py:4 Shell command from a parameter (injection): os.system(cmd)
	// without proof: eval of a parameter
}
