package codeeval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// TasksName is the file with what each task asked, one a line, in the dataset's order. Nothing is judged by it: it is for
// those who look at the run where the dataset is not at hand.
const TasksName = "tasks.jsonl"

// TaskRow is a line of tasks.jsonl.
type TaskRow struct {
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

// keptRow is a line of results.jsonl: a result, and what else a reader of it wants to see.
type keptRow struct {
	verify.Result
	// Program is what was run, "" where that is the sample's text as it is.
	Program string `json:"program,omitempty"`
	// Stderr is the end of what a program that did not pass wrote there.
	Stderr string `json:"stderr,omitempty"`
}

// mostStderr bounds keptRow.Stderr, in bytes.
const mostStderr = 2000

func keep(r verify.Result) keptRow {
	row := keptRow{Result: r}
	asItStands := r.Solution != nil && *r.Solution == r.Code || r.Completion != nil && *r.Completion == r.Code
	if !asItStands {
		row.Program = r.Code
	}
	if r.Verdict != sandbox.Passed {
		row.Stderr = end(r.Stderr, mostStderr)
	}
	return row
}

// end is the last part of a text, from a whole character on.
func end(s string, most int) string {
	if len(s) > most {
		s = s[len(s)-most:]
		for len(s) > 0 && s[0]&0xC0 == 0x80 {
			s = s[1:]
		}
		s = "..." + s
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}

// keepTasks writes tasks.jsonl, unless an earlier execution of the run did.
func (j *judging) keepTasks() error {
	if j.dir == nil {
		return nil
	}
	j.dir.Sweep(TasksName)
	if _, err := j.dir.Root().Stat(TasksName); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return j.dir.Write(TasksName, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<16)
		for _, t := range j.set.Tasks {
			if j.inventory.PerTask[t.ID] == 0 {
				continue
			}
			row := TaskRow{TaskID: t.ID, Entry: t.Entry, Prompt: asked(t), Tests: len(t.Tests) + len(t.Cases)}
			if j.prompt != nil {
				sent, err := j.prompt(t)
				if err != nil {
					return fmt.Errorf("the prompt of %s: %w", t.ID, err)
				}
				row.Prompt, row.Sent = sent, true
			}
			text, err := json.Marshal(row)
			if err == nil {
				_, err = out.Write(append(text, '\n'))
			}
			if err != nil {
				return err
			}
		}
		return out.Flush()
	})
}

// asked is a task as its dataset gives it.
func asked(t dataset.Task) string {
	if t.Text != "" {
		return t.Text
	}
	return t.Prefix
}
