package cli

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// TestABegunSandboxJudges has what began beside something else be what judges, and be closed with the program.
func TestABegunSandboxJudges(t *testing.T) {
	cache := cacheDir(t)
	a := &app{getenv: func(name string) string { return map[string]string{"DEEPREPO_CACHE": cache}[name] }}
	say := func(string) {}
	begun := a.programs(say, 1)
	begun.begin(t.Context())
	judge := a.programs(say, 1)
	if judge != begun || a.programs(say, 2) == begun {
		t.Error("who asks for as many workers must have what was begun, and nobody else")
	}
	p := sandbox.Program{Code: "def f(x):\n    return x + 1\n", Entry: "f", Tests: []sandbox.Test{{Name: "f", Code: "assert f(1) == 2"}}}
	if j, err := judge.Exec(t.Context(), p); err != nil || j.Verdict != sandbox.Passed {
		t.Errorf("%+v, %v", j, err)
	}
	a.close()
	if _, err := begun.Exec(context.Background(), p); err == nil {
		t.Error("the program has ended, and its sandbox still judges")
	}
}

// TestWhatBeganIsWaitedFor ends the program while its sandbox starts: nothing may be left running.
func TestWhatBeganIsWaitedFor(t *testing.T) {
	cache := cacheDir(t)
	a := &app{getenv: func(name string) string { return map[string]string{"DEEPREPO_CACHE": cache}[name] }}
	begun := a.programs(func(string) {}, 1)
	begun.begin(t.Context())
	a.close()
	_, err := begun.engine(context.Background())
	if err == nil { // it had started, and was closed
		_, err = begun.Exec(context.Background(), sandbox.Program{Code: "x = 1\n"})
	}
	if err == nil || strings.Contains(err.Error(), "panic") {
		t.Errorf("after the program's end: %v", err)
	}
	if len(a.closers) > 0 {
		t.Error("something was opened after the end, and nobody closes it")
	}
}
