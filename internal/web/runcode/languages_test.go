package runcode_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
	"github.com/google/go-cmp/cmp"
)

// TestLanguages passes on what Executor takes, tells the rest why not, and says what became of a compiler.
func TestLanguages(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e, Languages: []string{"cpp", "shell"}, Proper: func(word string) string {
		return map[string]string{"cpp": "cpp", "c++": "cpp", "bash": "shell", "rust": "rust"}[word]
	}})
	in := func(language, code string, more ...any) program {
		p := program{"code": code, "language": language}
		for i := 0; i < len(more); i += 2 {
			p[more[i].(string)] = more[i+1]
		}
		return p
	}
	_, r := runCode(t, base, in("c++", "print 6", "run_timeout", 3, "compile_timeout", 7))
	if r.Status != "Success" || r.RunResult.Stdout != "6" || e.last.Language != "cpp" || e.last.CompileWall != 7*time.Second ||
		e.last.Limits.Wall != 3*time.Second || e.last.Limits.Steps != 0 {
		t.Errorf("%+v, it got %+v", r, e.last)
	}
	_, r = runCode(t, base, in("python", "print 6"))
	if r.Status != "Success" || e.last.Language != "" || e.last.CompileWall != 0 || e.last.Limits.Steps == 0 {
		t.Errorf("%+v, it got %+v", r, e.last)
	}
	for _, c := range []struct {
		q     program
		words string
	}{
		{in("rust", "print 1"), `language "rust" is not served here, only python, cpp, shell are`},
		{in("cobol", "print 1"), `language "cobol" is not served here`},
		{in("", "print 1"), `language "" is not served here`},
		{in("cpp", "print 1", "tests", []string{"assert f()"}, "entry", "f"), "entry, names and judge are for programs in python"},
		{in("cpp", "print 1", "setup", "x"), "setup, entry, names and judge are for programs in python"},
	} {
		if _, r := runCode(t, base, c.q); r.Status != "SandboxError" || !strings.Contains(r.Message, c.words) || r.Verdict != "infra_error" {
			t.Errorf("%v: %+v", c.q, r)
		}
	}
	_, r = runCode(t, base, in("cpp", `judge {"Verdict": "passed", "Files": {"out/x": "QUJD"}}`, "files",
		program{"b/./c": "QUJD", "a": "", "gone": nil}, "fetch_files", []string{"out//x", "y"}))
	wanted := []sandbox.File{{Name: "a", Data: []byte{}}, {Name: "b/c", Data: []byte("ABC")}}
	if diff := cmp.Diff(wanted, e.last.Files); diff != "" || !slices.Equal(e.last.Fetch, []string{"out/x", "y"}) || e.last.Setup != "" ||
		len(r.Files) != 1 || r.Files["out/x"] != "QUJD" {
		t.Errorf("%s: %+v, it got %+v", diff, r.Files, e.last)
	}
	_, r = runCode(t, base, in("cpp", `judge {"Verdict": "failed", "Results": [{"Verdict": "passed"}, {"Verdict": "failed"}]}`, "tests",
		[]any{"int main() {}", program{"name": "second", "code": "int main() { return 1; }"}}))
	if len(e.last.Tests) != 2 || e.last.Tests[1].Name != "second" || len(r.Results) != 2 || r.Results[1].Name != "second" ||
		r.Status != "Failed" {
		t.Errorf("%+v, it got %+v", r, e.last.Tests)
	}
	for _, files := range []program{{"../x": ""}, {"/etc/passwd": ""}, {"": ""}, {"a\x00b": ""}} {
		if status, r := runCode(t, base, in("cpp", "print 1", "files", files)); status != http.StatusUnprocessableEntity {
			t.Errorf("%v: %d %+v", files, status, r)
		}
	}
	type result struct {
		Status  string
		Compile *struct {
			Status string
			Code   *int `json:"return_code"`
			Stderr string
		} `json:"compile_result"`
		Run *struct {
			Status string
			Code   *int `json:"return_code"`
		} `json:"run_result"`
	}
	for _, c := range []struct {
		judgement             string
		status, compiled, run string
		code                  int // of the compiler, -1 for none
	}{
		{`{"Verdict": "passed", "Compilation": {"Output": "warning", "ExitCode": 0}}`, "Success", "Finished", "Finished", 0},
		{`{"Verdict": "failed", "ExitCode": 3, "Compilation": {"ExitCode": 0}}`, "Failed", "Finished", "Finished", 0},
		{`{"Verdict": "syntax_error", "ExitCode": 1, "Compilation": {"Output": "main.cpp:1: error", "ExitCode": 1}}`, "Failed", "Finished", "", 1},
		{`{"Verdict": "timeout", "ExitCode": 1, "Compilation": {"ExitCode": -1, "Late": true}}`, "Failed", "TimeLimitExceeded", "", -1},
		{`{"Verdict": "memory", "ExitCode": 1, "Compilation": {"ExitCode": -1}}`, "Failed", "Finished", "", 255},
		{`{"Verdict": "timeout", "ExitCode": -1, "Compilation": {"ExitCode": 0}}`, "Failed", "Finished", "TimeLimitExceeded", 0},
	} {
		_, data := post(t, base+"/run_code", in("cpp", "judge "+c.judgement))
		var r result
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		if r.Status != c.status || r.Compile == nil || r.Compile.Status != c.compiled || (r.Compile.Code == nil) != (c.code < 0) ||
			c.code >= 0 && *r.Compile.Code != c.code || (r.Run == nil) != (c.run == "") || r.Run != nil && r.Run.Status != c.run {
			t.Errorf("%s: %s", c.judgement, data)
		}
	}
	response, err := http.Get(base + "/about")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var about struct{ Languages []string }
	if err := json.NewDecoder(response.Body).Decode(&about); err != nil || !slices.Equal(about.Languages, []string{"python", "cpp", "shell"}) {
		t.Errorf("%v %v", about, err)
	}
}
