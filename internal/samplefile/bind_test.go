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
	form := samplefile.Form{Keys: []string{"text"}}
	files := fstest.MapFS{"weak_token.txtar": file("id: go/weak-token\ntext: x\n"), "sql_concat.txtar": file("id: go/sql-concat\ntext: y\n"),
		"doc.go": file("package x\n")}
	got, err := samplefile.Bind[func(int) int]("go", files, "id", form, checks{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Base != "sql_concat.txtar" || got[0].Header["text"] != "y" || got[0].Do(1) != 2 ||
		got[1].Base != "weak_token.txtar" || got[1].Do(1) != 3 {
		t.Errorf("%+v", got)
	}

	files["alone.txtar"], files["nobody.txtar"], files["weak_token.txtar"] = file("id: go/alone\ntext: x\n"),
		file("id: go/somebody\ntext: x\n"), file("id: go/weak-token\n")
	delete(files, "sql_concat.txtar")
	_, err = samplefile.Bind[func(int) int]("go", files, "id", form, others{})
	for _, want := range []string{
		`weak_token.txtar:1: key "text" has no value`,
		"nobody.txtar: id go/somebody, want go/nobody by the file's name",
		"nobody.txtar: no method has this name",
		"go: method Alone is no func(int) int",
		"go: method sqlconcat has no txtar file",
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
