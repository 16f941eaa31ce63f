package report

import (
	"errors"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
)

func TestSuppressComments(t *testing.T) {
	const id = "0123456789abcdef"
	tests := []struct {
		name, above, line string
		hit               bool
		reason            string
	}{
		{"same line", "", "x = md5(a)  # deeprepo:ignore", true, ""},
		{"line above", "# deeprepo:ignore", "x = md5(a)", true, ""},
		{"with a reason", "", "x = md5(a)  # deeprepo:ignore -- a cache key", true, "a cache key"},
		{"category", "// deeprepo:ignore weak-crypto", "x", true, ""},
		{"category and reason", "// deeprepo:ignore weak-crypto -- old -- clients", "x", true, "old -- clients"},
		{"one of several", "// deeprepo:ignore auth, weak-crypto", "x", true, ""},
		{"id", "// deeprepo:ignore " + id, "x", true, ""},
		{"C comment", "", "md5(a); /* deeprepo:ignore weak-crypto -- why */", true, "why"},
		{"HTML comment", "<!-- deeprepo:ignore weak-crypto -- why -->", "x", true, "why"},
		{"JSX comment", "{/* deeprepo:ignore weak-crypto */}", "x", true, ""},
		{"SQL comment", "-- deeprepo:ignore", "x", true, ""},
		{"Lisp comment", ";; deeprepo:ignore", "x", true, ""},
		{"OCaml comment", "(* deeprepo:ignore *)", "x", true, ""},
		{"block comment body", " * deeprepo:ignore weak-crypto", "x", true, ""},
		{"after other words", "", "md5(a) # noqa, deeprepo:ignore", true, ""},
		{"carriage return", "", "md5(a) // deeprepo:ignore\r", true, ""},
		{"other category", "# deeprepo:ignore auth", "x", false, ""},
		{"other id", "# deeprepo:ignore ffffffffffffffff", "x", false, ""},
		{"mistyped category", "# deeprepo:ignore weak-cripto", "x", false, ""},
		{"mistyped among good ones", "# deeprepo:ignore weak-crypto wek", "x", false, ""},
		{"trailing comment above belongs to that line", "y = md5(b)  # deeprepo:ignore", "x = md5(a)", false, ""},
		{"no comment", "", `x = "deeprepo:ignore"`, false, ""},
		{"longer word", "# deeprepo:ignored", "x", false, ""},
		{"nothing", "# hello", "x", false, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src := sources{"f": "first\n" + tt.above + "\n" + tt.line + "\nlast"}
			f := finding.Finding{ID: id, Category: "weak-crypto", File: "f", Line: 3, EndLine: 3}
			kept, sup := Suppressions{}.Apply(src, []finding.Finding{f})
			if (len(sup) == 1) != tt.hit || len(kept)+len(sup) != 1 {
				t.Fatalf("kept %v, suppressed %v", kept, sup)
			}
			if tt.hit && (sup[0].Reason != tt.reason || sup[0].By != "comment") {
				t.Errorf("%+v", sup[0])
			}
		})
	}
}

func TestSuppressFile(t *testing.T) {
	s, err := ParseSuppressions([]byte("# kept on purpose\n\n0123456789abcdef # known\nweak-crypto legacy/** # old clients\r\n* " +
		"gen/\ninjection *.sql\nauth /main.go\nlogic a?b/[x].go\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		f      finding.Finding
		hit    bool
		reason string
	}{
		{finding.Finding{ID: "0123456789abcdef", Category: "xss", File: "x"}, true, "known"},
		{finding.Finding{Category: "weak-crypto", File: "legacy/a/b.go"}, true, "old clients"},
		{finding.Finding{Category: "weak-crypto", File: "src/legacy/b.go"}, false, ""},
		{finding.Finding{Category: "xss", File: "legacy/b.go"}, false, ""},
		{finding.Finding{Category: "xss", File: "gen/x/y.go"}, true, ""},
		{finding.Finding{Category: "injection", File: "deep/down/q.sql"}, true, ""},
		{finding.Finding{Category: "injection", File: "deep/down/q.sqlx"}, false, ""},
		{finding.Finding{Category: "auth", File: "main.go"}, true, ""},
		{finding.Finding{Category: "auth", File: "cmd/main.go"}, false, ""},
		{finding.Finding{Category: "logic", File: "axb/[x].go"}, true, ""},
		{finding.Finding{Category: "logic", File: "a/b/x.go"}, false, ""},
	} {
		_, sup := s.Apply(nil, []finding.Finding{tt.f})
		if (len(sup) == 1) != tt.hit {
			t.Errorf("%v: %v", tt.f, sup)
		}
		if tt.hit && (sup[0].Reason != tt.reason || sup[0].By != "file") {
			t.Errorf("%v: %+v", tt.f, sup[0])
		}
	}
}

func TestSuppressFileFaults(t *testing.T) {
	for in, want := range map[string]string{
		"\nwek-crypto x": ":2: neither", "injection": ":1: the path pattern is missing", "injection # why": "missing", "0123456789abcdef x": "stands alone",
		"auth " + strings.Repeat("a", 2000): "too long", "\x1b[31m x": `neither an id nor a category`, strings.Repeat("#\n", maxSuppressLines) + "auth x": "too many",
		strings.Repeat("#", maxSuppressBytes+1): "larger",
	} {
		_, err := ParseSuppressions([]byte(in))
		var se *SuppressError
		if !errors.As(err, &se) || !strings.Contains(err.Error(), want) || se.Hint() == "" {
			t.Errorf("%.40q: %v, want %q", in, err, want)
			continue
		}
		checkVisible(t, in[:min(20, len(in))], err.Error(), false)
	}
}

func FuzzParseSuppressions(f *testing.F) {
	f.Add("weak-crypto legacy/** # why\n0123456789abcdef\n* gen/\n")
	f.Add("* " + strings.Repeat("**/", 300))
	f.Add("auth \xff[^\x00")
	f.Fuzz(func(t *testing.T, in string) {
		s, err := ParseSuppressions([]byte(in))
		if err != nil {
			var se *SuppressError
			if !errors.As(err, &se) || se.Line < 1 {
				t.Fatalf("%v", err)
			}
			return
		}
		kept, sup := s.Apply(sources{"a/b": in}, []finding.Finding{{ID: "0123456789abcdef", Category: "auth", File: "a/b", Line: 2}})
		if len(kept)+len(sup) != 1 {
			t.Fatal("a finding is lost")
		}
	})
}
