package rescore

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Judge gives verdicts; a *verify.Verifier whose gate has passed does.
type Judge interface {
	Judge(ctx context.Context, t dataset.Task, code string) (verify.Result, error)
	Sample(ctx context.Context, s verify.Sample) (verify.Result, error)
}

// Config says what files are judged with. Set and Judge must be given.
type Config struct {
	Set   *dataset.Set
	Judge Judge
	// Box runs programs without their tests. Defaults to none: then how a harness came to its verdicts is not looked into.
	Box verify.Executor
	// Workers is how many programs run at once. Defaults to GOMAXPROCS.
	Workers int
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees how many programs are done; it must be quick and safe for concurrent use. Defaults to nothing.
	Observe func(done, total int)
}

// Report is what rescoring found.
type Report struct {
	runfile.Rescored
	// Judged are the files with the new verdicts in place of the recorded ones.
	Judged []*resultfile.File `json:"-"`
}

// UnknownError says that a file holds tasks that the dataset does not have.
type UnknownError struct {
	File, Dataset string
	IDs           []string
}

func (e *UnknownError) Error() string {
	shown := e.IDs
	more := ""
	if len(shown) > 5 {
		more = fmt.Sprintf(" and %d more", len(shown)-5)
		shown = shown[:5]
	}
	return fmt.Sprintf("%s: %s has no task %s%s", e.File, e.Dataset, strings.Join(shown, ", "), more)
}

// Hint is advice for the user.
func (e *UnknownError) Hint() string { return "--dataset names the benchmark that the file is of" }

// Check finds tasks that the dataset does not have and files that hold no text.
func Check(set *dataset.Set, files []*resultfile.File) error {
	for _, f := range files {
		var unknown []string
		texts := false
		for _, t := range f.Tasks {
			if _, ok := set.Find(t.ID); !ok {
				unknown = append(unknown, t.ID)
			}
			for _, s := range t.Samples {
				texts = texts || s.Kind != resultfile.Absent
			}
		}
		if len(unknown) > 0 {
			return &UnknownError{File: f.Path, Dataset: set.Info.Name, IDs: unknown}
		}
		if !texts {
			return hint.New(f.Path+": it holds verdicts, but no programs",
				"rescoring needs what was generated: give the samples, or a result file that keeps them")
		}
	}
	return nil
}

// Selected says which tasks the files have samples of: the controls of those decide whether they are judged.
func Selected(set *dataset.Set, files []*resultfile.File) func(id string) bool {
	wanted := map[string]bool{}
	for _, f := range files {
		for _, t := range f.Tasks {
			if task, ok := set.Find(t.ID); ok {
				wanted[task.ID] = true
			}
		}
	}
	return func(id string) bool { return wanted[id] }
}

// program is what is judged: one text of one task.
type program struct {
	task string
	kind resultfile.Kind
	mode string
	text string
}

func programOf(t resultfile.Task, s resultfile.Sample) program {
	return program{resultfile.Key(t.ID), s.Kind, s.Mode, s.Text}
}

// finding is the result of judging a program.
type finding struct {
	result verify.Result
	// loads says that the program runs to its end when no test is called; known, that it was tried.
	loads, known bool
}

// Run judges all samples of all files. Files must have passed Check, and the Judge's gate must have passed.
func Run(ctx context.Context, c Config, files []*resultfile.File) (Report, error) {
	if c.Workers <= 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	var todo []program
	seen := map[program]bool{}
	for _, f := range files {
		for _, t := range f.Tasks {
			for _, s := range t.Samples {
				if p := programOf(t, s); s.Kind != resultfile.Absent && !seen[p] {
					seen[p] = true
					todo = append(todo, p)
				}
			}
		}
	}
	start := c.Now()
	found, err := verify.Each(ctx, todo, c.Workers, c.Observe, c.judge)
	if err != nil {
		return Report{}, err
	}
	r := Report{Rescored: runfile.Rescored{Dataset: c.Set.Info.Name, Hash: c.Set.Info.Hash, Programs: len(todo),
		Seconds: c.Now().Sub(start).Seconds()}}
	if r.Seconds > 0 {
		r.ProgramsPerSecond = float64(len(todo)) / r.Seconds
	}
	for _, f := range files {
		file, judged := c.report(f, found)
		r.Files = append(r.Files, file)
		r.Judged = append(r.Judged, judged)
	}
	return r, nil
}

func (c Config) judge(ctx context.Context, p program) (finding, error) {
	t, ok := c.Set.Find(p.task)
	if !ok {
		return finding{}, &UnknownError{File: "a result file", Dataset: c.Set.Info.Name, IDs: []string{p.task}}
	}
	code := p.text
	if p.kind == resultfile.Completion {
		code = t.Whole(p.text)
	}
	var r verify.Result
	var err error
	if mode, known := extract.ParseMode(p.mode); p.mode != "" && known == nil && p.kind == resultfile.Completion {
		r, err = c.Judge.Sample(ctx, verify.Sample{TaskID: t.ID, Completion: &p.text, Mode: mode})
		code = r.Code
	} else {
		r, err = c.Judge.Judge(ctx, t, code)
	}
	if err != nil || c.Box == nil {
		return finding{result: r}, err
	}
	f := finding{result: r}
	f.loads, f.known, err = c.loads(ctx, t, code)
	return f, err
}

// loads runs a program as a module and calls nothing: what a harness does that forgets to call the tests. Programs that
// read standard input are none that could be loaded.
func (c Config) loads(ctx context.Context, t dataset.Task, code string) (ok, known bool, err error) {
	if t.Entry == "" {
		return false, false, nil
	}
	j, err := c.Box.Exec(ctx, sandbox.Program{Code: code, Setup: t.Setup, Tests: []sandbox.Test{{Name: "loads", Code: "pass"}}})
	if ctx.Err() != nil {
		return false, false, ctx.Err()
	}
	if err != nil || j.Verdict == sandbox.InfraError {
		return false, false, nil // this column is not worth ending the run for
	}
	return j.Verdict == sandbox.Passed, true, nil
}
