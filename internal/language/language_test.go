package language

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestTable(t *testing.T) {
	seen, grammars := map[string]string{}, map[int]string{}
	once := func(kind, key, language string) {
		if key == "" || key != strings.ToLower(key) || seen[kind+key] != "" {
			t.Errorf("%s %q of %s is empty, not lower case, or %s's, too", kind, key, language, seen[kind+key])
		}
		seen[kind+key] = language
	}
	for _, l := range All() {
		once("name", l.Name, l.Name)
		for kind, keys := range map[string][]string{"extension": l.Extensions, "file": l.Files, "interpreter": l.Interpreters,
			"alias": l.Aliases} {
			for _, k := range keys {
				once(kind, k, l.Name)
			}
		}
		for _, e := range l.Unparsed {
			if l.Grammar == 0 || !slices.Contains(l.Extensions, e) {
				t.Errorf("%s: %q is none of the extensions that could be parsed", l.Name, e)
			}
		}
		if l.Family != "" && byName[l.Family] == nil {
			t.Errorf("%s: there is no language %q", l.Name, l.Family)
		}
		if l.Planted != "" && (l.Grammar == 0 || !slices.Contains(l.Extensions, strings.TrimPrefix(l.Planted, "."))) {
			t.Errorf("%s: files that end in %q cannot be planted", l.Name, l.Planted)
		}
		if l.Grammar > 0 {
			if was := grammars[l.Grammar]; was != "" {
				t.Errorf("%s and %s are both grammar %d", was, l.Name, l.Grammar)
			}
			grammars[l.Grammar] = l.Name
		}
	}
	const numbered = "python javascript typescript tsx go java php ruby c cpp csharp rust kotlin shell"
	if got := strings.Join(Grammars(), " "); got != numbered || len(grammars) != grammarCount(t) {
		t.Errorf("grammars %s: build.sh of package syntax numbers them otherwise", got)
	}
	if got := strings.Join(Grown(), " "); got != "python typescript go java" {
		t.Errorf("grown: %s", got)
	}
	if data, err := json.Marshal(All()[0]); err != nil || !strings.HasPrefix(string(data), `{"name":"python","extensions":["py",`) {
		t.Errorf("%s, %v", data, err)
	}
}

// grammarCount is the highest number: the numbers have no gap.
func grammarCount(t *testing.T) int {
	t.Helper()
	most := 0
	for _, l := range All() {
		most = max(most, l.Grammar)
	}
	return most
}

func TestNames(t *testing.T) {
	for _, tt := range []struct{ what, got, want string }{
		{"extension", OfExtension("kts"), "kotlin"}, {"no extension", OfExtension(""), ""}, {"unknown extension", OfExtension("xyz"), ""},
		{"file", OfFile("makefile"), "make"}, {"interpreter", OfInterpreter("deno"), "typescript"},
		{"alias", Proper("golang"), "go"}, {"no alias", Proper("cobol"), "cobol"},
		{"called by name", Called("rust"), "rust"}, {"by alias", Called("c++"), "cpp"}, {"by ending", Called("rs"), "rust"},
		{"by interpreter", Called("nodejs"), "javascript"}, {"called so by nobody", Called("cobol85"), ""},
		{"family", Family("tsx"), "javascript"}, {"own family", Family("go"), "go"}, {"no family", Family("x"), "x"},
		{"parsed", Parsed("a/B.PYI"), "python"}, {"dialect", Parsed("a.pyx"), ""}, {"gem", Parsed("a.gemspec"), ""}, {"not parsed", Parsed("a.swift"), ""}, {"fish", Parsed("a.fish"), ""},
		{"variant", OfVariant("dockerfile.web"), "dockerfile"}, {"no variant", OfVariant("makefile.web"), ""},
		{"read", Read("a/Dockerfile.web"), "dockerfile"}, {"read as another", Read("Dockerfile.py"), "python"}, {"not read", Read("a.web"), ""},
		{"planted", Planted("a/b.ts"), "typescript"}, {"upper case", Planted("a/b.TS"), ""}, {"not planted", Planted("b.tsx"), ""},
		{"other ending", Planted("b.pyi"), ""}, {"no ending", Planted("go"), ""},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, tt.got, tt.want)
		}
	}
}

func TestSource(t *testing.T) {
	for name, want := range map[string]bool{"go": true, "sql": true, "dockerfile": true, "json": false, "markdown": false, "css": false,
		Unknown: false, "": false, "nothing": false} {
		if Source(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
