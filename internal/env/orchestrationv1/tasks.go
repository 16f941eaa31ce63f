package orchestrationv1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
)

// problem is what this environment knows of a task: env.Task.Private.
type problem struct {
	name               string
	codebase, metadata json.RawMessage // objects, their keys in the file's order
	fileTree           string
	cache              map[string]string
	totalFiles         float64
	findings           []string
	question           string // the first user message
}

// record is one task of a task file.
type record struct {
	Name     string            `json:"name"`
	Codebase json.RawMessage   `json:"codebase"`
	FileTree *string           `json:"file_tree"`
	Metadata json.RawMessage   `json:"metadata"`
	Findings []string          `json:"ground_truth_findings"`
	Cache    map[string]string `json:"llm_cache"`
}

// maxTaskFile bounds what Load reads.
const maxTaskFile = 256 << 20

// TaskError says which task of a task file is malformed, and where.
type TaskError struct {
	Line int    // 1-based; 0 when the fault is in no line of a file
	Task string // its name, or its number when it has none; "" for the file as a whole
	Err  error
}

// Error gives the place first.
func (e *TaskError) Error() string {
	var at []string
	if e.Line > 0 {
		at = append(at, fmt.Sprintf("line %d", e.Line))
	}
	if e.Task != "" {
		at = append(at, "task "+e.Task)
	}
	if len(at) == 0 {
		return e.Err.Error()
	}
	return strings.Join(at, ", ") + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *TaskError) Unwrap() error { return e.Err }

// Hint names the form that is wanted.
func (e *TaskError) Hint() string {
	return "a task file is a JSON list of objects with name, codebase (path to text), file_tree, metadata (with total_files) and " +
		"ground_truth_findings"
}

// Load reads a task file of the reference project: a JSON list of tasks. Errors are of type *TaskError.
func Load(r io.Reader) ([]env.Task, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxTaskFile+1))
	if err != nil {
		return nil, &TaskError{Err: err}
	}
	if len(data) > maxTaskFile {
		return nil, &TaskError{Err: fmt.Errorf("the task file has more than %d bytes", maxTaskFile)}
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if start, err := d.Token(); err != nil || start != json.Delim('[') {
		return nil, &TaskError{Line: lineAt(data, d.InputOffset()), Err: errors.New("not a JSON list")}
	}
	var tasks []env.Task
	seen := map[string]bool{}
	for d.More() {
		number := strconv.Itoa(len(tasks) + 1)
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			at := d.InputOffset()
			if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
				at = syntax.Offset
			}
			return nil, &TaskError{Line: lineAt(data, at), Task: number, Err: err}
		}
		start := d.InputOffset() - int64(len(raw))
		t, at, err := taskOf(raw)
		if err == nil && seen[t.ID] {
			err = errors.New("a second task of this name")
		}
		if err != nil {
			if t.ID != "" {
				number = strconv.Quote(t.ID)
			}
			return nil, &TaskError{Line: lineAt(data, start+at), Task: number, Err: err}
		}
		seen[t.ID] = true
		tasks = append(tasks, t)
	}
	if _, err := d.Token(); err != nil {
		return nil, &TaskError{Line: lineAt(data, int64(len(data))), Err: errors.New("the list does not end")}
	}
	if len(tasks) == 0 {
		return nil, &TaskError{Err: errors.New("the task file holds no task")}
	}
	return tasks, nil
}

func lineAt(data []byte, offset int64) int {
	return 1 + bytes.Count(data[:max(0, min(offset, int64(len(data))))], []byte("\n"))
}

// taskOf makes a task of one element of the list; at is the offset of what is wrong with it.
func taskOf(raw json.RawMessage) (t env.Task, at int64, err error) {
	var r record
	if err := json.Unmarshal(raw, &r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			if wrong.Field == "" {
				return env.Task{ID: r.Name}, wrong.Offset, fmt.Errorf("a %s instead of an object", wrong.Value)
			}
			return env.Task{ID: r.Name}, wrong.Offset, fmt.Errorf("%s is a %s instead of a %s", wrong.Field, wrong.Value, wrong.Type)
		}
		return env.Task{}, 0, err
	}
	t.ID = r.Name
	switch {
	case r.Name == "":
		return t, 0, errors.New("name is missing")
	case r.FileTree == nil:
		return t, 0, errors.New("file_tree is missing")
	}
	where := func(part json.RawMessage) int64 { return max(0, int64(bytes.Index(raw, part))) }
	files := map[string]string{}
	if err := json.Unmarshal(r.Codebase, &files); err != nil {
		return t, where(r.Codebase), errors.New("codebase is not an object of texts by path")
	}
	if len(files) == 0 {
		return t, where(r.Codebase), errors.New("codebase is missing or empty")
	}
	p := &problem{
		name: r.Name, codebase: r.Codebase, metadata: r.Metadata, fileTree: *r.FileTree, cache: r.Cache, findings: r.Findings,
	}
	if p.cache == nil {
		p.cache = map[string]string{}
	}
	if err := p.describe(); err != nil {
		return t, where(r.Metadata), err
	}
	t = env.Task{ID: r.Name, Split: env.Train, Language: "python", Codebase: codebase.FromMap(files), Private: p}
	for _, f := range r.Findings {
		t.Defects = append(t.Defects, env.Defect{Category: "other", Severity: "medium", Description: f})
	}
	return t, 0, nil
}

// NewTask makes a task of any codebase whose defects are known by a sentence each. Its tree and its metadata are made in
// the form that the reference's have.
func NewTask(name string, files map[string]string, findings []string) (env.Task, error) {
	c := codebase.FromMap(files)
	var err error
	r := record{Name: name, FileTree: new(string), Findings: findings}
	*r.FileTree = tree(name, c.Paths())
	if r.Codebase, err = json.Marshal(files); err != nil { // Go sorts the keys
		return env.Task{}, err
	}
	if r.Metadata, err = json.Marshal(metadataOf(name, c)); err != nil {
		return env.Task{}, err
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return env.Task{}, err
	}
	t, _, err := taskOf(raw)
	if err != nil {
		return env.Task{}, &TaskError{Task: strconv.Quote(name), Err: err}
	}
	return t, nil
}

// From is a task of another environment under this one's rules. Its truth is the descriptions of its defects.
func From(t env.Task) (env.Task, error) {
	files := map[string]string{}
	for _, p := range t.Codebase.Paths() {
		files[p], _ = t.Codebase.Text(p)
	}
	var findings []string
	for _, d := range t.Defects {
		findings = append(findings, d.Description)
	}
	made, err := NewTask(t.ID, files, findings)
	if err != nil {
		return env.Task{}, err
	}
	t.Private = made.Private
	return t, nil
}

// metadata has the fields of the reference's, in its order.
type metadata struct {
	RepoName     string          `json:"repo_name"`
	TotalFiles   int             `json:"total_files"`
	TotalChars   int             `json:"total_chars"`
	TotalLines   int             `json:"total_lines"`
	FileTypes    json.RawMessage `json:"file_types"`
	LargestFiles [][2]any        `json:"largest_files"`
	EntryPoints  []string        `json:"entry_points"`
}

func metadataOf(name string, c *codebase.Codebase) metadata {
	m := metadata{RepoName: name, EntryPoints: c.EntryPoints(), LargestFiles: [][2]any{}}
	type sized struct {
		path  string
		chars int
	}
	var sizes []sized
	types := map[string]int{}
	for _, p := range c.Paths() {
		text, _ := c.Text(p)
		chars := utf8.RuneCountInString(text)
		sizes = append(sizes, sized{p, chars})
		m.TotalFiles++
		m.TotalChars += chars
		m.TotalLines += strings.Count(text, "\n")
		types[path.Ext(p)]++
	}
	slices.SortStableFunc(sizes, func(a, b sized) int { return b.chars - a.chars })
	for _, s := range sizes[:min(10, len(sizes))] {
		m.LargestFiles = append(m.LargestFiles, [2]any{s.path, s.chars})
	}
	m.FileTypes, _ = json.Marshal(types) // of strings and ints: it cannot fail
	return m
}

// tree draws the sorted paths with two spaces a level, files after the directories that they stand beside in order.
func tree(name string, paths []string) string {
	var b strings.Builder
	b.WriteString(name + "/")
	var open []string
	for _, p := range paths {
		parts := strings.Split(p, "/")
		dirs := parts[:len(parts)-1]
		same := 0
		for same < len(open) && same < len(dirs) && open[same] == dirs[same] {
			same++
		}
		for i := same; i < len(dirs); i++ {
			b.WriteString("\n" + strings.Repeat("  ", i+1) + dirs[i] + "/")
		}
		open = dirs
		b.WriteString("\n" + strings.Repeat("  ", len(parts)) + parts[len(parts)-1])
	}
	return b.String()
}

// commas is Python's format(n, ",") for a JSON number.
func commas(n json.Number) (string, error) {
	text := n.String()
	if f, err := n.Float64(); err != nil || math.IsInf(f, 0) {
		return "", fmt.Errorf("%s is no usable number", text)
	}
	whole, rest := text, ""
	if i := strings.IndexAny(text, ".eE"); i >= 0 {
		whole, rest = text[:i], text[i:]
	}
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	var b strings.Builder
	for i, c := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(c)
	}
	return sign + b.String() + rest, nil
}
