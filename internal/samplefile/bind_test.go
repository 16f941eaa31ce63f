package samplefile_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deeprepo/deeprepo/internal/samplefile"
)

type checks struct{}

func (checks) SQLConcat(n int) int { return n + 1 }
func (checks) WeakToken(n int) int { return n + 2 }

type others struct{ checks }

func (others) Alone() {}

func TestBind(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	files := fstest.MapFS{"weak_token.txtar": file("id: b\ntext: x\n"), "sql_concat.txtar": file("id: a\ntext: x\n"), "doc.go": file("package x\n")}
	got, err := samplefile.Bind[func(int) int](files, form(), checks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Name != "sql_concat" || got[0].Header["id"] != "a" || got[0].Do(1) != 2 || got[1].Name != "weak_token" || got[1].Do(1) != 3 {
		t.Errorf("%+v", got)
	}

	files["alone.txtar"], files["nobody.txtar"], files["weak_token.txtar"] = file("id: c\ntext: x\n"), file("id: d\ntext: x\n"), file("id: b\n")
	_, err = samplefile.Bind[func(int) int](files, form(), others{})
	delete(files, "sql_concat.txtar")
	_, lost := samplefile.Bind[func(int) int](files, form(), others{})
	for want, err := range map[string]error{
		`weak_token.txtar:1: key "text" has no value`:                                       err,
		"nobody.txtar: samplefile_test.others has no method of that name":                   err,
		"alone.txtar: method Alone is a func(samplefile_test.others), want a func(int) int": err,
		"method SQLConcat of samplefile_test.others has no file":                            lost,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
