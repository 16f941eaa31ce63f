package sandbox

import (
	"testing"
	"time"
)

// TestSettled: only what another machine finds, too, is remembered of a program.
func TestSettled(t *testing.T) {
	limits := Limits{Steps: 100, Wall: time.Second}
	main := Program{Limits: limits}
	tests, cases := Program{Limits: limits, Tests: make([]Test, 2)}, Program{Limits: limits, Cases: make([]Case, 2)}
	results := func(v Verdict, steps int64) []TestResult {
		return []TestResult{{Verdict: Failed, Steps: 60}, {Verdict: v, Steps: steps}}
	}
	for _, c := range []struct {
		what string
		p    Program
		j    Judgement
		want bool
	}{
		{"passed", main, Judgement{Verdict: Passed}, true},
		{"memory", main, Judgement{Verdict: Memory}, true},
		{"a fault", main, Judgement{Verdict: InfraError}, false},
		{"no verdict", main, Judgement{Verdict: "splendid"}, false},
		{"steps", main, Judgement{Verdict: Timeout, Steps: 101}, true},
		{"steps, slowly", main, Judgement{Verdict: Timeout, Steps: 101, Wall: time.Second}, true},
		{"the clock", main, Judgement{Verdict: Timeout, Steps: 99, Wall: time.Second}, false},
		{"the clock of the tests", tests, Judgement{Verdict: Timeout, Steps: 50, Wall: time.Millisecond}, false},
		{"steps by default", Program{}, Judgement{Verdict: Timeout, Steps: defaultSteps}, true},
		{"less than by default", Program{}, Judgement{Verdict: Timeout, Steps: defaultSteps - 1}, false},
		{"steps of all tests", tests, Judgement{Verdict: Failed, Steps: 101, Results: results(Timeout, 41)}, true},
		{"the clock in a later test", tests, Judgement{Verdict: Failed, Steps: 99, Results: results(Timeout, 39)}, false},
		{"steps of a case", cases, Judgement{Verdict: Failed, Steps: 161, Results: results(Timeout, 101)}, true},
		{"the clock in a later case", cases, Judgement{Verdict: Failed, Steps: 110, Results: results(Timeout, 50)}, false},
		{"a fault in a later case", cases, Judgement{Verdict: Failed, Steps: 110, Results: results(InfraError, 50)}, false},
	} {
		if got := c.p.Settled(c.j); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestSettledForReal: what the sandbox says of time that ran out is read as it is meant.
func TestSettledForReal(t *testing.T) {
	e := open(t, Config{})
	endless := "while True: pass"
	for _, c := range []struct {
		what string
		p    Program
		want bool
	}{
		{"steps", Program{Code: endless, Limits: Limits{Steps: 50_000}}, true},
		{"steps of a test", Program{Code: "def f():\n    " + endless, Entry: "f", Tests: []Test{{Code: "f()"}},
			Limits: Limits{Steps: 50_000}}, true},
		{"steps of a case", Program{Code: endless, Cases: make([]Case, 1), Limits: Limits{Steps: 50_000}}, true},
		{"wall", Program{Code: endless, Limits: Limits{Steps: 1 << 40, Wall: 50 * time.Millisecond}}, false},
		{"C code", Program{Code: "3 ** (10 ** 9)", Limits: Limits{Wall: 100 * time.Millisecond}}, false},
	} {
		if j := judged(t, e, c.p); j.Verdict != Timeout || c.p.Settled(j) != c.want {
			t.Errorf("%s: %v, %+v", c.what, c.p.Settled(j), j)
		}
	}
}

// TestDigest: all that decides a judgement is in it, and nothing else.
func TestDigest(t *testing.T) {
	seen := map[string]int{}
	for i, p := range []Program{{}, {Code: "x"}, {Entry: "x"}, {Names: []string{"x"}}, {Setup: "x"}, {Judge: "x"},
		{Tests: []Test{{Name: "x"}}}, {Tests: []Test{{Code: "x"}}}, {Cases: []Case{{Stdin: "x"}}}, {Cases: []Case{{Stdout: "x"}}}, {Stdin: "x"},
		{KeepGoing: true}, {Limits: Limits{Steps: 1}}, {Limits: Limits{Wall: 1}}, {Limits: Limits{MemoryBytes: 1}}, {Limits: Limits{OutputBytes: 1}}} {
		if j, ok := seen[p.Digest()]; ok {
			t.Errorf("%d and %d are taken for one program", i, j)
		}
		seen[p.Digest()] = i
		live := p
		live.Live = true
		if live.Digest() != p.Digest() {
			t.Errorf("%d is another program when it is to run now", i)
		}
	}
}
