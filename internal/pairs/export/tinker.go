package export

import (
	"math/rand/v2"

	"github.com/deeprepo/deeprepo/internal/pairs"
)

// tinkerRow has the fields of LabeledComparison of tinker-cookbook, without its nesting.
type tinkerRow struct {
	TaskID string          `json:"task_id,omitempty"`
	Prompt []pairs.Message `json:"prompt_conversation"`
	A      []pairs.Message `json:"completion_A"`
	B      []pairs.Message `json:"completion_B"`
	Label  string          `json:"label"`
}

// tinker writes comparisons whose better side is A or B by a coin, because a preference model would learn the place.
func tinker(all []pairs.Pair, seed uint64, put func(any) error) error {
	coin := rand.New(rand.NewPCG(seed, 0x74696e6b6572))
	for _, p := range all {
		row := tinkerRow{TaskID: p.TaskID, Prompt: messages(p.Prompt), A: p.Chosen, B: p.Rejected, Label: "A"}
		if coin.IntN(2) == 1 {
			row.A, row.B, row.Label = row.B, row.A, "B"
		}
		if err := put(row); err != nil {
			return err
		}
	}
	return nil
}
