package report

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// Schema is what a summary of today has in its field "schema".
const Schema = 1

// every is how many steps lie between two lines of the progression.
const every = 10

// Progression takes every tenth step and the last of a training.
func Progression(steps []runfile.TrainingStep) []runfile.TrainingPoint {
	points := []runfile.TrainingPoint{}
	for i, s := range steps {
		if s.Step%every == 0 || i == len(steps)-1 {
			points = append(points, runfile.TrainingPoint{Step: s.Step, Reward: s.Reward, Heldout: s.Heldout, Turns: s.Turns,
				Dispatches:   s.Dispatches,
				SyntaxErrors: s.SyntaxErrors, Loss: s.Loss, KL: s.KL, Entropy: s.Entropy,
				Margin: s.Margin, Accuracy: s.Accuracy})
		}
	}
	return points
}

// maxSummary bounds a summary.json, in bytes.
const maxSummary = 64 << 20

// Read reads the summary in a training's directory.
func Read(dir string) (runfile.TrainingSummary, error) {
	var s runfile.TrainingSummary
	name := filepath.Join(dir, train.SummaryName)
	root, err := os.OpenRoot(dir) // a training's directory may come from a stranger: no link leads out of it
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s holds no finished training: %w", dir, err), "give the directory of a training")
	}
	defer root.Close()
	data, err := bounded.ReadFileIn(root, train.SummaryName, maxSummary)
	if errors.Is(err, fs.ErrNotExist) {
		return s, hint.Wrap(fmt.Errorf("%s holds no finished training: %w", dir, err),
			"deeprepo train grpo leaves one; continue an interrupted one with deeprepo resume DIR")
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
