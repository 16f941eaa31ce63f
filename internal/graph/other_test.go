package graph

import "testing"

func TestLanguagesWithoutAGraphGrammarStayOut(t *testing.T) {
	g := build(t, map[string]string{"a.py": "def f(): pass\n", "a.cpp": "int f() { return g(); }\n", "a.cs": "class A { void F() {} }\n",
		"a.rs": "fn f() {}\n", "a.kt": "fun f() {}\n", "a.sh": "f() { g; }\n"})
	if len(g.files) != 1 || g.files[0].path != "a.py" || len(g.Unparsed) != 0 {
		t.Errorf("files %v, unparsed %v", g.files, g.Unparsed)
	}
}
