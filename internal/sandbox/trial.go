package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// trial is one program in a worker: the judge's interpreter, the suspect's, and what each has done.
type trial struct {
	w       *worker
	q       trialRequest
	p       Program
	judge   *instance
	suspect *instance
	marks   []mark // where the suspect was when each test began, and at the end
	lost    error  // why the suspect's interpreter can serve no more calls
	once    sync.Once
	send    func(o trialOutcome, j Judgement)
}

// try runs a program and answers, once.
func (w *worker) try(f frame) {
	w.enter()
	defer w.leave()
	t := &trial{w: w}
	t.send = func(o trialOutcome, j Judgement) {
		t.once.Do(func() {
			o.Nonce = t.q.Nonce
			meta, err1 := json.Marshal(o)
			blob, err2 := json.Marshal(j)
			if err := errors.Join(err1, err2); err != nil {
				meta, blob = nil, nil // which the engine takes for a worker that failed
			}
			w.send(frame{kind: kindTried, session: f.session, meta: meta, blob: blob})
		})
	}
	if err := errors.Join(json.Unmarshal(f.meta, &t.q), json.Unmarshal(f.blob, &t.p)); err != nil {
		t.send(trialOutcome{}, Infra(err))
		return
	}
	j := t.run()
	t.send(trialOutcome{}, j)
	t.close() // while the engine reads the answer
}

func (t *trial) close() {
	t.w.recycle(t.q.Judge, t.judge)
	t.w.recycle(t.q.Suspect, t.suspect)
	t.judge, t.suspect = nil, nil
}

func (t *trial) run() Judgement {
	switch {
	case len(t.p.Cases) > 0:
		return t.runCases()
	case len(t.p.Tests) > 0:
		return t.runTests()
	}
	return t.runMain(t.p.Stdin, t.p.Limits.OutputBytes)
}

// start makes the suspect's interpreter and starts its clock.
func (t *trial) start(stdin string, output int) error {
	g, err := t.w.fresh(t.q.Suspect, t.p.Limits.MemoryBytes)
	if err != nil {
		return err
	}
	t.suspect = g
	g.input, g.outCap, g.aside = []byte(stdin), output, &aside{}
	g.meter.start(runRequest{Steps: t.p.Limits.Steps, Wall: t.p.Limits.Wall})
	g.meter.pause()
	g.overdue = func() {
		t.send(trialOutcome{Stuck: true}, Judgement{Verdict: Timeout, Error: stuckError(t.p.Limits.Wall), Wall: t.p.Limits.Wall, ExitCode: 1})
	}
	g.host = func(name string, payload []byte) ([]byte, error) {
		if name != "judge" || t.judge == nil || t.judge.depth == 0 {
			return nil, fmt.Errorf("there is no host function %q", text(name, 200))
		}
		return t.judge.transact('s', payload)
	}
	return nil
}

// finish fills in what is known of the suspect.
func (t *trial) finish(j Judgement) Judgement {
	g := t.suspect
	if g == nil {
		return j
	}
	j.Stdout, j.StdoutBytes = text(string(g.out), len(g.out)), g.total
	j.Stderr, j.StderrBytes = text(string(g.aside.out), len(g.aside.out)), g.aside.total
	j.Steps, j.Wall, j.MemoryBytes = g.meter.steps, g.meter.elapsed(), int64(g.mod.Memory().Size())
	if j.Verdict != Passed && j.ExitCode == 0 && (j.Error == nil || j.Error.Type != "SystemExit") {
		j.ExitCode = 1
	}
	return j
}

// load enters the suspect with its program; a judgement without a verdict means that all is well so far.
func (t *trial) load(q harness.Load) (Judgement, json.RawMessage) {
	if q.Names == nil {
		q.Names = []string{}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return Infra(err), nil
	}
	stop := t.suspect.clockwatch()
	defer stop()
	reply, err := t.suspect.transact('h', body)
	if j, stopped := t.stopped(err); stopped {
		return j, nil
	}
	var l Loaded
	if err := json.Unmarshal(reply, &l); err != nil {
		return Judgement{Verdict: Failed, Error: ProtocolError()}, nil
	}
	j := l.Judgement()
	if j.Error != nil && t.suspect.mem.refused && j.Error.Type == "MemoryError" {
		j.Verdict = Memory
	}
	switch j.Verdict {
	case "", Failed, SyntaxError, NoEntryPoint, Memory:
	case "setup":
		// True only if the judge cannot run it either: a program must not talk itself out of being counted.
		if t.sound() {
			j.Verdict = Failed
		} else {
			j.Verdict = InfraError
		}
	default:
		j.Verdict = Failed
	}
	if j.Verdict == Failed && j.Error == nil {
		j.Error = ProtocolError()
	}
	return j, l.Names
}

// stopped gives the judgement of a suspect that met a limit or whose interpreter ended.
func (t *trial) stopped(err error) (Judgement, bool) {
	m := &t.suspect.meter
	switch {
	case m.stop == trace.CellSteps:
		return Judgement{Verdict: Timeout, Error: &PyError{Type: "Timeout",
			Message: fmt.Sprintf("the budget of %d steps was used up", m.budget)}}, true
	case m.stop != "":
		return Judgement{Verdict: Timeout, Error: &PyError{Type: "Timeout", Message: fmt.Sprintf("ran longer than %v", t.p.Limits.Wall)}}, true
	case err == nil:
		return Judgement{}, false
	}
	var e *PyError
	if errors.As(err, &e) && e.Type == "MemoryError" || t.suspect.mem.refused {
		return Judgement{Verdict: Memory, Error: &PyError{Type: "MemoryError", Message: "the memory limit was reached"}}, true
	}
	message, _, _ := strings.Cut(err.Error(), stackTrace)
	return Judgement{Verdict: Failed, Error: &PyError{Type: "InterpreterEnded", Message: text(message, 4000)}}, true
}

func (t *trial) runMain(stdin string, output int) Judgement {
	if err := t.start(stdin, output); err != nil {
		return Infra(err)
	}
	j, _ := t.load(harness.Load{Main: true, Setup: t.p.Setup, Code: t.p.Code, Stdin: stdin})
	if j.Verdict == "" {
		// The interpreter's own word, which no Python can forge, stands above what the harness says.
		j.Verdict = Failed
		if t.suspect.ended == endedWell {
			j.Verdict = Passed
		}
	}
	return t.finish(j)
}

func (t *trial) runTests() Judgement {
	if err := t.start("", t.p.Limits.OutputBytes); err != nil {
		return Infra(err)
	}
	var others []string
	for _, name := range t.p.Names {
		if name != t.p.Entry && !slices.Contains(others, name) {
			others = append(others, name)
		}
	}
	j, names := t.load(harness.Load{Setup: t.p.Setup, Code: t.p.Code, Entry: t.p.Entry, Names: others})
	if j.Verdict != "" {
		return t.finish(j)
	}
	r, err := t.report(string(names), t.p.Tests)
	return t.finish(t.weigh(r, err))
}

// sound tells whether a judge can run the setup and its own code, without any word of the suspect's. Where it can, a
// fault is the program's: none may talk itself out of being counted.
func (t *trial) sound() bool {
	_, err := t.report("[]", nil)
	return err == nil
}

// report runs tests in a new judge.
func (t *trial) report(names string, tests []Test) (r Report, err error) {
	t.w.recycle(t.q.Judge, t.judge)
	t.judge = nil
	g, err := t.w.fresh(t.q.Judge, judgeMemory)
	if err != nil {
		return r, err
	}
	t.judge = g
	body, err := json.Marshal(t.p.Job(t.q.Nonce, names, tests))
	if err != nil {
		return r, err
	}
	g.aside, g.outCap = &aside{}, 64<<10
	g.meter.start(runRequest{Steps: 1 << 40, Wall: judgeWall})
	g.meter.pause()
	g.overdue = func() {
		t.send(trialOutcome{Stuck: true}, Judgement{Verdict: Timeout, Error: stuckError(judgeWall), ExitCode: 1})
	}
	g.host = t.answer
	stopJ, stopS := g.clockwatch(), t.suspect.clockwatch()
	reply, err := g.transact('h', body)
	stopS()
	stopJ()
	if err != nil {
		return r, err
	}
	return ReadReport(reply, t.q.Nonce)
}

// mark is where the suspect was at one moment.
type mark struct {
	steps int64
	over  bool // it could serve no more calls
}

// answer serves the judge's host calls.
func (t *trial) answer(name string, payload []byte) ([]byte, error) {
	switch m := &t.suspect.meter; name {
	case "mark":
		t.marks = append(t.marks, mark{m.steps, t.over()})
		return nil, nil
	case "suspect":
		if !t.over() {
			reply, err := t.suspect.transact('s', payload)
			if t.lost = err; !t.over() {
				return reply, nil
			}
		}
		// An exit, because no test may take it for an exception that it waits for.
		return []byte(`["exit","Stopped","the program could not go on",1]`), nil
	}
	return nil, errors.New("unknown host call")
}

// over tells whether the suspect met a limit or broke.
func (t *trial) over() bool { return t.suspect.meter.stop != "" || t.lost != nil }

// weigh turns the judge's report into a judgement.
func (t *trial) weigh(r Report, err error) Judgement {
	ended, over := t.stopped(t.lost)
	switch {
	case t.judge == nil:
		return Infra(err)
	case over && (err != nil || t.judge.meter.stop != ""):
		return ended
	case t.judge.meter.stop != "":
		return Judgement{Verdict: Timeout, Error: &PyError{Type: "Timeout", Message: "the tests ran past their own limit"}}
	case err != nil && t.judge.mem.refused:
		return Judgement{Verdict: Memory, Error: &PyError{Type: "MemoryError", Message: "the tests met their own memory limit"}}
	case err != nil:
		if t.sound() {
			return Judgement{Verdict: Failed, Error: &PyError{Type: "JudgeEnded", Message: text(err.Error(), 4000)}}
		}
		return Infra(err)
	case r.Refused != "" && t.judge.mem.refused:
		return Judgement{Verdict: Memory, Error: &PyError{Type: "MemoryError", Message: "the tests met their own memory limit"}}
	case r.Refused != "":
		return Judgement{Verdict: Failed, Error: ProtocolError()}
	case len(t.marks) != len(r.Results)+1:
		return Infra(errors.New("the judge's report does not fit its tests"))
	}
	j := Judgement{Verdict: Passed}
	for i, one := range r.Results {
		res := TestResult{Verdict: Passed, Steps: t.marks[i+1].steps - t.marks[i].steps}
		switch {
		case t.marks[i+1].over:
			// Whatever the test made of it.
			res.Verdict, res.Error = ended.Verdict, ended.Error
		case !one.OK:
			res.Verdict, res.Error = Failed, one.Error
			if one.Error != nil && one.Error.Type == "MemoryError" && (t.suspect.mem.refused || t.judge.mem.refused) {
				res.Verdict = Memory
			}
		}
		j.Results = append(j.Results, res)
		if res.Verdict != Passed && j.Verdict == Passed {
			j.Verdict, j.Error = res.Verdict, res.Error
		}
	}
	if j.Verdict == Passed && len(r.Results) != len(t.p.Tests) {
		return Infra(errors.New("the judge left tests out"))
	}
	return j
}

func (t *trial) runCases() Judgement {
	j, _ := t.p.RunCases(func(c Case, output int) (Judgement, error) {
		defer t.close()
		return t.runMain(c.Stdin, output), nil
	})
	return j
}
