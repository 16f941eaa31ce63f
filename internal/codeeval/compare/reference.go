package compare

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/codeeval/resultfile"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// printed is a row of the reference experiment's table as it was published on 2026-02-13 ("RLVF v2 Scaling Experiment —
// Complete Results").
type printed struct {
	number    int
	condition string
	size      float64
	passed    int    // of 164
	passAt1   string // and what stands beside it
	delta     string
	relative  string
	file      string
	base      string  // the condition that it has to be compared with: the same model, judged in the same run
	baseline  float64 // what it was compared with: a number that was typed in, rounded
	older     bool    // a run of the first experiment, whose files are not among the six
}

// table is the published table.
var table = []printed{
	{1, "Base 3B", 0, 147, "89.6%", "+0.0pp", "(+0.0% rel)", "base_eval.json", "", 89.6, true},
	{2, "DPO 120 (3B)", 120, 150, "91.5%", "+1.9pp", "(+2.1% rel)", "dpo_eval.json", "Base 3B", 89.6, true},
	{3, "Base 15B", 0, 138, "84.1%", "+0.0pp", "(+0.1% rel)", "base_15b_humaneval.json", "", 84.1, false},
	{4, "DPO 500 (15B)", 500, 135, "82.3%", "-1.8pp", "(-2.1% rel)", "dpo_500_15b_humaneval.json", "Base 15B", 84.1, false},
	{5, "DPO 1K (15B)", 1000, 132, "80.5%", "-3.6pp", "(-4.3% rel)", "dpo_1k_15b_humaneval.json", "Base 15B", 84.1, false},
	{6, "DPO 2K (15B)", 2052, 128, "78.0%", "-6.1pp", "(-7.2% rel)", "dpo_2k_15b_humaneval.json", "Base 15B", 84.1, false},
	{7, "Base 3B (re-eval)", 0, 149, "90.9%", "+1.3pp", "(+1.4% rel)", "base_3b_humaneval.json", "", 89.6, false},
	{8, "DPO 2K (3B)", 2052, 127, "77.4%", "-12.2pp", "(-13.6% rel)", "dpo_2k_3b_humaneval.json", "Base 3B (re-eval)", 89.6, false},
}

// tasksPrinted is how many tasks the table's counts are of.
const tasksPrinted = 164

// lists are the tasks that the published head-to-head blocks name, as far as they name them.
var lists = []struct {
	other               string
	improved, regressed []int // of HumanEval
	said                [2]int
}{
	{"DPO 500 (15B)", []int{116, 122}, []int{107, 119, 21, 88, 96}, [2]int{2, 5}},
	{"DPO 1K (15B)", []int{135, 84}, []int{107, 114, 119, 128, 144, 19, 87, 88}, [2]int{2, 8}},
	{"DPO 2K (15B)", []int{116, 122, 135, 145}, []int{106, 107, 109, 121, 124, 136, 139, 14, 142, 147}, [2]int{4, 14}},
	{"DPO 2K (3B)", []int{120, 20, 26, 61}, []int{1, 10, 100, 116, 127, 129, 139, 14, 145, 149}, [2]int{4, 26}},
}

// Reference reads the reference experiment's result files in a directory: the six of its second experiment, and the two of
// its first where they lie there, too. The pairs are those that belong together: every model with its own base.
func Reference(dir string) ([]Condition, []Pair, error) {
	var conditions []Condition
	var pairs []Pair
	present := map[string]bool{}
	for _, older := range []bool{false, true} {
		for _, row := range table {
			path := filepath.Join(dir, row.file)
			if row.older != older {
				continue
			}
			if _, err := os.Stat(path); older && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			f, err := resultfile.Read(path, resultfile.Options{Benchmark: "humaneval"})
			if err != nil {
				return nil, nil, hint.Wrap(err, "the directory must hold the six files of the reference experiment's results/rlvf_v2")
			}
			conditions = append(conditions, Condition{Name: row.condition, Size: new(row.size), File: f})
			present[row.condition] = true
			if row.base != "" && row.base != conditions[0].Name && present[row.base] {
				pairs = append(pairs, Pair{Base: row.base, Other: row.condition})
			}
		}
	}
	if present["Base 3B"] && !present["DPO 120 (3B)"] || !present["Base 3B"] && present["DPO 120 (3B)"] {
		return nil, nil, hint.Wrap(fmt.Errorf("%s holds one of the first experiment's files and not the other", dir),
			"base_eval.json and dpo_eval.json belong together")
	}
	return conditions, pairs, nil
}
