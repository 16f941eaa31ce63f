package report

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
)

// The line of interest is the one that holds HERE.
func TestAccessOf(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want Access
	}{
		"flask":                      {"@app.route('/x')\ndef show():\n    if x:\n        return HERE\n", AccessOpen},
		"flask with a login":         {"@app.route('/x')\n@login_required\ndef show():\n    return HERE\n", AccessHandler},
		"fastapi":                    {"@router.get('/x')\nasync def show(\n    a: int,\n):\n    return HERE\n", AccessOpen},
		"fastapi with a login":       {"@router.get('/x')\nasync def show(\n    a=Depends(get_current_user),\n):\n    return HERE\n", AccessHandler},
		"a guard for the whole file": {"@app.before_request\ndef check():\n    pass\n\n@app.get('/x')\ndef show():\n    HERE\n", AccessHandler},
		"spring":                     {"class A {\n  @GetMapping(\"/x\")\n  String show(String a) {\n    return HERE;\n  }\n}\n", AccessOpen},
		"spring, class with a login": {"@Secured(\"x\")\nclass A {\n  @GetMapping(\"/x\")\n  String show() {\n    HERE;\n  }\n}\n", AccessHandler},
		"express":                    {"app.get('/x', (req, res) => {\n  res.send(HERE);\n});\n", AccessOpen},
		"express with a login":       {"app.get('/x', requireUser, (req, res) => {\n  res.send(HERE);\n});\n", AccessHandler},
		"node":                       {"this.show = (req, res, next) => {\n    HERE\n};\n", AccessHandler},
		"go":                         {"func (s *S) show(w http.ResponseWriter, r *http.Request) {\n\tHERE\n}\n", AccessHandler},
		"a property":                 {"@property\ndef show(self):\n    return HERE\n", AccessUnknown},
		"behind a handler":           {"@app.get('/x')\ndef show():\n    pass\n\n\ndef other():\n    HERE\n", AccessUnknown},
		"a method called get":        {"def show(d):\n    return d.get('/x', HERE)\n", AccessUnknown},
	} {
		before, _, _ := strings.Cut(tt.text, "HERE")
		f := finding.Finding{File: "a", Line: strings.Count(before, "\n") + 1}
		if got := AccessOf(sources{"a": tt.text}, nil)(f); got != tt.want {
			t.Errorf("%s: %d, want %d", name, got, tt.want)
		}
	}
	if got := AccessOf(sources{"a": "x\n"}, []string{"a"})(finding.Finding{File: "a", Line: 1}); got != AccessStart {
		t.Errorf("where the program starts: %d", got)
	}
}

func FuzzAccessOf(f *testing.F) {
	f.Add("@app.route('/x')\ndef show(\n):\n    return x\n", 4)
	f.Add("@\n@\n}\n", 3)
	f.Fuzz(func(t *testing.T, text string, line int) {
		AccessOf(sources{"a": text}, nil)(finding.Finding{File: "a", Line: line})
	})
}
