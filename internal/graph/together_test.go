package graph

import "testing"

func TestPathsAreFoldedAtWords(t *testing.T) {
	for _, tt := range []struct {
		paths []string
		want  string
	}{
		{[]string{"a/b.py"}, "a/b.py"},
		{[]string{"src/dome_rollup.py", "src/exposure_rollup.py", "src/telescope_rollup.py"}, "src/{dome,exposure,telescope}_rollup.py"},
		{[]string{"p/TugTest.java", "p/TubTest.java"}, "p/{Tug,Tub}Test.java"},
		{[]string{"a/x/go.mod", "b/y/go.sum"}, "{a/x/go.mod,b/y/go.sum}"},
		{[]string{"lib/a.py", "lib/a.b.py"}, "lib/a.{,b.}py"},
		{[]string{"a/some", "b/home"}, "{a/some,b/home}"},
	} {
		if got := together(tt.paths); got != tt.want {
			t.Errorf("%q: %s, want %s", tt.paths, got, tt.want)
		}
	}
}
