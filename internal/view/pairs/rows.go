package pairs

import (
	"encoding/json"
	"errors"
	"io/fs"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Names of the files of a set of pairs: of programs, and of rollouts, which a training makes for itself.
const (
	trainName        = "train.jsonl"
	heldoutName      = "heldout.jsonl"
	tracePairsName   = "pairs.jsonl"
	traceHeldoutName = "heldout_pairs.jsonl"
	cardName         = "card.md"
	summaryName      = "summary.json" // how pairs of programs were made
)

// pairFiles are the files that hold pairs, in the order in which pairs are numbered.
func pairFiles() []string { return []string{trainName, heldoutName, tracePairsName, traceHeldoutName} }

// Run is a directory of pairs.
type Run struct{ *dir.Dir }

// maxPairs bounds the pairs that are listed.
const maxPairs = 100_000

// PairRows are the pairs, a column each; N is a pair's place in all of them. Task, Source, Verdict and Error hold places
// in the lists of names.
type PairRows struct {
	Files    []string `json:"files"`
	Tasks    []string `json:"tasks"`
	Sources  []string `json:"sources"`
	Verdicts []string `json:"verdicts"`
	Errors   []string `json:"errors"`

	File    []int `json:"file"`
	Task    []int `json:"task"`
	Source  []int `json:"source"`  // the rejected side's
	Verdict []int `json:"verdict"` // the rejected side's; of rollouts ""
	Error   []int `json:"error"`   // the rejected side's
	// Score is a program's share of tests, or a rollout's reward.
	ChosenScore   []float64 `json:"chosen_score"`
	RejectedScore []float64 `json:"rejected_score"`
	// Chars is the length of what each side says; of a rollout, of its cells.
	ChosenChars   []int      `json:"chosen_chars"`
	RejectedChars []int      `json:"rejected_chars"`
	Similarity    []*float64 `json:"similarity"` // null where it was not measured
	PassRate      []*float64 `json:"pass_rate"`  // of the task's samples, null where there are none
}

// pairRows are the rows with where they are from.
type pairRows struct {
	PairRows
	form    string
	perFile [4]int // as in pairFiles
	names   map[string]map[string]int
	problem string
}

// pairLine is a line of a file of pairs, whichever form it has.
type pairLine struct {
	TaskID   string          `json:"task_id"`
	Task     string          `json:"task"`
	Prompt   json.RawMessage `json:"prompt"`
	Chosen   json.RawMessage `json:"chosen"`
	Rejected json.RawMessage `json:"rejected"`
	// Provenance is of programs.
	Provenance *runfile.PairProvenance `json:"provenance"`
}

// pairRows reads all pairs. The rows are kept until a file changes.
func (r Run) pairRows() (*pairRows, error) {
	v, err := r.Derived("pairs", pairFiles(), func() (any, error) { return r.readPairs() })
	if err != nil {
		return nil, err
	}
	return v.(*pairRows), nil
}

func (r Run) readPairs() (*pairRows, error) {
	rows := &pairRows{form: "code", names: map[string]map[string]int{}, PairRows: PairRows{
		Files: pairFiles(), Tasks: []string{}, Sources: []string{}, Verdicts: []string{}, Errors: []string{},
		File: []int{}, Task: []int{}, Source: []int{}, Verdict: []int{}, Error: []int{},
		ChosenScore: []float64{}, RejectedScore: []float64{}, ChosenChars: []int{}, RejectedChars: []int{}, Similarity: []*float64{},
		PassRate: []*float64{},
	}}
	for file, name := range pairFiles() {
		l, err := r.Lines(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		n := l.Count()
		if left := maxPairs - len(rows.File); n > left {
			n, rows.problem = left, "there are more pairs than are shown"
		}
		err = l.Each(0, n, func(i int, text []byte) error {
			rows.perFile[file]++
			if err := rows.add(file, text); err != nil && rows.problem == "" {
				rows.problem = doc.Damaged("%s, line %d: no pair: %v", name, i+1, err).Message
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// add appends a row. One that cannot be read is there too, with nothing in it, so that numbers stay those of lines.
func (rows *pairRows) add(file int, text []byte) error {
	var p pairLine
	err := bounded.Unmarshal(text, &p)
	if err == nil && (len(p.Chosen) == 0 || len(p.Rejected) == 0) {
		err = errors.New("a side is missing")
	}
	task, source, verdict, class := p.TaskID, "", "", ""
	var score [2]float64
	var chars [2]int
	var similarity, rate *float64
	if p.rollouts() {
		rows.form, task = "trace", p.Task
		var sides [2]runfile.RolloutSide
		err = errors.Join(err, json.Unmarshal(p.Chosen, &sides[0]), json.Unmarshal(p.Rejected, &sides[1]))
		for i, s := range sides {
			score[i] = s.Reward
			for _, x := range s.Exchanges {
				chars[i] += utf8.RuneCountInString(x.Cell)
			}
		}
		source = sides[1].Policy
	} else {
		chars = [2]int{utf8.RuneCountInString(sideText(p.Chosen)), utf8.RuneCountInString(sideText(p.Rejected))}
		if from := p.Provenance; from != nil {
			source, verdict, class = from.Rejected.Source, string(from.Rejected.Verdict), from.Rejected.Error
			if from.Rejected.Operator != "" {
				source += ": " + from.Rejected.Operator
			}
			score = [2]float64{deref(from.Chosen.Score), deref(from.Rejected.Score)}
			similarity, rate = from.Similarity, from.TaskPassRate
		}
	}
	rows.File = append(rows.File, file)
	rows.Task = append(rows.Task, rows.name("task", &rows.Tasks, task))
	rows.Source = append(rows.Source, rows.name("source", &rows.Sources, source))
	rows.Verdict = append(rows.Verdict, rows.name("verdict", &rows.Verdicts, verdict))
	rows.Error = append(rows.Error, rows.name("error", &rows.Errors, class))
	rows.ChosenScore, rows.RejectedScore = append(rows.ChosenScore, score[0]), append(rows.RejectedScore, score[1])
	rows.ChosenChars, rows.RejectedChars = append(rows.ChosenChars, chars[0]), append(rows.RejectedChars, chars[1])
	rows.Similarity, rows.PassRate = append(rows.Similarity, similarity), append(rows.PassRate, rate)
	return err
}

// name is a text's place in a list of names.
func (rows *pairRows) name(list string, names *[]string, text string) int {
	text = doc.Clip(text, 200)
	known := rows.names[list]
	if known == nil {
		known = map[string]int{}
		rows.names[list] = known
	}
	i, ok := known[text]
	if !ok {
		i = len(*names)
		known[text], *names = i, append(*names, text)
	}
	return i
}

// tasks counts the different tasks of the pairs to train on, and of those held out.
func (rows *pairRows) tasks() (train, heldout int) {
	seen := [2]map[int]bool{{}, {}}
	for i, file := range rows.File {
		seen[file%2][rows.Task[i]] = true
	}
	return len(seen[0]), len(seen[1])
}

// rollouts reports a pair of rollouts rather than of texts.
func (p pairLine) rollouts() bool { return len(p.Chosen) > 0 && p.Chosen[0] == '{' }

// deref is a pointer's value, or the zero value.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// pairMessage is one turn of a conversation.
type pairMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// pairMessages reads a text, or a list of messages. What is neither is empty.
func pairMessages(raw json.RawMessage, role string) []pairMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []pairMessage{{role, text}}
	}
	var list []pairMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return doc.Some(list)
}

// sideText is what messages say, one after the other.
func sideText(raw json.RawMessage) string {
	all := ""
	for i, m := range pairMessages(raw, "") {
		if i > 0 {
			all += "\n"
		}
		all += m.Content
	}
	return all
}
