package pairs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// OnPolicy has the model that is to be trained write the programs: it can learn from its own mistakes.
type OnPolicy struct {
	Sampler *generate.Sampler
	// Name is what provenance calls the source. Defaults to "on-policy".
	Name string
	// Weight is its share beside the samples files. Defaults to 1.
	Weight float64
	// Durable has every reply on disk before the next is asked for. Defaults to not.
	Durable bool
	// Pool is what the Sampler's calls are reserved from; what earlier executions spent is taken from it. Defaults to none.
	Pool *llm.Budget
	// N is how many samples of a task the Sampler makes.
	N int
}

// LostError are samples that a model did not give.
type LostError struct {
	Missing int
	Dir     string
	First   error
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s were not made: %v", termtext.Plural(e.Missing, "sample"), e.First)
}

func (e *LostError) Unwrap() error { return e.First }

// Hint says how to continue.
func (e *LostError) Hint() string {
	return "what was made is kept in " + e.Dir + ": the same command makes what is missing"
}

// sample makes the samples of the open tasks that are not there yet, and adds them to the sources.
func (b *builder) sample(ctx context.Context) error {
	p := b.Model
	if p == nil || p.Sampler == nil {
		return nil
	}
	var tasks []dataset.Task
	for i, t := range b.Set.Tasks {
		if b.open[i] {
			tasks = append(tasks, t)
		}
	}
	prompts := map[string]string{}
	for _, t := range tasks {
		prompt, err := p.Sampler.Prompt(t)
		if err != nil {
			return err
		}
		prompts[t.ID] = prompt.Hash()
	}
	journal, err := generate.OpenJournal(b.Dir, samplesName, p.Durable, func(s generate.Sample) error {
		if s.Prompt != prompts[s.TaskID] || s.Index >= p.N {
			return fmt.Errorf("sample %d of %s is no part of this build", s.Index, s.TaskID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := journal.Charge(p.Pool); err != nil {
		return errors.Join(err, journal.Close())
	}
	total := len(tasks) * p.N
	report, err := p.Sampler.Into(journal).Run(ctx, tasks, journal.Has, func(s generate.Sample) error {
		b.Observe("samples", journal.Len()+1, total)
		return journal.Add(s)
	})
	b.cost, b.atMost = journal.Cost()
	if closing := journal.Close(); err == nil {
		err = closing
	}
	var halt *generate.Halt
	switch missing := report.Missing(); {
	case errors.As(err, &halt):
		err = &LostError{missing, b.Dir.Path(), halt}
	case err == nil && missing > 0:
		first := errors.New("the model gave up")
		if len(report.Lost) > 0 {
			first = report.Lost[0].Err
		}
		err = &LostError{missing, b.Dir.Path(), first}
	}
	if err != nil {
		return err
	}
	open := func() (io.ReadCloser, error) { return bounded.OpenIn(b.Dir.Root(), samplesName, 0) }
	b.Samples = append(b.Samples[:len(b.Samples):len(b.Samples)], SampleFile{Name: cmp.Or(p.Name, "on-policy"), Weight: p.Weight,
		Source: verify.Source{Name: b.Dir.File(samplesName), Open: open}})
	return nil
}
