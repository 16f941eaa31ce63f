package localisation

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// PredictionsName is the file that the official harness is given.
const PredictionsName = "predictions.jsonl"

// prediction is one line for the official SWE-bench harness, which reads the first three fields and skips the rest. An
// empty patch counts there as an empty patch: no test is run for it.
type prediction struct {
	InstanceID string `json:"instance_id"`
	Model      string `json:"model_name_or_path"`
	Patch      string `json:"model_patch"`
	runfile.Rankings
}

// WritePredictions makes predictions of an eval's results.jsonl: those of the given rollout (from 0) of every record,
// since the harness takes one line for each. Rollouts that ended in an error predict nothing and are left out.
func WritePredictions(results io.Reader, model string, rollout int, to io.Writer) (written int, err error) {
	err = eachRow(results, func(of int, e runfile.Localisation) error {
		if of != rollout {
			return nil
		}
		if e.FoundFiles == nil {
			e.FoundFiles = []string{}
		}
		e.GoldFiles, e.GoldFunctions, e.GoldLines = nil, nil, nil
		line, err := json.Marshal(prediction{e.InstanceID, model, e.ModelPatch, e.Rankings})
		if err != nil {
			return err
		}
		if _, err := to.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write predictions: %w", err)
		}
		written++
		return nil
	})
	return written, err
}

// eachRow visits what the rollouts of results.jsonl left that did not end in an error.
func eachRow(results io.Reader, visit func(rollout int, e runfile.Localisation) error) error {
	return taskset.EachLine(results, "results.jsonl", "", func(_ int, text []byte) error {
		var row struct {
			Rollout int             `json:"rollout"`
			Error   json.RawMessage `json:"error"`
			Info    struct {
				Extra *runfile.Localisation `json:"extra"`
			} `json:"info"`
		}
		if err := json.Unmarshal(text, &row); err != nil {
			return errors.New("this is no row of results")
		}
		e := row.Info.Extra
		if e == nil || e.InstanceID == "" || len(row.Error) > 0 && string(row.Error) != "null" {
			return nil
		}
		return visit(row.Rollout, *e)
	})
}
