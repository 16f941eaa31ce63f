package report

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

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

func countCells(r io.Reader) (c runfile.TrainingCells, err error) {
	err = EachCell(r, func(_, errorType string) {
		c.Cells++
		if errorType != "" {
			c.Errors++
		}
		if train.NotPython(errorType) {
			c.Syntax++
		}
	})
	return c, err
}

// EachCell calls fn for the cells in an eval's traces, with the type of the error that they ended in, "" for none.
func EachCell(r io.Reader, fn func(code, errorType string)) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxTrace)
	for lines.Scan() {
		var rollout struct {
			Events []struct {
				Cell *struct {
					Code  string `json:"code"`
					Error string `json:"error_type"`
				} `json:"cell"`
			} `json:"events"`
		}
		if err := json.Unmarshal(lines.Bytes(), &rollout); err != nil {
			return fmt.Errorf("a rollout cannot be read: %w", err)
		}
		for _, e := range rollout.Events {
			if e.Cell != nil {
				fn(e.Cell.Code, e.Cell.Error)
			}
		}
	}
	return lines.Err()
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
