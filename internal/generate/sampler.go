package generate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Defaults of a [Config].
const (
	DefaultMaxTokens   = 1024
	DefaultConcurrency = 8
	DefaultShowTests   = 1
)

// How many samples in a row may be lost, each after the model's own retries, before the run gives up: one reply that a
// provider cannot give should not end a run of thousands, and a provider that is gone should. Of refusals that are about
// the prompt more are borne: those that come first would otherwise keep every resumed run from the prompts behind them.
const (
	patience       = 3
	promptPatience = 20
)

// Config says what a [Sampler] asks and how. Model must be given.
type Config struct {
	// Model answers. Budget, retries and limits are its wrappers' business (see [llm.Stack]).
	Model llm.Handle
	// Mode is how it is asked. Defaults to [Pick]'s choice.
	Mode Mode
	// ShowTests is how many of a task's public tests a prompt shows; -1 shows all, and NoTests none. Defaults to
	// [DefaultShowTests].
	ShowTests int
	// Shots are solved tasks that few-shot prompts begin with. Defaults to three that are of no dataset.
	Shots []dataset.Task
	// N is the number of samples of each task. Defaults to 1.
	N int
	// Temperature defaults to 0: the likeliest program.
	Temperature float64
	// TopP defaults to the provider's own.
	TopP *float64
	// Seed is the root of the seeds of all samples, each of which has its own. Defaults to 0.
	Seed int64
	// MaxTokens caps a reply. Defaults to [DefaultMaxTokens].
	MaxTokens int
	// Concurrency is how many replies are in progress at once. Defaults to [DefaultConcurrency].
	Concurrency int
	// Observe gets the progress, from one goroutine at a time. Default: none.
	Observe func(Progress)
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

// NoTests as Config.ShowTests shows no test.
const NoTests = -2

// Sampler samples a model's programs. It is safe for concurrent use.
type Sampler struct {
	c Config
	p *prompter
	// calls is where its calls are journaled; nil: nowhere.
	calls *Journal
}

// New prepares a sampler, and refuses a mode that the model cannot be asked in.
func New(c Config) (*Sampler, error) {
	if c.Mode == "" || c.Mode == Auto {
		c.Mode = Pick(c.Model)
	}
	if c.Mode == Complete && !c.Model.Raw {
		return nil, hint.Wrap(fmt.Errorf("%s takes conversations only: it cannot go on with code", c.Model.Name),
			"ask it with --prompt chat or fewshot")
	}
	if c.N <= 0 {
		c.N = 1
	}
	if c.MaxTokens <= 0 {
		c.MaxTokens = DefaultMaxTokens
	}
	if c.Concurrency <= 0 {
		c.Concurrency = DefaultConcurrency
	}
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Shots == nil {
		c.Shots = ownShots()
	}
	show := c.ShowTests
	switch {
	case show == 0:
		show = DefaultShowTests
	case show <= NoTests:
		show = 0
	}
	p, err := newPrompter(c.Mode, c.Model, show, c.Shots)
	if err != nil {
		return nil, err
	}
	return &Sampler{c: c, p: p}, nil
}

// Mode is how the model is asked; it is never [Auto].
func (s *Sampler) Mode() Mode { return s.c.Mode }

// Prompt is a task's prompt.
func (s *Sampler) Prompt(t dataset.Task) (Prompt, error) { return s.p.prompt(t) }

// parameters are those of one sample. Samples of one task have different seeds, so that a server that keeps to them does
// not give the same reply n times; a sample's seed does not depend on how many there are.
func (s *Sampler) parameters(task string, index int) runfile.SampleParameters {
	p := runfile.SampleParameters{Temperature: &s.c.Temperature, TopP: s.c.TopP, MaxTokens: s.c.MaxTokens}
	if s.c.Temperature != 0 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d", s.c.Seed, task, index))
		seed := int64(binary.BigEndian.Uint32(sum[:4]) >> 1) // llama-server takes 32 bits, and -1 means at random
		p.Seed = &seed
	}
	return p
}

// job is one sample to make.
type job struct {
	task   string
	index  int
	prompt Prompt
}

// result is a job's result.
type result struct {
	job
	sample Sample
	err    error
}

// Run makes the samples of tasks that have does not report as had (nil: none), and hands each to sink, one at a time,
// as they come. It ends when all are made, when ctx ends, when sink fails, or when the model does. Calls in progress
// are waited for: their replies were paid for. The Report is right in any case; an error from Run is ctx's, sink's, or
// a [*Halt].
func (s *Sampler) Run(ctx context.Context, tasks []dataset.Task, have func(task string, index int) bool,
	sink func(Sample) error) (Report, error) {
	if have == nil {
		have = func(string, int) bool { return false }
	}
	r := &run{s: s, started: s.c.Now(), report: Report{Total: len(tasks) * s.c.N, Tally: Tally{Cost: new(money.USD)}}}
	var jobs []job
	for _, t := range tasks {
		p, err := s.p.prompt(t)
		if err != nil {
			return r.report, err
		}
		for i := range s.c.N {
			if have(t.ID, i) {
				r.report.Had++
				continue
			}
			jobs = append(jobs, job{t.ID, i, p})
		}
	}
	r.observe()
	results := make(chan result)
	var why error
	for running := 0; ; running-- {
		// The next call begins when the results that came were judged: none follows the one that ends the run.
		for ; why == nil && ctx.Err() == nil && running < s.c.Concurrency && len(jobs) > 0; running++ {
			j := jobs[0]
			jobs = jobs[1:]
			go func() {
				sample, err := s.sample(ctx, j)
				results <- result{j, sample, err}
			}()
		}
		if running == 0 {
			break
		}
		res := <-results
		if res.err != nil {
			why = cmp.Or(why, r.lost(ctx, res))
			continue
		}
		if err := sink(res.sample); err != nil {
			why = cmp.Or(why, err)
			continue
		}
		r.made(res.sample)
	}
	return r.report, cmp.Or(why, ctx.Err())
}

// sample makes one sample. A reply without text is a sample: that the model had nothing to say counts against it.
func (s *Sampler) sample(ctx context.Context, j job) (Sample, error) {
	p := s.parameters(j.task, j.index)
	r := j.prompt.request()
	r.MaxTokens, r.Temperature, r.TopP, r.Seed = p.MaxTokens, p.Temperature, p.TopP, p.Seed
	started := s.c.Now()
	resp, err := s.complete(ctx, j, r)
	if err != nil {
		e, ok := errors.AsType[*llm.Error](err)
		switch {
		case ok && e.Kind == llm.KindEmpty:
			resp = llm.Response{Finish: finishEmpty, Usage: e.Usage, Cost: e.Cost}
			if e.Usage.OutputTokens >= int64(p.MaxTokens) { // all of it went to thinking
				resp.Finish = llm.FinishLength
			}
		case ok && e.Kind == llm.KindFiltered:
			resp = llm.Response{Finish: llm.FinishFilter, Usage: e.Usage, Cost: e.Cost}
		default:
			return Sample{}, err
		}
		resp.Latency = s.c.Now().Sub(started)
	}
	sample := Sample{
		TaskID: j.task, Index: j.index, Completion: resp.Text, Mode: string(s.c.Mode), Finish: string(resp.Finish), Reasoning: resp.Reasoning,
		Usage: resp.Usage, Cost: resp.Cost, Seconds: resp.Latency.Seconds(), Model: s.c.Model.Name, Prompt: j.prompt.Hash(),
		SampleParameters: p,
	}
	if resp.Text == "" && resp.Finish == llm.FinishStop {
		sample.Finish = string(finishEmpty)
	}
	if code, ok := j.prompt.Solution(resp.Text, sample.Truncated()); ok {
		sample.Solution = &code
	}
	return sample, nil
}
