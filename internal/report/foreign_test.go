package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
)

// The finding is in the line that holds "HERE", or in all of those from the first to the last that do.
func TestMarksOfOtherTools(t *testing.T) {
	for _, tt := range []struct {
		name, category, text string
		hit                  bool
	}{
		{"nosec", "injection", "subprocess.run(HERE, shell=True)  # nosec", true},
		{"nosec with a reason", "injection", "run(HERE)  # nosec - built here", true},
		{"nosec with its code", "injection", "run(HERE)  # nosec B602, B607", true},
		{"nosec with another code", "secrets", "run(HERE)  # nosec B602", false},
		{"nosec with an unknown code", "injection", "run(HERE)  # nosec B999", false},
		{"nosec is about security", "resource-leak", "f = open(HERE)  # nosec", false},
		{"nosec of gosec", "injection", "exec.Command(HERE) //#nosec G204 -- fixed list", true},
		{"nosec in its own line", "injection", "/* #nosec */\nexec.Command(HERE)", true},
		{"nosec behind the line before", "injection", "x() // #nosec\nexec.Command(HERE)", false},
		{"nosec on the last line of a statement", "injection", "run( # HERE\n  cmd,\n) # nosec HERE", true},
		{"nosec is no part of a word", "injection", "run(HERE)  # nosecond", false},
		{"nosec in no comment", "injection", `run(HERE, "nosec")`, false},
		{"noqa S", "injection", "run(HERE)  # noqa: S602", true},
		{"noqa among others", "secrets", "password = HERE  # noqa: E501,S105", true},
		{"noqa of style", "secrets", "password = HERE  # noqa: E501", false},
		{"bare noqa means style", "injection", "run(HERE)  # noqa", false},
		{"noqa of a bare except", "error-handling", "except:  # noqa: E722 HERE", true},
		{"NOSONAR", "off-by-one", "for (i = 0; i <= n; i++) { // NOSONAR HERE", true},
		{"nolint", "error-handling", "f.Close(HERE) //nolint", true},
		{"nolint of a linter", "error-handling", "f.Close(HERE) //nolint:errcheck // read only", true},
		{"nolint of gosec", "weak-crypto", "rand.Int(HERE) //nolint:gosec", true},
		{"nolint of another linter", "weak-crypto", "rand.Int(HERE) //nolint:lll", false},
		{"nolint of a function", "weak-crypto", "//nolint:gosec\nfunc f() interface{} {\n\ts := \"}\"\n\treturn rand.Int(HERE)\n}\n", true},
		{"nolint of the function before", "weak-crypto", "//nolint:gosec\nfunc f() {\n}\n\nfunc g() {\n\trand.Int(HERE)\n}\n", false},
		{"nolint of a constant", "secrets", "//nolint:gosec\nconst a = 1\n\nfunc g() {\n\tk(HERE)\n}\n", false},
		{"nosemgrep", "xss", "# nosemgrep: python.flask.xss\nreturn HERE", true},
		{"eslint-disable-line", "injection", "eval(HERE) // eslint-disable-line no-eval", true},
		{"eslint-disable-line of another rule", "injection", "eval(HERE) // eslint-disable-line max-len", false},
		{"eslint-disable-next-line", "injection", "// eslint-disable-next-line no-eval -- trusted\neval(HERE)", true},
		{"eslint-disable-next-line but one", "injection", "// eslint-disable-next-line no-eval\nx()\neval(HERE)", false},
		{"eslint-disable", "path-traversal", "/* eslint-disable security/detect-non-literal-fs-filename */\na()\nfs.open(HERE)", true},
		{"eslint-enable", "injection", "/* eslint-disable no-eval */\na()\n/* eslint-enable no-eval */\neval(HERE)", false},
		{"pylint", "api-misuse", "def f(a=[]):  # pylint: disable=dangerous-default-value HERE", true},
		{"pylint of style", "api-misuse", "def f(a=[]):  # pylint: disable=invalid-name HERE", false},
		{"rubocop", "injection", "eval(HERE) # rubocop:disable Security/Eval", true},
		{"gitleaks", "secrets", "key = HERE # gitleaks:allow", true},
		{"gitleaks is about secrets", "injection", "run(HERE) # gitleaks:allow", false},
		{"detect-secrets", "secrets", "key = HERE  # pragma: allowlist secret", true},
		{"a warning switched off", "injection", "#pragma warning disable CA2100 // built here\nrun(HERE)\n#pragma warning restore CA2100\n", true},
		{"a warning switched on again", "injection", "#pragma warning disable CA2100\n#pragma warning restore CA2100\nrun(HERE)\n", false},
		{"a warning of style", "weak-crypto", "#pragma warning disable CA1822, SA1201\nSHA1.HashData(HERE)\n", false},
		{"shellcheck", "logic", "# shellcheck disable=SC2086\n[ HERE = 1 ]", true},
		{"shellcheck of another", "logic", "# shellcheck disable=SC1090\n[ HERE = 1 ]", false},
		{"SuppressWarnings", "injection", "  @SuppressWarnings(\"java:S2077\")\n  void f(String[] a) {\n    if (a) { b(); }\n    q(HERE);\n  }\n", true},
		{"SuppressWarnings of the compiler", "injection", "@SuppressWarnings(\"unchecked\")\nvoid f() {\n q(HERE);\n}", false},
		{"SuppressWarnings of the method before", "injection", "@SuppressWarnings(\"all\")\nvoid f() {\n}\nvoid g() {\n q(HERE);\n}", false},
		{"SuppressWarnings of a field", "secrets", "@SuppressWarnings({\"squid:S2068\", \"unused\"})\nString KEY = HERE;\n", true},
		{"SuppressFBWarnings", "injection",
			"@SuppressFBWarnings(value = \"SQL_INJECTION_JDBC\", justification = \"XSS_\")\nvoid f() {\n q(HERE);\n}", true},
		{"a justification names nothing", "xss",
			"@SuppressFBWarnings(value = \"SQL_INJECTION_JDBC\", justification = \"XSS_\")\nvoid f() {\n q(HERE);\n}", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := finding.Finding{Category: tt.category, File: "f"}
			for i, line := range strings.Split(tt.text, "\n") {
				if strings.Contains(line, "HERE") {
					if f.EndLine = i + 1; f.Line == 0 {
						f.Line = i + 1
					}
				}
			}
			_, sup := Suppressions{}.Apply(sources{"f": tt.text}, []finding.Finding{f})
			if (len(sup) == 1) != tt.hit {
				t.Fatalf("suppressed %+v", sup)
			}
			if tt.hit && (sup[0].By != "comment" || sup[0].Reason == "") {
				t.Errorf("by %q, reason %q", sup[0].By, sup[0].Reason)
			}
		})
	}
}

// A word in a table that is no category would silence nothing, and nobody would see it.
func TestTablesOfOtherTools(t *testing.T) {
	for _, table := range []map[string][]string{byCode, byLinter, byESLint, byPattern} {
		for code, about := range table {
			for _, c := range about {
				if !slices.Contains(taxonomy.Categories(), c) {
					t.Errorf("%s: %q is no category", code, c)
				}
			}
		}
	}
}

func FuzzForeignMarks(f *testing.F) {
	f.Add("a # nosec\n/* eslint-disable */\n@SuppressWarnings(\"all\")\nvoid f() { '\n")
	f.Add("//nolint\nfunc f() interface{} {\n")
	f.Fuzz(func(t *testing.T, text string) {
		last := strings.Count(text, "\n") + 1
		for _, m := range foreignMarks(text) {
			if m.from < 1 || m.to < m.from || m.to > last+1 || m.says == "" {
				t.Fatalf("%+v in %d lines", m, last)
			}
		}
	})
}
