package sandbox

import (
	"strings"
	"time"
)

// compare judges what a program without tests did with a case's input: an exit with 0 is an end like any other here,
// and the output decides, token by token.
func compare(c Case, j Judgement) Judgement {
	if j.Error != nil && j.Error.Type == "SystemExit" && j.ExitCode == 0 {
		j.Verdict, j.Error = Passed, nil
	}
	if j.Verdict == Passed {
		if why := differs(c.Stdout, j.Stdout, j.StdoutBytes); why != "" {
			j.Verdict, j.Error = Failed, &PyError{Type: "WrongAnswer", Message: why}
		}
	}
	return j
}

// RunTests judges a program in another language than Python by its tests: run runs it with each of them behind it.
func (p Program) RunTests(run func(Program) (Judgement, error)) (Judgement, error) {
	if strings.TrimSpace(p.Code) == "" {
		return Judgement{Verdict: Empty}, nil
	}
	j := Judgement{Verdict: Passed}
	var wall time.Duration
	for _, t := range p.Tests {
		one := p
		one.Tests, one.Code = nil, p.Code+"\n"+t.Code
		got, err := run(one)
		if err != nil {
			return got, err
		}
		wall += got.Wall
		results := append(j.Results, TestResult{Verdict: got.Verdict, Error: got.Error})
		if j.Verdict == Passed {
			j = got
		}
		j.Results, j.Wall = results, wall
		if got.Verdict != Passed && !p.KeepGoing || got.Verdict == InfraError {
			break
		}
	}
	return j, nil
}

// RunCases judges a program by its cases: run runs it once with each, and keeps so much of its output.
func (p Program) RunCases(run func(c Case, output int) (Judgement, error)) (Judgement, error) {
	j := Judgement{Verdict: Passed}
	var steps int64
	var wall time.Duration
	for _, c := range p.Cases {
		one, err := run(c, max(p.Limits.OutputBytes, len(c.Stdout)+64<<10))
		if err != nil {
			return one, err
		}
		one = compare(c, one)
		steps += one.Steps
		wall += one.Wall
		results := append(j.Results, TestResult{Verdict: one.Verdict, Error: one.Error, Steps: one.Steps})
		if j.Verdict == Passed {
			j = one
		}
		j.Results, j.Steps, j.Wall = results, steps, wall
		if one.Verdict != Passed && !p.KeepGoing || one.Verdict == InfraError || one.Verdict == SyntaxError {
			break
		}
	}
	limit := p.Limits.OutputBytes
	j.Stdout, j.Stderr = text(j.Stdout, limit), text(j.Stderr, limit)
	return j, nil
}
