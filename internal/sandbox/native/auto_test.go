package native_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// TestAuto sends to the jail what imports modules that the embedded interpreter lacks, and nothing else.
func TestAuto(t *testing.T) {
	a, err := native.NewAuto(t.Context(), engine, box(t))
	if err != nil {
		t.Fatal(err)
	}
	test := func(code string) []sandbox.Test {
		return []sandbox.Test{{Name: "f", Code: code + "\nassert f(2) == 2"}}
	}
	for name, c := range map[string]struct {
		program sandbox.Program
		backend string
	}{
		"plain":               {sandbox.Program{Code: "import math, json as j, re\nfrom collections.abc import Sized\nprint(1)"}, ""},
		"only there":          {sandbox.Program{Code: "import math, ctypes as c, re\nprint(1)"}, sandbox.Native},
		"a part of it":        {sandbox.Program{Code: "if 1:\n    from ctypes.util import find_library\n"}, sandbox.Native},
		"nowhere":             {sandbox.Program{Code: "try:\n    import no_such_module\nexcept ImportError: pass"}, ""},
		"a word, no import":   {sandbox.Program{Code: "x = 'import ctypes'\n# import ctypes\nimportctypes = 1"}, ""},
		"in the tests":        {sandbox.Program{Code: "def f(x): return x", Entry: "f", Tests: test("import ctypes")}, sandbox.Native},
		"in what both see":    {sandbox.Program{Setup: "import ctypes", Code: "def f(x): return x", Entry: "f", Tests: test("")}, sandbox.Native},
		"in what judges":      {sandbox.Program{Judge: "import ctypes", Code: "def f(x): return x", Entry: "f", Tests: test("")}, sandbox.Native},
		"relative, of a name": {sandbox.Program{Code: "try:\n    from . import ctypes\nexcept ImportError: pass"}, ""},
	} {
		if j := judged(t, a, c.program); j.Verdict != sandbox.Passed || j.Backend != c.backend {
			t.Errorf("%s: %s by %q: %+v", name, j.Verdict, j.Backend, j.Error)
		}
	}
	if a.Version() == "" {
		t.Error("no version")
	}
}
