package compare

import (
	"errors"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Run is a comparison's directory.
type Run struct{ *dir.Dir }

// maxFlips bounds the tasks of flips.jsonl.
const maxFlips = 20_000

// flipLines says where the programs of a task are.
type flipLines struct {
	ids  []string
	line map[string]int
}

func (r Run) flips() (flipLines, error) {
	v, err := r.Derived("flips", []string{runfile.FlipsName}, func() (any, error) {
		at := flipLines{line: map[string]int{}}
		l, err := r.Lines(runfile.FlipsName)
		if errors.Is(err, fs.ErrNotExist) {
			return at, nil
		}
		if err != nil {
			return at, err
		}
		err = l.Each(0, min(l.Count(), maxFlips), func(i int, text []byte) error {
			var row struct {
				ID string `json:"task_id"`
			}
			if err := bounded.Unmarshal(text, &row); err != nil || row.ID == "" {
				return doc.Damaged("%s, line %d: not readable", runfile.FlipsName, i+1)
			}
			if _, twice := at.line[row.ID]; !twice {
				at.ids, at.line[row.ID] = append(at.ids, row.ID), i
			}
			return nil
		})
		return at, err
	})
	at, _ := v.(flipLines)
	return at, err
}
