package runcode

import (
	"encoding/base64"
	"errors"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		`{"compile_timeout":10,"run_timeout":10,"code":"print(1)","stdin":"","memory_limit_MB":1024,"language":"python","files":{},"fetch_files":[]}`,
		`{"code":"print(open('a/b.txt').read())","language":"python","files":{"a/b.txt":"aGk=","none":null},"fetch_files":["out.csv","./a//b.txt"]}`,
		`{"code":"def f(): return 1","language":"python","entry":"f","tests":["assert f() == 1",{"name":"t","code":"f()"}],"setup":"import re","keep_going":true}`,
		`{"code":"print(input())","language":"python","cases":[{"stdin":"1\n","stdout":"1\n"}],"run_timeout":1e-9,"memory_limit_MB":-1}`,
		`{"code":"x","language":"python","memory_limit_MB":1e-9,"run_timeout":1e9,"compile_timeout":-1e9}`,
		`{"code":"x","language":"python","memory_limit_MB":"1","run_timeout":1e999}`,
		`{"code":"x","language":"pytest","args":["-k"],"run_timeout":-1e300}`,
		`{"code":"x","language":"python","files":{"../../etc/passwd":"","/abs":"","a\u0000b":""}}`,
		`{"programs":[{"code":"x","language":"python"}]}`, `null`, `[[`, ``,
	} {
		f.Add([]byte(seed), seed)
	}
	c := Config{Executor: idle{}}.withDefaults()
	f.Fuzz(func(t *testing.T, raw []byte, stderr string) {
		if programs, err := parseBatch(raw, 8); err == nil && len(programs) > 8 {
			t.Fatalf("a batch of %d", len(programs))
		}
		q, err := parseRequest(raw, false)
		if err != nil {
			var known *wrong
			if !errors.As(err, &known) || known.text == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		p, fetched := q.program(c, "")
		l := p.Limits
		if l.Steps <= 0 || l.Wall <= 0 || l.Wall > 2*c.RunTime || l.MemoryBytes <= 0 || l.MemoryBytes > c.MemoryBytes ||
			l.OutputBytes < c.OutputBytes {
			t.Fatalf("%+v", l)
		}
		for _, x := range q.files {
			if path.IsAbs(x.name) || x.name != path.Clean(x.name) || strings.HasPrefix(x.name, "..") && (x.name == ".." || x.name[2] == '/') {
				t.Fatalf("%q is outside", x.name)
			}
		}
		if fetched != nil {
			fetched.take(fetched.mark + "0:" + fetched.mark + stderr + fetched.mark + "9999999999999999999:" + fetched.mark)
			files, rest := fetched.take(stderr)
			if rest != stderr {
				t.Fatalf("%q became %q", stderr, rest)
			}
			for name, data := range files {
				if _, err := base64.StdEncoding.DecodeString(data); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		}
		a := q.answer(c, p, fetched, sandbox.Judgement{Verdict: sandbox.Failed, Stderr: stderr})
		if data, err := jsonfile.Line(a); err != nil || !utf8.Valid(data) {
			t.Fatalf("%v in %q", err, data)
		}
	})
}

type idle struct{ Executor }

func TestTake(t *testing.T) {
	f := &fetcher{mark: "M", names: []string{"a", "b", "c"}, given: map[string][]byte{"b": []byte("given"), "x": nil}}
	files, rest := f.take("oneM0:AAAAMM0:BBBBMtwoM7:zzMM-1:zzMMx:zzMthreeM2:cut off")
	if rest != "onetwothree" || len(files) != 2 || files["a"] != "BBBB" || files["b"] != "Z2l2ZW4=" {
		t.Errorf("%v, %q", files, rest)
	}
}

func TestCrowdedRequests(t *testing.T) {
	raw := []byte(`{"programs":[` + strings.Repeat("{},", maxValues) + `{}]}`)
	if _, err := parseBatch(raw, 8); err == nil || !strings.Contains(err.Error(), "more than 2000000 values") {
		t.Error(err)
	}
	raw = []byte(`{"code":"x","language":"python","tests":[` + strings.Repeat("{},", maxValues) + `{}]}`)
	if _, err := parseRequest(raw, false); err == nil || !strings.Contains(err.Error(), "more than 2000000 values") {
		t.Error(err)
	}
}
