package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// notPython are the errors of cells that do not parse.
var notPython = []string{"SyntaxError", "IndentationError", "TabError"}

// maxTrace bounds one rollout's line of traces.jsonl, in bytes.
const maxTrace = 256 << 20

// CountCells reads them in an eval's traces.
func CountCells(dir string) (runfile.TrainingCells, error) {
	f, err := bounded.Open(filepath.Join(dir, eval.TracesName), 0)
	if err != nil {
		return runfile.TrainingCells{}, err
	}
	defer f.Close()
	c, err := countCells(f)
	if err != nil {
		return c, fmt.Errorf("%s: %w", f.Name(), err)
	}
	return c, nil
}

func countCells(r io.Reader) (runfile.TrainingCells, error) {
	var c runfile.TrainingCells
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxTrace)
	for lines.Scan() {
		var rollout struct {
			Events []struct {
				Cell *struct {
					Type string `json:"error_type"`
				} `json:"cell"`
			} `json:"events"`
		}
		if err := json.Unmarshal(lines.Bytes(), &rollout); err != nil {
			return c, fmt.Errorf("a rollout cannot be read: %w", err)
		}
		for _, e := range rollout.Events {
			if e.Cell == nil {
				continue
			}
			c.Cells++
			if e.Cell.Type != "" {
				c.Errors++
			}
			if slices.Contains(notPython, e.Cell.Type) {
				c.Syntax++
			}
		}
	}
	return c, lines.Err()
}

// Compare tests the rewards of one eval's directory against those of another, task by task.
func Compare(before, after string) (*runfile.TaskTest, error) {
	x, errX := eval.Load(before)
	y, errY := eval.Load(after)
	if err := errors.Join(errX, errY); err != nil {
		return nil, err
	}
	c, err := eval.CompareSaved([]eval.Saved{x, y})
	if err != nil {
		return nil, err
	}
	return &c.Tests[0], nil
}
