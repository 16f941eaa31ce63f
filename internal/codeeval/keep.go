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
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// TasksName is the file with what each task asked, one a line, in the dataset's order. Nothing is judged by it: it is for
// those who look at the run where the dataset is not at hand.
const TasksName = "tasks.jsonl"

// mostStderr bounds what is kept of stderr, in bytes.
const mostStderr = 2000

// keep is the row of a result.
func keep(r verify.Result) runfile.CodeResult {
	row := r.CodeResult
	asItStands := r.Solution != nil && *r.Solution == r.Code || r.Completion != nil && *r.Completion == r.Code
	if !asItStands {
		row.Program = r.Code
	}
	if r.Verdict != sandbox.Passed {
		row.StderrEnd = end(r.Stderr, mostStderr)
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
		enc := json.NewEncoder(out)
		for _, t := range j.set.Tasks {
			if j.inventory.PerTask[t.ID] == 0 {
				continue
			}
			row := runfile.CodeTask{TaskID: t.ID, Entry: t.Entry, Prompt: asked(t), Tests: len(t.Tests) + len(t.Cases)}
			if j.prompt != nil {
				sent, err := j.prompt(t)
				if err != nil {
					return fmt.Errorf("the prompt of %s: %w", t.ID, err)
				}
				row.Prompt, row.Sent = sent, true
			}
			if err := enc.Encode(row); err != nil {
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
