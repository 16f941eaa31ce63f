package code

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Names of a code run's files.
const (
	resultsName = "results.jsonl"
	samplesName = "samples.jsonl"
	summaryName = "summary.json"
	tasksName   = "tasks.jsonl" // what each task asked
)

// Run is a code run's directory.
type Run struct{ *dir.Dir }

// What of a code eval is shown at most.
const (
	maxCodeRows    = 400_000 // of results.jsonl and of samples.jsonl, each
	maxTaskSamples = 1_000   // of one task
)

// CodeTasks are the tasks of a code eval, a column each, in the dataset's order where it is known.
type CodeTasks struct {
	ID    []string `json:"id"`
	Entry []string `json:"entry"`
	// Verdicts has a letter for each sample of the task: p passed, f failed, s syntax error, n no entry point, e empty,
	// t timeout, m memory, i infra error; . a sample that is not judged yet, - none, ? a verdict of another name.
	Verdicts []string `json:"verdicts"`
	Passed   []int    `json:"passed"`
	// Error is that of the first sample that has one.
	Error []string `json:"error"`
	// Seconds is what running the programs took, Tokens what writing them did; null where it is not known.
	Seconds []float64 `json:"seconds"`
	Tokens  []*int    `json:"tokens"`
}

// letters of verdicts.
var letters = map[string]byte{
	"passed": 'p', "failed": 'f', "syntax_error": 's', "no_entry_point": 'n', "empty": 'e', "timeout": 't', "memory": 'm', "infra_error": 'i',
}

// codeIndex knows where the rows of each task are.
type codeIndex struct {
	ids      []string
	at       map[string]int
	tasks    []codeTask
	verdicts map[string]int
	judged   int // with a verdict that says something
	passed   int
	samples  int
	problem  string
}

type codeTask struct {
	entry    string
	verdicts []byte
	results  []int // lines of results.jsonl, by sample; -1 for none
	samples  []int // lines of samples.jsonl
	asked    int   // line of tasks.jsonl, or -1
	passed   int
	error    string
	seconds  float64
	tokens   *int
}

// codeIndex reads the rows of a code eval. It is kept until one of the files changes.
func (r Run) codeIndex() (*codeIndex, error) {
	v, err := r.Derived("code", []string{resultsName, samplesName, tasksName}, func() (any, error) { return r.indexCode() })
	if err != nil {
		return nil, err
	}
	return v.(*codeIndex), nil
}

func (r Run) indexCode() (*codeIndex, error) {
	x := &codeIndex{at: map[string]int{}, verdicts: map[string]int{}}
	for _, file := range []struct {
		name string
		take func(line int, text []byte) error
	}{{tasksName, x.asked}, {samplesName, x.sample}, {resultsName, x.result}} {
		l, err := r.Lines(file.name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		n := l.Count()
		if n > maxCodeRows {
			n = maxCodeRows
			x.remark("only the first %d rows of %s are shown", n, file.name)
		}
		err = l.Each(0, n, func(i int, text []byte) error {
			if err := file.take(i, text); err != nil {
				x.remark("%s, line %d: not readable", file.name, i+1)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(x.tasks) > 0 && x.tasks[0].asked < 0 {
		x.sort()
	}
	return x, nil
}

// sort puts tasks in the order of their names, numbers in them by their value: for runs that have not kept the dataset's.
func (x *codeIndex) sort() {
	keys := make(map[string]string, len(x.ids))
	for _, id := range x.ids {
		keys[id] = digits.ReplaceAllStringFunc(id, func(n string) string { return strings.Repeat("0", max(0, 20-len(n))) + n })
	}
	slices.SortStableFunc(x.ids, func(a, b string) int { return cmp.Compare(keys[a], keys[b]) })
	tasks := make([]codeTask, len(x.ids))
	for i, id := range x.ids {
		tasks[i] = x.tasks[x.at[id]]
	}
	for i, id := range x.ids {
		x.at[id] = i
	}
	x.tasks = tasks
}

var digits = regexp.MustCompile(`[0-9]+`)

// remark keeps the first thing that is wrong.
func (x *codeIndex) remark(format string, a ...any) {
	if x.problem == "" {
		x.problem = fmt.Sprintf(format, a...)
	}
}

var errNoRow = errors.New("no row")

// task finds a task, or adds it.
func (x *codeIndex) task(id string) *codeTask {
	i, known := x.at[id]
	if !known {
		i = len(x.tasks)
		x.at[id] = i
		x.ids = append(x.ids, id)
		x.tasks = append(x.tasks, codeTask{asked: -1})
	}
	return &x.tasks[i]
}

func (x *codeIndex) asked(line int, text []byte) error {
	var row runfile.CodeTask
	if err := bounded.Unmarshal(text, &row); err != nil || row.TaskID == "" {
		return errNoRow
	}
	t := x.task(row.TaskID)
	t.asked, t.entry = line, doc.Clip(row.Entry, 200)
	return nil
}

// place makes room for a sample of a task.
func (t *codeTask) place(sample int) bool {
	if sample < 0 || sample >= maxTaskSamples {
		return false
	}
	for len(t.verdicts) <= sample {
		t.verdicts, t.results, t.samples = append(t.verdicts, '-'), append(t.results, -1), append(t.samples, -1)
	}
	return true
}

func (x *codeIndex) sample(line int, text []byte) error {
	var row struct { // the rest may be somebody else's, and is read where it is shown
		runfile.SampleRef
		Usage *struct {
			Output int `json:"output_tokens"`
		}
	}
	if err := bounded.Unmarshal(text, &row); err != nil || row.TaskID == "" {
		return errNoRow
	}
	t := x.task(row.TaskID)
	if !t.place(row.Sample) {
		return errNoRow
	}
	x.samples++
	t.verdicts[row.Sample], t.samples[row.Sample] = '.', line
	if row.Usage != nil {
		n := row.Usage.Output
		if t.tokens != nil {
			n += *t.tokens
		}
		t.tokens = &n
	}
	return nil
}

func (x *codeIndex) result(line int, text []byte) error {
	var row struct {
		runfile.SampleRef
		Verdict string
		Class   string `json:"error_class"`
		Message string `json:"error_message"`
		Seconds float64
	}
	if err := bounded.Unmarshal(text, &row); err != nil || row.TaskID == "" || row.Verdict == "" {
		return errNoRow
	}
	t := x.task(row.TaskID)
	if !t.place(row.Sample) {
		return errNoRow
	}
	if t.results[row.Sample] >= 0 { // judged again: the later verdict counts
		x.forget(t, row.Sample)
	}
	letter, known := letters[row.Verdict]
	if !known {
		letter = '?'
	}
	t.results[row.Sample], t.verdicts[row.Sample] = line, letter
	t.seconds += row.Seconds
	x.verdicts[doc.Clip(row.Verdict, 40)]++
	if row.Verdict != "infra_error" {
		x.judged++
	}
	if letter == 'p' {
		x.passed++
		t.passed++
	} else if t.error == "" {
		t.error = doc.Clip(row.Verdict, 40)
		if row.Class != "" {
			t.error = doc.Clip(row.Class, 80)
		}
		if row.Message != "" {
			t.error += ": " + doc.Clip(row.Message, 160)
		}
	}
	return nil
}

// forget takes a verdict back.
func (x *codeIndex) forget(t *codeTask, sample int) {
	old := t.verdicts[sample]
	for name, letter := range letters {
		if letter == old && x.verdicts[name] > 0 {
			x.verdicts[name]--
		}
	}
	if old != 'i' {
		x.judged--
	}
	if old == 'p' {
		x.passed--
		t.passed--
	}
}

// unknown counts the samples on which the sandbox failed.
func (x *codeIndex) unknown() int { return x.verdicts["infra_error"] }

// columns is the table of tasks.
func (x *codeIndex) columns() CodeTasks {
	n := len(x.tasks)
	c := CodeTasks{ID: doc.List(slices.Clone(x.ids)), Entry: make([]string, n), Verdicts: make([]string, n), Passed: make([]int, n),
		Error: make([]string, n), Seconds: make([]float64, n), Tokens: make([]*int, n)}
	for i, t := range x.tasks {
		c.Entry[i], c.Verdicts[i], c.Passed[i], c.Error[i], c.Seconds[i], c.Tokens[i] = t.entry, string(t.verdicts), t.passed, t.error,
			t.seconds, t.tokens
	}
	return c
}
