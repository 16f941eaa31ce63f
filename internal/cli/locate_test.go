package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// What a hostile codebase has in its paths and names does not act on the terminal, and columns line up.
func TestLocatedText(t *testing.T) {
	r := locate.Ranking{
		Files: []locate.File{
			{Path: "a/\x1b[31mred\nname\u202e.py", Score: 12.345, Why: []locate.Signal{{Name: "words", Value: 9}, {Name: "history", Value: -1.5},
				{Name: "x", Value: 1}, {Name: "fourth", Value: 0.1}}},
			{Path: "b.py", Score: 1},
		},
		Functions: []locate.Function{{Path: "b.py", Name: "A.b\x07", Line: 3, EndLine: 9, Score: 0.5}},
	}
	text := (&app{stdout: new(bytes.Buffer), getenv: os.Getenv}).locatedText(r)
	lines := strings.Split(text, "\n")
	if strings.ContainsAny(text, "\x1b\x07\u202e") ||
		!strings.Contains(text, `a/\x1b[31mred name\u202e.py  12.35  words 9.00, history -1.50, x 1.00`) ||
		strings.Contains(text, "fourth") || strings.Index(lines[0], "score") != strings.Index(lines[3], "1.00") ||
		!strings.Contains(text, `A.b\x07   b.py:3  0.50`) {
		t.Errorf("%s", text)
	}
	text = (&app{stdout: new(bytes.Buffer), getenv: os.Getenv}).locatedText(locate.Ranking{})
	if !strings.Contains(text, "nothing in the codebase") {
		t.Errorf("%q", text)
	}
}

// Ctrl-C ends the command.
func TestLocateIsInterrupted(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"a.py": "x = 1\n"})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs bytes.Buffer
	a := &app{stdout: new(bytes.Buffer), stderr: &errs, getenv: func(name string) string {
		return map[string]string{envCache: filepath.Join(dir, "cache")}[name]
	}}
	defer a.close()
	_, err := a.locate(ctx, dir, "", "x", 1)
	if exitCode(err) != exitOutside {
		t.Errorf("exit code %d, %v", exitCode(err), err)
	}
}

func TestLocateTextIsBounded(t *testing.T) {
	for text, want := range map[string]string{"cart": "", strings.Repeat("x", maxLocateText): "",
		strings.Repeat("x", maxLocateText+1): "more than"} {
		cmd := (&app{}).locateCommand()
		cmd.SetIn(strings.NewReader(text))
		for _, arg := range []string{text, "-"} {
			got, err := locateText(cmd, arg)
			if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) || err == nil && got != text {
				t.Errorf("%.10q of %d bytes: %v", arg, len(text), err)
			}
		}
	}
}
