package native_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

// data are the files that programs of TestFiles find.
func data() []sandbox.File {
	return []sandbox.File{
		{Name: "in.txt", Data: []byte("4 5\n")},
		{Name: "lib/add.h", Data: []byte("inline int add(int a, int b) { return a + b; }\n")},
		{Name: "lib/add.js", Data: []byte("exports.add = (a, b) => a + b;\n")},
		{Name: "add.rs", Data: []byte("pub fn add(a: i64, b: i64) -> i64 { a + b }\n")},
		{Name: "it's -n.sh", Data: []byte("add() { echo $(($1 + $2)); }\n")},
	}
}

// TestFiles gives programs files, to be compiled with and to be read, and fetches what they leave.
func TestFiles(t *testing.T) {
	for _, c := range []struct{ language, code string }{
		{"cpp", `#include <fstream>
#include "lib/add.h"
int main() { std::ifstream in("in.txt"); int a, b; in >> a >> b;
std::ofstream("lib/out") << add(a, b); std::ofstream("in.txt") << "new"; }`},
		{"javascript", `const fs = require("fs"), { add } = require("./lib/add.js");
const [a, b] = fs.readFileSync("in.txt", "utf8").split(" ").map(Number);
fs.writeFileSync("lib/out", String(add(a, b))); fs.writeFileSync("in.txt", "new");`},
		{"rust", `mod add; use std::fs;
fn main() { let t = fs::read_to_string("in.txt").unwrap();
let n: Vec<i64> = t.split_whitespace().map(|w| w.parse().unwrap()).collect();
fs::write("lib/out", add::add(n[0], n[1]).to_string()).unwrap(); fs::write("in.txt", "new").unwrap(); }`},
		{"shell", `. "./it's -n.sh"; read a b <in.txt; printf %s $(add $a $b) >lib/out; printf new >in.txt`},
	} {
		t.Run(c.language, func(t *testing.T) {
			p := speaking(t, c.language)
			q := sandbox.Program{Language: c.language, Code: c.code, Files: data(), Fetch: []string{"lib/out", "in.txt", "missing", "it's -n.sh"},
				CompileWall: time.Minute}
			j, err := p.Exec(t.Context(), q)
			if err != nil || j.Verdict != sandbox.Passed {
				t.Fatalf("%v %+v", err, j)
			}
			want := map[string][]byte{"lib/out": []byte("9"), "in.txt": []byte("new"), "it's -n.sh": data()[4].Data}
			if diff := cmp.Diff(want, j.Files); diff != "" {
				t.Error(diff)
			}
			q.Fetch = nil
			if j, err = p.Exec(t.Context(), q); err != nil || j.Verdict != sandbox.Passed || j.Files != nil {
				t.Errorf("without fetching: %v %+v", err, j)
			}
		})
	}
}

// TestHostileFiles has requests name files that they must not have, and programs make hostile ones.
func TestHostileFiles(t *testing.T) {
	p := speaking(t, "shell")
	run := func(code string, files []sandbox.File, fetch ...string) sandbox.Judgement {
		t.Helper()
		j, err := p.Exec(t.Context(), sandbox.Program{Language: "shell", Code: code, Files: files, Fetch: fetch,
			Limits: sandbox.Limits{Wall: 20 * time.Second}})
		if err != nil {
			t.Fatal(err)
		}
		return j
	}
	for _, name := range []string{"", ".", "..", "../x", "/etc/passwd", "a/../../x", "a//b", "./a", "a\x00b", "tree/x", "tree", "prepared",
		strings.Repeat("x", 1001)} {
		if j := run("exit 0", []sandbox.File{{Name: name}}); j.Verdict != sandbox.InfraError {
			t.Errorf("%.20q was given: %+v", name, j)
		}
		if j := run("exit 0", nil, name); j.Verdict != sandbox.InfraError {
			t.Errorf("%.20q was fetched: %+v", name, j)
		}
	}
	for _, names := range [][]string{{"a", "a/b"}, {"a/b", "a"}, {"a", "a"}, {"main.sh"}, slices.Repeat([]string{"x"}, 257)} {
		var files []sandbox.File
		for _, name := range names {
			files = append(files, sandbox.File{Name: name})
		}
		if j := run("exit 0", files); j.Verdict != sandbox.InfraError {
			t.Errorf("%.20q were given: %+v", names, j)
		}
	}
	if j := run("exit 0", []sandbox.File{{Name: "x", Data: make([]byte, 33<<20)}}); j.Verdict != sandbox.InfraError {
		t.Errorf("33 MiB were given: %s", j.Verdict)
	}
	for name, c := range map[string]struct {
		code    string
		verdict sandbox.Verdict
		files   map[string][]byte
	}{
		"a link":         {"ln -s /etc/hostname x", sandbox.Passed, map[string][]byte{}},
		"a link above":   {"ln -s /etc y", sandbox.Passed, map[string][]byte{}},
		"a folder, fifo": {"mkdir x; mkfifo y", sandbox.Passed, map[string][]byte{}},
		"too large":      {"printf %20000000s >x; echo 1 >y", sandbox.Passed, map[string][]byte{}},
		"its status":     {"printf 1 >x; exit 3", sandbox.Failed, map[string][]byte{"x": []byte("1")}},
		"a signal":       {"printf 1 >x; kill -SEGV $$", sandbox.Failed, map[string][]byte{"x": []byte("1")}},
		"no descriptor":  {"printf 1 >x; echo forged >&3", sandbox.Failed, map[string][]byte{"x": []byte("1")}},
		"who waits":      {"kill -9 $PPID; sleep 9", sandbox.Failed, map[string][]byte{}},
		"stdin, stdout":  {"cat; echo to stderr >&2; printf 1 >x", sandbox.Passed, map[string][]byte{"x": []byte("1")}},
	} {
		j := run(c.code, nil, "x", "y", "y/hostname")
		if diff := cmp.Diff(c.files, j.Files); diff != "" || j.Verdict != c.verdict {
			t.Errorf("%s: %s: %s %+v %s", name, diff, j.Verdict, j.Error, j.Stderr)
		}
		if name == "stdin, stdout" && j.Stderr != "to stderr\n" || name == "a signal" && (j.Error.Type != "Signal" || j.Stderr != "") {
			t.Errorf("%s: %+v, stderr %q", name, j.Error, j.Stderr)
		}
	}
}

// TestTests puts each test behind the program.
func TestTests(t *testing.T) {
	p := speaking(t, "javascript")
	q := sandbox.Program{Language: "javascript", Code: "const f = x => x + 1", Tests: []sandbox.Test{
		{Name: "right", Code: "if (f(1) !== 2) process.exit(1)"}, {Name: "wrong", Code: "if (f(1) !== 3) throw Error('no')"},
		{Name: "no program", Code: "if ("}, {Name: "right again", Code: ";"}}}
	verdicts := func() (all []sandbox.Verdict) {
		j, err := p.Exec(t.Context(), q)
		if err != nil || j.Verdict == sandbox.Passed || j.Backend != sandbox.Native {
			t.Errorf("%v: %+v", err, j)
		}
		for _, r := range j.Results {
			all = append(all, r.Verdict)
		}
		return all
	}
	if got := verdicts(); !slices.Equal(got, []sandbox.Verdict{sandbox.Passed, sandbox.Failed}) {
		t.Errorf("%v", got)
	}
	q.KeepGoing = true
	if got := verdicts(); !slices.Equal(got, []sandbox.Verdict{sandbox.Passed, sandbox.Failed, sandbox.SyntaxError, sandbox.Passed}) {
		t.Errorf("%v", got)
	}
	q.Tests = q.Tests[:1]
	if j, err := p.Exec(t.Context(), q); err != nil || j.Verdict != sandbox.Passed || len(j.Results) != 1 {
		t.Errorf("%v: %+v", err, j)
	}
	q.Entry = "f"
	if _, err := p.Exec(t.Context(), q); err == nil {
		t.Error("an entry point was taken")
	}
}
