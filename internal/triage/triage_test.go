package triage

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

type texts map[string]string

func (t texts) Text(path string) (string, bool) { s, ok := t[path]; return s, ok }

var day = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// review has a finding for each file:line, all of one text.
func review(t *testing.T, code texts, at ...string) []finding.Finding {
	t.Helper()
	var fs []finding.Finding
	for _, place := range at {
		file, rest, _ := strings.Cut(place, ":")
		line := int(rest[0] - '0')
		quoted, ok := finding.Quote(code[file], line, line)
		if !ok {
			t.Fatalf("no %s", place)
		}
		fs = append(fs, finding.Finding{File: file, Line: line, EndLine: line, Category: "weak-crypto", Severity: "medium", Title: "MD5",
			Rule: "python/md5", Evidence: quoted, Grounded: true, Sources: []string{"rules"}})
	}
	return finding.Merge(fs)
}

func decided(state, until string) runfile.Triage {
	return runfile.Triage{State: state, Reason: "because", By: "ann", At: day, Until: until}
}

func again(t *testing.T, f File) File {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b); err != nil {
		t.Fatal(err)
	}
	read, err := Parse(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func TestADecisionHolds(t *testing.T) {
	before := texts{"a.py": "one\nhash = md5(name)\n"}
	for name, tt := range map[string]struct {
		state, until string
		after        texts
		at           string
		left         bool
		state2       string
	}{
		"accepted":                     {Accepted, "", before, "a.py:2", true, ""},
		"no defect":                    {FalsePositive, "", before, "a.py:2", true, ""},
		"stays":                        {WontFix, "", before, "a.py:2", true, ""},
		"until today":                  {Accepted, "2026-11-23", before, "a.py:2", true, ""},
		"until yesterday":              {Accepted, "2026-11-22", before, "a.py:2", false, Accepted},
		"fixed, and there again":       {Fixed, "", before, "a.py:2", false, Fixed},
		"opened again":                 {Open, "", before, "a.py:2", false, Open},
		"the line moved":               {Accepted, "", texts{"a.py": "\n\n\n\n\n\nhash = md5(name)"}, "a.py:7", true, ""},
		"the code was formatted":       {Accepted, "", texts{"a.py": "hash  =  md5( name )"}, "a.py:1", true, ""},
		"the file was renamed":         {Accepted, "", texts{"lib/b.py": "hash = md5(name)"}, "lib/b.py:1", true, ""},
		"the code is another":          {Accepted, "", texts{"a.py": "one\nhash = md5(password)\n"}, "a.py:2", false, ""},
		"the same code in another one": {Accepted, "", texts{"a.py": "one\nhash = md5(name)\n", "b.py": "hash = md5(name)"}, "b.py:1", true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := File{}
			was := review(t, before, "a.py:2")
			f.Decide(was, was, decided(tt.state, tt.until))
			f = again(t, f)
			kept, left := f.Apply(tt.after, review(t, tt.after, tt.at), day)
			if len(left)+len(kept) != 1 || (len(left) == 1) != tt.left {
				t.Fatalf("kept %v, left out %v", kept, left)
			}
			if tt.left {
				if one := left[0]; one.By != "triage" || one.Reason != "because" || one.Triage == nil || one.Triage.By != "ann" {
					t.Errorf("%+v", one)
				}
				return
			}
			state := ""
			if kept[0].Triage != nil {
				state = kept[0].Triage.State
			}
			if state != tt.state2 {
				t.Errorf("kept with state %q", state)
			}
		})
	}
}

// TestPlacesStandForThemselves: a decision about a finding of two places says nothing of a third, and what is left of the
// finding quotes the code of its own place.
func TestPlacesStandForThemselves(t *testing.T) {
	code := texts{"a.py": "hash = md5(name)\nkey = md5(word)\nsum = md5(text)\n"}
	f := File{}
	two := finding.Group(review(t, code, "a.py:1", "a.py:2"))
	if f.Decide(two, two, decided(Accepted, "")); len(two) != 1 || len(f.Decisions) != 2 {
		t.Fatalf("%+v: %+v", two, f)
	}
	three := finding.Group(review(t, code, "a.py:1", "a.py:2", "a.py:3"))
	kept, left := f.Apply(code, three, day)
	if len(three) != 1 || len(left) != 2 || len(kept) != 1 {
		t.Fatalf("kept %v, left out %v of %v", kept, left, three)
	}
	if k := kept[0]; k.Line != 3 || k.Evidence != "sum = md5(text)" || k.Places != nil || k.ID != finding.Apart(three)[2].ID {
		t.Errorf("%+v", k)
	}
	if left[1].Line != 2 || left[1].Evidence != "key = md5(word)" {
		t.Errorf("%+v", left[1])
	}
	f = File{}
	f.Decide(three, review(t, code, "a.py:1"), decided(Accepted, ""))
	kept, left = f.Apply(code, three, day)
	if len(kept) != 1 || len(left) != 1 || kept[0].Line != 2 || len(kept[0].Places) != 2 || kept[0].Places[0].Line != 2 {
		t.Errorf("kept %+v, left out %v", kept, left)
	}
}

// TestADecisionIsReplaced: the last word counts, and the file holds one decision for a place.
func TestADecisionIsReplaced(t *testing.T) {
	code := texts{"a.py": "hash = md5(name)\n\nx\ny\nz\nhash = md5(name)\n"}
	fs := review(t, code, "a.py:1", "a.py:6")
	f := File{}
	f.Decide(fs, fs[:1], decided(Accepted, ""))
	f.Decide(fs, fs[1:], decided(FalsePositive, ""))
	f.Decide(fs, fs[:1], decided(Open, ""))
	f = again(t, f)
	if len(f.Decisions) != 2 {
		t.Fatalf("%+v", f.Decisions)
	}
	of := f.Of(fs)
	if of[0].State != Open || of[1].State != FalsePositive {
		t.Errorf("%v, %v", of[0], of[1])
	}
	if of := f.Of(review(t, code, "a.py:6")); of[0].State != FalsePositive {
		t.Errorf("of equal code the nearest line counts: %v", of[0])
	}
}

func TestParseRefuses(t *testing.T) {
	for in, want := range map[string]string{
		`{`:            "not JSON",
		`[]`:           "should be",
		`{"schema":2}`: "its schema is 2",
		`{"schema":1,"decisions":[{"fingerprint":"x","state":"open"}]}`:                                              "no fingerprint",
		`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"gone"}]}`:                               `a state is one of open, accepted`,
		`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"open","until":"31.12."}]}`:              "until is a day",
		`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"open","until":"2026-13-01"}]}`:          "until is a day",
		`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"open","at":"yesterday"}]}`:              "not JSON",
		`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"open"},{"fingerprint":"\u001b"}` + `]}`: "decision 2",
	} {
		if _, err := Parse([]byte(in)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
	if _, err := Parse(make([]byte, MaxBytes+1)); err == nil {
		t.Error("a file of any size")
	}
	if f, err := Parse(nil); err != nil || len(f.Decisions) != 0 {
		t.Errorf("%v, %v", f, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"schema":1,"decisions":[{"fingerprint":"0123456789abcdef","state":"accepted","reason":"r","by":"b",` +
		`"at":"2026-11-23T00:00:00Z","until":"2026-12-31","file":"a.py","line":-3,"category":"md5","title":"t"}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		read, err := Parse(in)
		if err != nil {
			return
		}
		if again := again(t, read); len(again.Decisions) != len(read.Decisions) {
			t.Fatal(cmp.Diff(read, again))
		}
		code := texts{"a.py": "hash = md5(name)\n"}
		fs := review(t, code, "a.py:1")
		if kept, left := read.Apply(code, fs, day); len(kept)+len(left) != 1 {
			t.Fatalf("%v, %v", kept, left)
		}
	})
}
