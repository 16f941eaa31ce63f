package export

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/pairs"
	"github.com/parquet-go/parquet-go"
)

// verlRow is a row of verl's RLHFDataset.
type verlRow struct {
	DataSource  string        `parquet:"data_source"`
	Prompt      []verlMessage `parquet:"prompt,list"`
	Ability     string        `parquet:"ability"`
	RewardModel rewardModel   `parquet:"reward_model"`
	ExtraInfo   extraInfo     `parquet:"extra_info"`
}

type verlMessage struct {
	Role    string `parquet:"role"`
	Content string `parquet:"content"`
}

type rewardModel struct {
	Style       string `parquet:"style"`
	GroundTruth string `parquet:"ground_truth"`
}

type extraInfo struct {
	Split      string `parquet:"split"`
	Index      int64  `parquet:"index"`
	TaskID     string `parquet:"task_id"`
	EntryPoint string `parquet:"entry_point"`
	// Pairs is how many pairs have this prompt.
	Pairs int64 `parquet:"pairs"`
}

// groundTruth is what verl's own sandbox_fusion scorer reads: each assertion is run behind the answer.
type groundTruth struct {
	AssertCase []string `json:"assert_case,omitempty"`
	Inputs     []string `json:"inputs"`
	Outputs    []any    `json:"outputs"`
}

// writeVerl writes one row for each prompt: training uses the prompt and its tests; the answers are sampled.
func writeVerl(w io.Writer, all []pairs.Pair, o Options) (int, error) {
	if o.Split == "" {
		o.Split = "train"
	}
	if o.Source == "" {
		o.Source = "deeprepo/pairs"
		if o.Set != nil {
			o.Source = "deeprepo/" + o.Set.Info.Name
		}
	}
	var rows []verlRow
	places := map[string]int{}
	for _, p := range all {
		key, err := json.Marshal([]any{p.TaskID, p.Prompt})
		if err != nil {
			return 0, err
		}
		if at, ok := places[string(key)]; ok {
			rows[at].ExtraInfo.Pairs++
			continue
		}
		places[string(key)] = len(rows)
		row := verlRow{DataSource: o.Source, Ability: "code", RewardModel: rewardModel{Style: "rule", GroundTruth: p.ChosenText()},
			ExtraInfo: extraInfo{Split: o.Split, Index: int64(len(rows)), TaskID: p.TaskID, Pairs: 1}}
		for _, m := range p.Prompt {
			row.Prompt = append(row.Prompt, verlMessage(m))
		}
		if o.Set != nil {
			t, ok := o.Set.Find(p.TaskID)
			if !ok { // a program among assertions would be a ground truth that no answer meets
				return 0, hint.Wrap(fmt.Errorf("the dataset %s has no task %q, so its row would have no tests", o.Set.Info.Name, p.TaskID),
					"name the dataset that the pairs were made of, or leave --dataset away: then the chosen programs are the ground truth")
			}
			row.ExtraInfo.EntryPoint = t.Entry
			if row.RewardModel.GroundTruth, err = truth(t); err != nil {
				return 0, err
			}
		}
		rows = append(rows, row)
	}
	pw := parquet.NewGenericWriter[verlRow](w, parquet.Compression(&parquet.Zstd), parquet.CreatedBy("deeprepo", "", ""))
	if _, err := pw.Write(rows); err != nil {
		return 0, err
	}
	return len(rows), pw.Close()
}

// truth is a task's tests in verl's words.
func truth(t dataset.Task) (string, error) {
	g := groundTruth{Inputs: []string{}, Outputs: []any{}}
	for _, test := range t.Tests {
		code := test.Code
		if t.Judge != "" {
			code = t.Judge + "\n" + code
		}
		if t.Setup != "" {
			code = t.Setup + "\n" + code
		}
		g.AssertCase, g.Inputs, g.Outputs = append(g.AssertCase, code), append(g.Inputs, ""), append(g.Outputs, nil)
	}
	for _, c := range t.Cases {
		g.Inputs, g.Outputs = append(g.Inputs, c.Stdin), append(g.Outputs, c.Stdout)
	}
	b, err := json.Marshal(g)
	return string(b), err
}
