package samplefile_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/samplefile"
	"github.com/google/go-cmp/cmp"
)

func form() samplefile.Form {
	return samplefile.Form{Keys: []string{"id", "text"}, Optional: []string{"cwe"}, Kinds: []string{"bad", "good"}}
}

func TestParse(t *testing.T) {
	const text = `id: go/x
text:
  first: second,
  third
cwe:

-- bad/1.go --
package a
-- bad/2/app/a_test.go --
package a

-- bad/2/app/b.go --
-- good/1.go --
x`
	got, err := samplefile.Parse("x.txtar", []byte(text), form())
	if err != nil {
		t.Fatal(err)
	}
	want := samplefile.File{
		Header: map[string]string{"id": "go/x", "text": "first: second, third", "cwe": ""},
		Samples: []samplefile.Sample{
			{Kind: "bad", Number: 1, Text: "package a\n"},
			{Kind: "bad", Number: 2, Path: "app/a_test.go", Text: "package a\n\n"},
			{Kind: "bad", Number: 2, Path: "app/b.go"},
			{Kind: "good", Number: 1, Text: "x\n"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Samples[3:], got.Of("good")); diff != "" {
		t.Errorf("Of(good) (-want +got):\n%s", diff)
	}
	if len(got.Samples) != 4 {
		t.Error("Of changed the file")
	}
}

func TestParseErrors(t *testing.T) {
	const head = "id: a\ntext: b\n"
	for name, tc := range map[string]struct{ text, want string }{
		"nothing":             {"", `x.txtar:1: key "id" has no value`},
		"no value":            {"id: a\ntext:\n", `x.txtar:1: key "text" has no value`},
		"unknown key":         {head + "sverity: high\n", `x.txtar:3: unknown key "sverity"`},
		"key twice":           {head + "\nid: b\n", `x.txtar:4: key "id" stands here a second time`},
		"no key":              {"  b\nid: a\n", `x.txtar:1: text without a key: "  b"`},
		"goes on after a gap": {head + "\n  c\n", `x.txtar:4: text without a key: "  c"`},
		"one space":           {head + " c\n", `x.txtar:3: want "key: value"`},
		"no space":            {"id:a\n", `x.txtar:1: want "key: value"`},
		"unknown kind":        {head + "-- worse/1.go --\n", `x.txtar:3: sample "worse/1.go": unknown kind "worse"`},
		"line of a sample":    {head + "-- bad/1.go --\na\nb\n-- bad/x.go --\n", `x.txtar:6: sample "bad/x.go": want a name like bad/1.go`},
		"no number":           {head + "-- bad --\n", `x.txtar:3: sample "bad": want a name like bad/1.go`},
		"zero":                {head + "-- bad/0.go --\n", `want a name like bad/1.go`},
		"leading zero":        {head + "-- bad/01.go --\n", `want a name like bad/1.go`},
		"way out":             {head + "-- bad/1/../a.go --\n", `want a name like bad/1.go`},
		"number twice":        {head + "-- bad/1.go --\n-- bad/1.py --\n", `x.txtar:4: sample "bad/1.py": number 1 stands here a second time`},
		"with and without":    {head + "-- bad/1.go --\n-- bad/1/a.py --\n", `number 1 stands here a second time`},
		"path twice":          {head + "-- bad/1/a.py --\n-- bad/1/a.py --\n", `number 1 stands here a second time`},
		"backwards":           {head + "-- bad/2.go --\n-- good/1.go --\n-- bad/1.go --\n", `stands after number 2`},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := samplefile.Parse("x.txtar", []byte(tc.text), form()); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add("id: a\ntext: b\n  c\n-- bad/1.go --\npackage a\n-- good/2/a/b.go --\n")
	f.Add("id: a\r\ntext: b\r\n-- bad/1 --\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := samplefile.Parse("x.txtar", []byte(text), form())
		if err != nil {
			if !strings.HasPrefix(err.Error(), "x.txtar:") {
				t.Errorf("error %q does not begin with the file", err)
			}
			return
		}
		for _, s := range got.Samples {
			if !slices.Contains(form().Kinds, s.Kind) || s.Number < 1 || s.Path != "" && !fs.ValidPath(s.Path) {
				t.Errorf("sample %+v", s)
			}
			if s.Text != "" && !strings.HasSuffix(s.Text, "\n") {
				t.Errorf("text %q ends without a newline", s.Text)
			}
		}
		for k, v := range got.Header {
			if strings.TrimSpace(v) != v || strings.Contains(v, "\n") {
				t.Errorf("value of %s: %q", k, v)
			}
		}
		if len(got.Of("bad"))+len(got.Of("good")) != len(got.Samples) {
			t.Error("samples are lost")
		}
	})
}
