package gotree_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

func TestResults(t *testing.T) {
	p := runtest.Parser(t)
	for head, want := range map[string]string{
		"f()":                         "",
		"f() *a.B":                    "*a.B",
		"f() (int, error)":            "int|error",
		"f() (a, b []int, err error)": "[]int|[]int|error",
	} {
		tree, err := p.Parse(t.Context(), "go", []byte("package a\n\nfunc "+head+" { panic(1) }\n"))
		if err != nil {
			t.Fatal(err)
		}
		for fn := range tree.Root().Find("function_declaration") {
			if got := strings.Join(gotree.Results(fn), "|"); got != want {
				t.Errorf("%s: %q, want %q", head, got, want)
			}
		}
	}
}

func TestDeclared(t *testing.T) {
	p := runtest.Parser(t)
	tree, err := p.Parse(t.Context(), "go", []byte("package a\n\nfunc f(a, b int, _ string, rest ...byte) {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for list := range tree.Root().Find("parameter_list") {
		var got []string
		for name, d := range gotree.Declared(list) {
			if got = append(got, name.Text()+" "+d.ChildByField("type").Text()); name.Text() == "rest" {
				break
			}
		}
		if want := "a int|b int|_ string|rest byte"; strings.Join(got, "|") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"fmt": "fmt", "net/http": "http", "example.com/cache/v2": "cache", "gopkg.in/yaml.v3": "yaml", "example.com/go-redis": "redis", "v2": "v2", "": "",
	} {
		if got := gotree.PackageName(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

func TestHasName(t *testing.T) {
	for text, want := range map[string]bool{
		"mu": true, "s.mu.Lock()": true, "(mu)": true, "": false, "mux": false, "emu mu_ mu2": false, "emu mu": true, "éмmu": false, "mué": false,
		"“mu”": true, "mu…": true,
	} {
		if got := gotree.HasName(text, "mu"); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}
