package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Schema is what a summary of today has in its field "schema".
const Schema = 1

// Summary is summary.json: what a training came to.
type Summary struct {
	Schema int          `json:"schema"`
	Run    string       `json:"run"`    // the directory, as it was given
	Engine string       `json:"engine"` // who trained: embedded, or another engine
	Method string       `json:"method"` // sft, grpo, dpo
	Status trace.Status `json:"status"`
	// End says why it ended, in the method's own words.
	End   string `json:"end,omitempty"`
	Steps int    `json:"steps"` // that were made
	// BestStep is where the policy that was kept was met; 0 is the base.
	BestStep int   `json:"best_step"`
	Seed     int64 `json:"seed"`
	// Size is the model's, "" for one that was given. Parameters counts its weights, Trained those that were trained.
	Size       string `json:"size,omitempty"`
	Parameters int    `json:"parameters"`
	Trained    int    `json:"trained_parameters"`
	// Environment is where it was trained, Measured where Before and After were played.
	Environment string `json:"environment"`
	Measured    string `json:"measured_in"`
	// Split is that of Before and After.
	Split string `json:"split,omitempty"`
	// Temperature is what the policy was sampled at.
	Temperature Temperature `json:"temperature"`
	// Before and After are null where nothing was played.
	Before *eval.Summary `json:"before"`
	After  *eval.Summary `json:"after"`
	// BeforeCells and AfterCells count what was written there; null where nothing was played.
	BeforeCells *Cells `json:"before_cells,omitempty"`
	AfterCells  *Cells `json:"after_cells,omitempty"`
	// Test compares After with Before, task by task; null where there are not both.
	Test *eval.Test `json:"test,omitempty"`
	// Caveats are what must be known before the numbers are believed.
	Caveats []string `json:"caveats"`
	// Progression is every tenth step and the last.
	Progression []Point `json:"progression"`
	// Adapter is the adapter's directory, or that of the whole model where there is no adapter.
	Adapter string  `json:"adapter"`
	Lessons *Lesson `json:"sft,omitempty"`
	Seconds float64 `json:"seconds"` // of training, evaluations left out
	// Ladder are trainings on preference pairs, by their number; the last one is what the fields above speak of. Gate is
	// what they were worth.
	Ladder []Rung `json:"ladder,omitempty"`
	Gate   *Gate  `json:"gate,omitempty"`
	// Settings is a digest of all that was asked for but the seed: runs that share it differ by chance alone.
	Settings string `json:"settings,omitempty"`
}

// Temperature is what a policy was sampled at: in the rollouts that it learnt from, in the measurements in between, and
// before and after. 0 where there were none.
type Temperature struct {
	Training float64 `json:"training,omitempty"`
	Between  float64 `json:"between,omitempty"`
	Measured float64 `json:"measured,omitempty"`
}

// Lesson is the imitation that a model began with.
type Lesson struct {
	Demonstrations int `json:"demonstrations"`
	Steps          int `json:"steps"`
	// Heldout is the loss in nats a token on demonstrations of other tasks.
	Heldout float64 `json:"heldout_loss"`
	Seconds float64 `json:"seconds"`
}

// Point is one line of the progression: what train.Step says, without what the table does not show.
type Point struct {
	Step         int      `json:"step"`
	Reward       float64  `json:"reward"`
	Heldout      *float64 `json:"heldout,omitempty"`
	Turns        float64  `json:"turns"`
	Dispatches   float64  `json:"dispatches"`
	SyntaxErrors float64  `json:"syntax_errors"`
	Loss         float64  `json:"loss"`
	KL           float64  `json:"kl"`
	Entropy      float64  `json:"entropy"`
	Margin       float64  `json:"margin,omitempty"`
	Accuracy     float64  `json:"accuracy,omitempty"`
}

// every is how many steps lie between two lines of the progression.
const every = 10

// Progression takes every tenth step and the last of a training.
func Progression(steps []train.Step) []Point {
	points := []Point{}
	for i, s := range steps {
		if s.Step%every == 0 || i == len(steps)-1 {
			points = append(points, Point{Step: s.Step, Reward: s.Reward, Heldout: s.Heldout, Turns: s.Turns, Dispatches: s.Dispatches,
				SyntaxErrors: s.SyntaxErrors, Loss: s.Loss, KL: s.KL, Entropy: s.Entropy,
				Margin: s.Margin, Accuracy: s.Accuracy})
		}
	}
	return points
}

// maxSummary bounds a summary.json, in bytes.
const maxSummary = 64 << 20

// Read reads the summary in a training's directory.
func Read(dir string) (Summary, error) {
	var s Summary
	name := filepath.Join(dir, train.SummaryName)
	root, err := os.OpenRoot(dir) // what lies in a training's directory may be somebody else's: no link leads out of it
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s holds no finished training: %w", dir, err), "give the directory of a training")
	}
	defer root.Close()
	info, err := root.Stat(train.SummaryName)
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s holds no finished training: %w", dir, err), "deeprepo train grpo leaves one; an interrupted one goes on with deeprepo resume DIR")
	}
	var data []byte
	switch {
	case !info.Mode().IsRegular():
		err = errors.New("it is no regular file")
	case info.Size() > maxSummary:
		err = fmt.Errorf("it is larger than %d bytes", maxSummary)
	default:
		data, err = root.ReadFile(train.SummaryName)
	}
	if err == nil {
		err = bounded.Unmarshal(data, &s)
	}
	if err == nil && (s.Schema != Schema || s.Method == "") {
		err = fmt.Errorf("it is no summary of a training, or one of another version of deeprepo")
	}
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s: %w", name, err), "give the directory of a training")
	}
	return s, nil
}
