package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScorecard(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	// Two faulty cases of SQL injection and one of a weak hash, and one harmless case of each.
	cases := file("expected.csv", "# name, category, real, cwe\nA1,sqli,true,89\nA2,sqli,true,89\nA3,sqli,false,89\n"+
		"B1,hash,true,328\nB2,hash,false,328\n")
	for name, tc := range map[string]struct{ file, want string }{
		"deeprepo, places and a CWE of the kind": {file("report.json", `{"findings": [
			{"cwe": "CWE-89", "file": "src/A1.java", "places": [{"file": "src/A1.java"}, {"file": "src/A3.java"}]},
			{"cwe": "CWE-916", "file": "src/B1.java"}, {"cwe": "CWE-79", "file": "src/A2.java"}]}`), "| 2 | 1 | 0.667 | 0.667 | 0.167 |"},
		"bandit": {file("bandit.json", `{"results": [{"filename": "./A2.py", "issue_cwe": {"id": 89}}]}`), "| 1 | 0 | 0.333 | 1.000 | 0.333 |"},
		"semgrep": {file("semgrep.json", `{"results": [{"path": "x/B2.java", "extra": {"metadata": {"cwe": ["CWE-328: Weak Hash"]}}},
			{"path": "x/A1.java", "extra": {"metadata": {"cwe": "CWE-89: SQL Injection"}}}]}`), "| 1 | 1 | 0.333 | 0.500 | -0.167 |"},
		"spotbugs": {file("spotbugs.xml", `<BugCollection><BugInstance type="SQL_INJECTION_JDBC" cweid="89"><Class><SourceLine
			sourcepath="org/x/A2.java"/></Class></BugInstance><BugInstance type="DLS_DEAD_LOCAL_STORE"><Class><SourceLine
			sourcepath="org/x/A3.java"/></Class></BugInstance></BugCollection>`), "| 1 | 0 | 0.333 | 1.000 | 0.333 |"},
		"a scorecard": {file("card.csv", "# name\nA1, sqli, 89, true, true, pass\nA2, sqli, 89, true, false, fail\n"),
			"| 1 | 0 | 0.333 | 1.000 | 0.333 |"},
	} {
		var out strings.Builder
		if err := run([]string{cases, "tool=" + tc.file}, &out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !strings.Contains(out.String(), "| tool "+tc.want) {
			t.Errorf("%s: got %s, want %s", name, out.String(), tc.want)
		}
	}
	other := "tool=" + file("other.json", `{"a": 1}`)
	page := "tool=" + file("page.xml", `<html></html>`)
	for _, args := range [][]string{{cases}, {cases, "tool"}, {cases, other}, {cases, page}, {filepath.Join(dir, "none"), "a=b"}} {
		if err := run(args, &strings.Builder{}); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}
