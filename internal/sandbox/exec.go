package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// lane is the right to run programs in one of the worker processes, one at a time.
type lane struct{ slot int }

func newLanes(n int) chan *lane {
	c := make(chan *lane, n)
	for i := range n {
		c <- &lane{slot: i}
	}
	return c
}

const (
	defaultWall  = 10 * time.Second
	defaultSteps = 200_000_000
	// judgeWall bounds what the tests themselves do, calls of the candidate excluded.
	judgeWall = 60 * time.Second
	// startSlack is for what a worker does around a program.
	startSlack = 20 * time.Second
)

func (l Limits) forProgram() Limits {
	if l.Wall <= 0 {
		l.Wall = defaultWall
	}
	if l.Steps <= 0 {
		l.Steps = defaultSteps
	}
	return l.withDefaults()
}

// Exec judges a program. It waits for a free worker; what is wrong with the program is in the judgement, an error means
// that ctx ended or that the engine failed (an *Error). Exec is safe for concurrent use.
func (e *Engine) Exec(ctx context.Context, p Program) (Judgement, error) {
	if p.Language != "" {
		return Judgement{}, &LanguageError{p.Language}
	}
	if err := ctx.Err(); err != nil {
		return Judgement{}, err
	}
	p.Limits = p.Limits.forProgram()
	if p.NothingToJudge() {
		return Judgement{Verdict: Empty}, nil
	}
	var l *lane
	select {
	case l = <-e.lanes:
	case <-ctx.Done():
		return Judgement{}, ctx.Err()
	case <-e.quit:
		return Judgement{}, &Error{Op: "exec", Err: errClosed}
	}
	defer func() { e.lanes <- l }()
	defer e.foresee()()
	var j Judgement
	err := persist(ctx, nil, func() (err error) {
		j, err = e.try(ctx, l, p)
		return err
	})
	switch {
	case err == nil:
		return j, nil
	case errors.Is(err, errDied):
		return Judgement{Verdict: InfraError, Error: &PyError{Type: "WorkerDied",
			Message: "the interpreter's process died twice while this program ran"}}, nil
	}
	return Judgement{}, wrap("exec", err)
}

// trialRequest describes a program to a worker.
type trialRequest struct {
	Judge   string `json:"judge"` // keys of the preludes
	Suspect string `json:"suspect"`
	Nonce   string `json:"nonce"`
}

// trialOutcome is what a worker says around a judgement.
type trialOutcome struct {
	Nonce string `json:"nonce"`
	// Stuck means that the program could not be interrupted: the worker must be killed.
	Stuck bool `json:"stuck,omitempty"`
}

// try runs a program in its lane's process.
func (e *Engine) try(ctx context.Context, l *lane, p Program) (Judgement, error) {
	judge, suspect := judgePrelude(), suspectPrelude()
	q := trialRequest{Judge: e.remember(judge), Suspect: e.remember(suspect), Nonce: rand.Text()}
	body, err := json.Marshal(p)
	if err != nil {
		return Judgement{}, err
	}
	w, err := e.worker(ctx, l.slot)
	if err != nil {
		return Judgement{}, err
	}
	id, frames := w.join()
	defer w.forget(id)
	if err := errors.Join(w.prepare(q.Judge, judge), w.prepare(q.Suspect, suspect)); err != nil {
		return Judgement{}, died(w, err)
	}
	if err := w.sendMessage(kindTry, id, q, body); err != nil {
		return Judgement{}, died(w, err)
	}
	// The worker watches the limits itself; this is for one that is stuck as a whole.
	backstop := time.NewTimer(p.Limits.Wall*time.Duration(max(1, len(p.Cases))) + judgeWall + startSlack)
	defer backstop.Stop()
	select {
	case f := <-frames:
		return e.tried(w, l, q, f)
	case <-w.dead:
		return Judgement{}, died(w, w.err)
	case <-ctx.Done():
		w.kill(l)
		return Judgement{}, ctx.Err()
	case <-backstop.C:
		w.kill(l)
		return Judgement{Verdict: Timeout, Error: stuckError(p.Limits.Wall), Wall: p.Limits.Wall}, nil
	}
}

func stuckError(wall time.Duration) *PyError {
	return &PyError{Type: "Killed", Message: fmt.Sprintf("one operation ran past the time limit of %v and could not be interrupted", wall)}
}

func died(w *process, err error) error {
	if errors.Is(err, errLost) {
		return err
	}
	return fmt.Errorf("%w: %w", errDied, err)
}

// tried reads a worker's answer. Only one that repeats the nonce of this run counts.
func (e *Engine) tried(w *process, l *lane, q trialRequest, f frame) (Judgement, error) {
	var o trialOutcome
	var j Judgement
	if f.kind != kindTried || json.Unmarshal(f.meta, &o) != nil || json.Unmarshal(f.blob, &j) != nil || o.Nonce != q.Nonce {
		w.kill(nil)
		return Judgement{}, fmt.Errorf("%w: unreadable judgement", errDied)
	}
	if o.Stuck {
		w.kill(l)
	}
	return j, nil
}
