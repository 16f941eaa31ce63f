package code

import (
	"cmp"
	"encoding/json"
	"errors"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What a task's page shows at most.
const (
	maxShownSamples = 200
	maxPageTexts    = 8 << 20 // bytes of all of them
)

// CodeTask is a task with its samples: the resource "codeeval/task/ID".
type CodeTask struct {
	ID    string `json:"id"`
	Entry string `json:"entry"`
	// Prompt is null where the run has not kept it; Sent says that the model was sent it so.
	Prompt  *string      `json:"prompt"`
	Sent    bool         `json:"sent"`
	Tests   int          `json:"tests"`
	Samples []CodeSample `json:"samples"`
	// Total is how many samples there are: more than are shown where there are very many.
	Total    int    `json:"total"`
	Previous string `json:"previous,omitempty"` // the ids of the tasks beside it
	Next     string `json:"next,omitempty"`
}

// CodeSample is one sample of a task and what running the tests said.
type CodeSample struct {
	Sample int `json:"sample"`
	// Verdict is "" for a sample that is not judged yet.
	Verdict    string `json:"verdict"`
	ErrorClass string `json:"error_class"`
	Error      string `json:"error"`
	FailedTest string `json:"failed_test"`
	Stderr     string `json:"stderr"`
	// Text is what the model wrote; Program what was run, null where that is not kept. They are often the same.
	Text            string   `json:"text"`
	Program         *string  `json:"program"`
	Extraction      string   `json:"extraction"`
	ExtractionSteps []string `json:"extraction_steps"`
	Signs           []string `json:"signs"`
	TestsPassed     int      `json:"tests_passed"`
	TestsTotal      int      `json:"tests_total"`
	Steps           int64    `json:"steps"` // of the interpreter
	Seconds         float64  `json:"seconds"`
	MemoryBytes     int64    `json:"memory_bytes"`
	Clock           bool     `json:"clock"` // the wall clock ended it
	Flaky           bool     `json:"flaky"`
	Rescued         *bool    `json:"rescued"`
	// Made is how it was generated, null where that is not known.
	Made *SampleMade `json:"made"`
}

// SampleMade is how a model came to write a sample.
type SampleMade struct {
	Model        string   `json:"model"`
	Mode         string   `json:"mode"`
	Finish       string   `json:"finish_reason"`
	Reasoning    string   `json:"reasoning"`
	InputTokens  int64    `json:"input_tokens"`
	CachedTokens int64    `json:"cached_tokens"`
	OutputTokens int64    `json:"output_tokens"`
	CostUSD      *float64 `json:"cost_usd"`
	Seconds      float64  `json:"seconds"`
	Temperature  *float64 `json:"temperature"`
	TopP         *float64 `json:"top_p"`
	Seed         *int64   `json:"seed"`
	MaxTokens    int      `json:"max_tokens"`
}

// task answers "codeeval/task/ID".
func (r Run) task(id string) (any, error) {
	x, err := r.codeIndex()
	if err != nil {
		return nil, err
	}
	at, ok := x.at[id]
	if !ok {
		return nil, doc.NotFound("no task %q", doc.Clip(id, 80))
	}
	t := x.tasks[at]
	task := CodeTask{ID: id, Entry: t.entry, Samples: []CodeSample{}, Total: len(t.verdicts)}
	if at > 0 {
		task.Previous = x.ids[at-1]
	}
	if at+1 < len(x.ids) {
		task.Next = x.ids[at+1]
	}
	if t.asked >= 0 {
		var asked runfile.CodeTask
		if err := r.Row(tasksName, t.asked, &asked); err != nil {
			return nil, err
		}
		task.Prompt, task.Sent, task.Tests = new(doc.Clip(asked.Prompt, doc.MaxText)), asked.Sent, asked.Tests
	}
	size := 0
	for i := range min(len(t.verdicts), maxShownSamples) {
		if t.results[i] < 0 && t.samples[i] < 0 {
			continue
		}
		s, err := r.codeSample(t, i)
		if err != nil {
			return nil, err
		}
		if size += s.size(); size > maxPageTexts && len(task.Samples) > 0 {
			break
		}
		task.Samples = append(task.Samples, s)
	}
	return task, nil
}

// codeSample reads what the run has of a sample.
func (r Run) codeSample(t codeTask, i int) (CodeSample, error) {
	s := CodeSample{Sample: i, ExtractionSteps: []string{}, Signs: []string{}}
	if t.samples[i] >= 0 {
		var row runfile.CodeSample
		// The samples of a verification are somebody else's: what else they say may have any shape.
		var other *json.UnmarshalTypeError
		if err := r.Row(samplesName, t.samples[i], &row); err != nil && !errors.As(err, &other) {
			return s, err
		}
		s.text(row.Completion, row.Solution)
		if row.Usage != (runfile.Tokens{}) || row.Model != "" {
			s.Made = made(row)
		}
	}
	if t.results[i] >= 0 {
		var row runfile.CodeResult
		if err := r.Row(resultsName, t.results[i], &row); err != nil {
			return s, err
		}
		s.judged(row, t.asked >= 0)
	}
	return s, nil
}

// text takes over what a row says was written.
func (s *CodeSample) text(completion string, solution *string) {
	if completion != "" {
		s.Text = doc.Clip(completion, doc.MaxText)
	}
	if solution != nil {
		s.Program = new(doc.Clip(*solution, doc.MaxText))
		s.Text = cmp.Or(s.Text, *s.Program)
	}
}

// judged takes over a row of results. kept says that the run keeps programs: then one that is not there is the text itself.
func (s *CodeSample) judged(row runfile.CodeResult, kept bool) {
	if row.Completion != nil {
		s.text(*row.Completion, nil)
	}
	s.text("", row.Solution)
	switch {
	case row.Program != "":
		s.Program = new(doc.Clip(row.Program, doc.MaxText))
	case s.Program == nil && kept:
		s.Program = &s.Text
	}
	s.Verdict, s.ErrorClass, s.Error = doc.Clip(string(row.Verdict), 40), doc.Clip(row.ErrorClass, 200), doc.Clip(row.ErrorMessage, 4000)
	s.FailedTest, s.Stderr = doc.Clip(row.FailedTest, 400), doc.Clip(row.StderrEnd, 8000)
	s.Extraction, s.ExtractionSteps, s.Signs = doc.Clip(row.Extraction, 80), doc.Some(row.Steps), doc.Some(row.Signs)
	s.TestsPassed, s.TestsTotal = row.TestsPassed, row.TestsTotal
	s.Steps, s.Seconds, s.MemoryBytes = row.Interpreter, row.Seconds, row.MemoryBytes
	s.Clock, s.Flaky, s.Rescued = row.Clock, row.Flaky, row.Rescued
}

func made(row runfile.CodeSample) *SampleMade {
	return &SampleMade{Model: doc.Clip(row.Model, 200), Mode: doc.Clip(row.Mode, 40), Finish: doc.Clip(row.Finish, 40),
		Reasoning: doc.Clip(row.Reasoning, doc.MaxText), InputTokens: row.Usage.InputTokens, CachedTokens: row.Usage.CachedTokens,
		OutputTokens: row.Usage.OutputTokens, CostUSD: dollars(row.Cost), Seconds: row.Seconds, Temperature: row.Temperature,
		TopP: row.TopP, Seed: row.Seed, MaxTokens: row.MaxTokens}
}

// size is how much text there is to show.
func (s CodeSample) size() int {
	n := len(s.Text) + len(s.Stderr)
	if s.Program != nil {
		n += len(*s.Program)
	}
	if s.Made != nil {
		n += len(s.Made.Reasoning)
	}
	return n
}
