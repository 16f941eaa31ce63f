package native

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/harness"
)

const (
	defaultWall   = 10 * time.Second
	defaultMemory = 512 << 20
	defaultOutput = 256 << 10
	judgeWall     = 60 * time.Second
	judgeMemory   = 2 << 30
	grace         = 300 * time.Millisecond
)

func withDefaults(l sandbox.Limits) sandbox.Limits {
	if l.Wall <= 0 {
		l.Wall = defaultWall
	}
	if l.MemoryBytes <= 0 {
		l.MemoryBytes = defaultMemory
	}
	if l.OutputBytes <= 0 {
		l.OutputBytes = defaultOutput
	}
	return l
}

// Exec judges a program. It waits for a free worker; what is wrong with the program is in the judgement, an error means
// that ctx ended or that a jail could not be started.
func (b *Box) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	p.Limits = withDefaults(p.Limits)
	if p.Language != "" {
		return sandbox.Judgement{}, &sandbox.LanguageError{Language: p.Language}
	}
	if p.NothingToJudge() {
		return sandbox.Judgement{Verdict: sandbox.Empty}, nil
	}
	l, err := b.enter(ctx)
	if err != nil {
		return sandbox.Judgement{}, err
	}
	defer b.leave(l)
	for range attempts {
		t := &trial{b: b, l: l, p: p}
		j, err := t.run(ctx)
		switch {
		case ctx.Err() != nil:
			return sandbox.Judgement{}, ctx.Err()
		case !t.lost:
			j.Backend = sandbox.Native
			return j, err
		}
	}
	return sandbox.Infra(errors.New("the jail ended twice while this program ran")), nil
}

// attempts are how often a program is run whose zygote died meanwhile.
const attempts = 2

func (t *trial) run(ctx context.Context) (j sandbox.Judgement, err error) {
	p := t.p
	switch {
	case len(p.Cases) > 0:
		j, err = p.RunCases(func(c sandbox.Case, output int) (sandbox.Judgement, error) { return t.main(ctx, c.Stdin, output) })
	case len(p.Tests) > 0:
		j, err = t.tests(ctx)
	default:
		j, err = t.main(ctx, p.Stdin, p.Limits.OutputBytes)
	}
	return j, err
}

// trial is one program on its way to a judgement.
type trial struct {
	b    *Box
	l    *lane
	p    sandbox.Program
	x    *exchange
	lost bool // a zygote died: nothing is known yet
}

// spawn forks one side's process.
func (t *trial) spawn(ctx context.Context, r role, texts string, memory int64, wall time.Duration, output int) (*side, error) {
	z, err := t.b.zygote(ctx, t.l, r, texts)
	if err != nil {
		return nil, err
	}
	c, err := z.spawn(memory, wall, output)
	if err != nil {
		return nil, err
	}
	return &side{child: c, left: wall}, nil
}

// load starts the suspect and has it load its program. A judgement without a verdict means that all is well so far.
func (t *trial) load(ctx context.Context, q harness.Load, output int) (sandbox.Judgement, json.RawMessage, error) {
	if q.Names == nil {
		q.Names = []string{}
	}
	body, err := json.Marshal(q)
	if err != nil {
		return sandbox.Judgement{}, nil, err
	}
	one, err := t.spawn(ctx, suspect, q.Setup+"\n"+q.Code, t.p.Limits.MemoryBytes, t.p.Limits.Wall, output)
	if err != nil {
		return sandbox.Judgement{}, nil, err
	}
	t.x = &exchange{suspect: one}
	stop := context.AfterFunc(ctx, one.kill)
	defer stop()
	reply, err := t.x.order(t.x.suspect, body)
	if err != nil {
		return t.stopped(err), nil, nil
	}
	var l sandbox.Loaded
	if json.Unmarshal(reply, &l) != nil {
		return sandbox.Judgement{Verdict: sandbox.Failed, Error: sandbox.ProtocolError(), ExitCode: 1}, nil, nil
	}
	j := l.Judgement()
	switch j.Verdict {
	case "", sandbox.SyntaxError, sandbox.NoEntryPoint, sandbox.Memory:
	case sandbox.Failed:
		if j.Error != nil && j.Error.Type == "MemoryError" {
			j.Verdict = sandbox.Memory
		}
	case "setup":
		// True only if the judge cannot run it either: a program must not talk itself out of being counted.
		j.Verdict = sandbox.Failed
		if !t.sound(ctx) {
			j.Verdict = sandbox.InfraError
		}
	default:
		j.Verdict = sandbox.Failed
	}
	if j.Verdict == sandbox.Failed && j.Error == nil {
		j.Error = sandbox.ProtocolError()
	}
	return j, l.Names, nil
}

// stopped is the judgement of a suspect that met its deadline or left.
func (t *trial) stopped(err error) sandbox.Judgement {
	if errors.Is(err, errLate) {
		return sandbox.Judgement{Verdict: sandbox.Timeout, Error: &sandbox.PyError{Type: "Timeout",
			Message: fmt.Sprintf("ran longer than %v", t.p.Limits.Wall)}}
	}
	t.end(t.x.suspect, grace)
	how := t.x.suspect.how
	if how.err != nil {
		return sandbox.Infra(how.err)
	}
	code, left, words := ending(how.status)
	j := sandbox.Judgement{Verdict: sandbox.Failed, ExitCode: 1,
		Error: &sandbox.PyError{Type: "InterpreterEnded", Message: "the interpreter's process ended: " + words}}
	if left { // os._exit
		j.ExitCode, j.Error = code, &sandbox.PyError{Type: "SystemExit", Message: fmt.Sprint(code)}
	}
	return j
}

// end ends one side's process, and notes whether its end is known.
func (t *trial) end(s *side, grace time.Duration) {
	s.end(grace)
	t.lost = t.lost || s.lost
}

// finish ends the suspect and fills in what is known of it.
func (t *trial) finish(j sandbox.Judgement) sandbox.Judgement {
	s := t.x.suspect
	t.end(s, 0)
	j.Stdout, j.StdoutBytes = valid(s.out.bytes()), s.out.count()
	j.Stderr, j.StderrBytes = valid(s.err.bytes()), s.err.count()
	j.Wall, j.MemoryBytes = t.p.Limits.Wall-max(s.left, 0), s.how.peak
	if j.Verdict != sandbox.Passed && j.ExitCode == 0 && (j.Error == nil || j.Error.Type != "SystemExit") {
		j.ExitCode = 1
	}
	return j
}

func (t *trial) main(ctx context.Context, stdin string, output int) (sandbox.Judgement, error) {
	j, _, err := t.load(ctx, harness.Load{Main: true, Setup: t.p.Setup, Code: t.p.Code, Stdin: stdin}, output)
	if err != nil {
		return j, err
	}
	if j.Verdict == "" {
		j.Verdict = sandbox.Passed
	}
	return t.finish(j), nil
}

func (t *trial) tests(ctx context.Context) (sandbox.Judgement, error) {
	j, names, err := t.load(ctx, harness.Load{Setup: t.p.Setup, Code: t.p.Code, Entry: t.p.Entry, Names: t.p.Names}, t.p.Limits.OutputBytes)
	if err != nil {
		return j, err
	}
	if j.Verdict == "" {
		r, err := t.report(ctx, names, t.p.Tests)
		j = t.weigh(ctx, r, err)
	}
	return t.finish(j), nil
}

// sound tells whether a judge can run the setup and its own code, without any word of the suspect's. Where it can, a
// fault is the program's: none may talk itself out of being counted.
func (t *trial) sound(ctx context.Context) bool {
	_, err := t.report(ctx, nil, nil)
	return err == nil
}

// report runs tests in a new judge.
func (t *trial) report(ctx context.Context, names json.RawMessage, tests []sandbox.Test) (r sandbox.Report, err error) {
	texts := t.p.Setup + "\n" + t.p.Judge
	for _, test := range tests {
		texts += "\n" + test.Code
	}
	one, err := t.spawn(ctx, judge, texts, judgeMemory, judgeWall, 0)
	if err != nil {
		return r, err
	}
	defer t.end(one, 0)
	stop := context.AfterFunc(ctx, func() { one.kill(); t.x.suspect.kill() })
	defer stop()
	t.x.judge = one
	q := t.p.Job(rand.Text(), string(names), tests)
	body, err := json.Marshal(q)
	if err != nil {
		return r, err
	}
	reply, err := t.x.order(t.x.judge, body)
	if err != nil {
		return r, err
	}
	r, err = sandbox.ReadReport(reply, q.Nonce)
	if err == nil {
		one.abandon() // and the end that follows is none
	}
	return r, err
}

// weigh turns the judge's report into a judgement.
func (t *trial) weigh(ctx context.Context, r sandbox.Report, err error) sandbox.Judgement {
	switch {
	case t.x.stopped != nil && (err != nil || len(r.Results) == 0):
		return t.stopped(t.x.stopped)
	case errors.Is(err, errLate):
		return sandbox.Judgement{Verdict: sandbox.Timeout, Error: &sandbox.PyError{Type: "Timeout",
			Message: "the tests ran past their own limit"}}
	case err != nil && t.sound(ctx):
		return sandbox.Judgement{Verdict: sandbox.Failed, Error: &sandbox.PyError{Type: "JudgeEnded", Message: cut(err.Error(), 4000)}}
	case err != nil:
		return sandbox.Infra(err)
	case r.Refused != "":
		return sandbox.Judgement{Verdict: sandbox.Failed, Error: sandbox.ProtocolError()}
	}
	j := sandbox.Judgement{Verdict: sandbox.Passed}
	for _, one := range r.Results {
		res := sandbox.TestResult{Verdict: sandbox.Passed}
		if !one.OK {
			res.Verdict, res.Error = sandbox.Failed, one.Error
			if one.Error != nil && one.Error.Type == "MemoryError" {
				res.Verdict = sandbox.Memory
			}
		}
		j.Results = append(j.Results, res)
	}
	if t.x.stopped != nil {
		s := t.stopped(t.x.stopped)
		last := &j.Results[len(j.Results)-1]
		last.Verdict, last.Error = s.Verdict, s.Error
	}
	for _, res := range j.Results {
		if res.Verdict != sandbox.Passed {
			j.Verdict, j.Error = res.Verdict, res.Error
			return j
		}
	}
	if len(r.Results) != len(t.p.Tests) {
		return sandbox.Infra(errors.New("the judge left tests out"))
	}
	return j
}

func cut(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "\uFFFD") }

func valid(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }
