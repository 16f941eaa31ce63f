package eval

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/savedrow"
)

// Saved is an eval's directory as it is read: ours, or a plain one of verifiers, which has no more than results.jsonl and
// metadata.json.
type Saved struct {
	Dir     string
	Header  Header
	Args    map[string]any // env_args: what selects the tasks
	Shuffle string         // how verifiers shuffled the tasks, "" for not at all
	Results *Results
	// Cost is the sum that the metadata state, for files whose rows do not. nil: not known.
	Cost *float64
	// Torn says that the last row was cut off and is left out.
	Torn bool
}

// maxMetadata bounds metadata.json. A larger one is none.
const maxMetadata = 16 << 20

// savedMetadata is metadata.json as verifiers 0.1 to 0.3 and we write it.
type savedMetadata struct {
	EnvID       string         `json:"env_id"`
	Env         string         `json:"env"` // older name
	EnvArgs     map[string]any `json:"env_args"`
	Model       string         `json:"model"`
	BaseURL     string         `json:"base_url"`
	Examples    int            `json:"num_examples"`
	Rollouts    int            `json:"rollouts_per_example"`
	Shuffle     bool           `json:"shuffle"`
	ShuffleSeed *int64         `json:"shuffle_seed"`
	Cost        *struct {
		Total *float64 `json:"total_usd"`
	} `json:"cost"`
}

func parseMetadata(data []byte) (savedMetadata, error) {
	var m savedMetadata
	if err := bounded.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("not readable: %w", err)
	}
	m.EnvID = cmp.Or(m.EnvID, m.Env)
	if m.EnvID == "" || m.Model == "" {
		return m, errors.New("it names no env_id or no model")
	}
	return m, nil
}

// Load reads an eval's directory.
func Load(dir string) (Saved, error) {
	s := Saved{Dir: dir, Results: &Results{}}
	name := filepath.Join(dir, MetadataName)
	root, err := os.OpenRoot(dir) // an eval's directory may come from a stranger: no link leads out of it
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s holds no eval: %w", dir, err), "give directories that deeprepo eval or verifiers left")
	}
	defer root.Close()
	data, err := bounded.ReadFileIn(root, MetadataName, maxMetadata)
	if errors.Is(err, fs.ErrNotExist) {
		return s, hint.Wrap(fmt.Errorf("%s holds no eval: it has no %s", dir, MetadataName),
			"give directories that deeprepo eval or verifiers left")
	}
	if err != nil {
		return s, err
	}
	m, err := parseMetadata(data)
	if err != nil {
		return s, hint.Wrap(fmt.Errorf("%s: %w", name, err), "deeprepo resume "+dir+" writes it anew if the eval is ours")
	}
	s.Header = Header{Environment: m.EnvID, Model: m.Model, Provider: m.BaseURL, Examples: m.Examples, Rollouts: m.Rollouts}
	s.Args = m.EnvArgs
	if m.Shuffle {
		s.Shuffle = "shuffled"
		if m.ShuffleSeed != nil {
			s.Shuffle = fmt.Sprintf("shuffled with seed %d", *m.ShuffleSeed)
		}
	}
	if m.Cost != nil {
		s.Cost = m.Cost.Total
	}
	f, err := bounded.OpenIn(root, ResultsName, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return s, hint.Wrap(fmt.Errorf("%s holds no eval: it has no %s", dir, ResultsName),
			"give directories that deeprepo eval or verifiers left")
	}
	if err != nil {
		return s, err
	}
	defer f.Close()
	if s.Torn, err = s.Results.read(f, filepath.Join(dir, ResultsName)); err != nil {
		return s, err
	}
	if len(s.Results.records) == 0 {
		return s, hint.Wrap(fmt.Errorf("%s has no rollout", filepath.Join(dir, ResultsName)), "deeprepo resume "+dir+" plays them")
	}
	s.Header.RewardName = s.Results.rewardName()
	return s, nil
}

// read takes in a results.jsonl. A last line without its newline counts if it is whole; torn says that it is not.
func (r *Results) read(from io.Reader, name string) (torn bool, err error) {
	_, err = eachLine(from, name, func(l line) error {
		row, err := savedrow.Parse(l.text)
		if err != nil {
			if l.torn {
				torn = true
				return nil
			}
			return &CorruptError{name, l.number, err.Error()}
		}
		r.add(row)
		return nil
	})
	r.settle()
	return torn, err
}

// rewardName guesses the reward function's name: the metric that is the reward in every row.
func (r *Results) rewardName() string {
	for _, name := range r.Metrics() {
		if !strings.HasSuffix(name, "reward") {
			continue
		}
		same := true
		for i := range r.records {
			v, ok := r.metric(&r.records[i], name)
			same = same && (!r.records[i].OK() || ok && v == r.records[i].Reward)
		}
		if same {
			return name
		}
	}
	return ""
}
