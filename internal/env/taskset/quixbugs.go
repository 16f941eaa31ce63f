package taskset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// QuixBugsName is the name of the QuixBugs tasks.
const QuixBugsName = "quixbugs"

// perCodebase is how many QuixBugs programs stand in one codebase: 40 of them make eight.
const perCodebase = 5

// quixBugsDir is where the programs stand in their codebases.
const quixBugsDir = "programs/"

// quixBugsHint describes the data.
const quixBugsHint = `give a directory with programs.jsonl, {"name", "buggy", "correct", "json_testcases", ` +
	`"driver"} a line, and support.json, {file name: text}`

// QuixBugs are the programs of QuixBugs (Lin, Koppel, Chen, Solar-Lezama: "QuixBugs: a multi-lingual program repair
// benchmark set", 2017), each with one defect in one line. It is safe for concurrent use.
type QuixBugs struct {
	programs []program
	support  map[string]string

	mu     sync.Mutex
	packed []env.Task // by the latest seed
	seed   int64
}

// program is one program and the truth about it.
type program struct {
	name, buggy string
	change      change
}

// quixLine is one line of programs.jsonl.
type quixLine struct {
	Name    string  `json:"name"`
	Buggy   string  `json:"buggy"`
	Correct string  `json:"correct"`
	Cases   bool    `json:"json_testcases"`
	Driver  *string `json:"driver"`
}

var (
	moduleName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,63}$`)
	moduleFile = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,63}\.py$`)
)

// OpenQuixBugs reads the programs in a directory.
func OpenQuixBugs(dir string) (*QuixBugs, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &Error{File: dir, Err: reason(err, "no such directory"), Advice: quixBugsHint}
	}
	defer root.Close()
	q := &QuixBugs{}
	const name = "programs.jsonl"
	f, err := bounded.OpenIn(root, name, 0)
	if err != nil {
		return nil, &Error{File: filepath.Join(dir, name), Err: reason(err, "no such file"), Advice: quixBugsHint}
	}
	defer f.Close()
	seen := map[string]bool{}
	err = EachLine(f, filepath.Join(dir, name), quixBugsHint, func(_ int, text []byte) error {
		var l quixLine
		if err := decodeStrict(text, &l); err != nil {
			return err
		}
		if !moduleName.MatchString(l.Name) || seen[l.Name] {
			return fmt.Errorf("name %q is no module's, or stands there twice", l.Name)
		}
		seen[l.Name] = true
		c, err := compare(l.Buggy, l.Correct)
		if err != nil {
			return fmt.Errorf("%s: %w", l.Name, err)
		}
		q.programs = append(q.programs, program{l.Name, l.Buggy, c})
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(q.programs) == 0 {
		return nil, &Error{File: filepath.Join(dir, name), Err: errors.New("the file holds no program"), Advice: quixBugsHint}
	}
	slices.SortFunc(q.programs, func(a, b program) int { return strings.Compare(a.name, b.name) })
	data, err := read(root, "support.json")
	if errors.Is(err, fs.ErrNotExist) {
		return q, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &q.support)
	}
	for file := range q.support {
		if err == nil && (!moduleFile.MatchString(file) || seen[file[:len(file)-len(".py")]]) {
			err = fmt.Errorf("%q is no module of its own", file)
		}
	}
	if err != nil {
		return nil, &Error{File: filepath.Join(dir, "support.json"), Err: err, Advice: quixBugsHint}
	}
	return q, nil
}

// Tasks packs the programs into codebases of five, shuffled by the seed: the same seed gives the same tasks. The texts
// are the buggy programs as they are, docstrings included, and what they import.
func (q *QuixBugs) Tasks(seed int64) []env.Task {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.packed != nil && q.seed == seed {
		return q.packed
	}
	order := slices.Clone(q.programs)
	r := rand.New(rand.NewPCG(uint64(plant.Seed(seed, QuixBugsName)), 1))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	var tasks []env.Task
	for part := range slices.Chunk(order, perCodebase) {
		files := map[string]string{}
		for name, text := range q.support {
			files[quixBugsDir+name] = text
		}
		t := env.Task{Split: env.Train, Language: "python", Seed: seed}
		for _, p := range part {
			files[quixBugsDir+p.name+".py"] = p.buggy
			t.Defects = append(t.Defects, env.Defect{File: quixBugsDir + p.name + ".py", Line: p.change.line, EndLine: p.change.end,
				Category: p.change.category, Severity: "high", Description: p.change.describe()})
		}
		t.Codebase = codebase.FromMap(files)
		t.ID = fmt.Sprintf("%s/%d/%d@%s", QuixBugsName, seed, len(tasks), digest(t))
		tasks = append(tasks, t)
	}
	q.packed, q.seed = tasks, seed
	return tasks
}
