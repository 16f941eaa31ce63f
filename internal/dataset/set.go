package dataset

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Set is a dataset that was read.
type Set struct {
	Info  Info
	Tasks []Task

	index map[string]int
}

// Info says what a dataset is and where it is from.
type Info struct {
	Name  string `json:"name"`  // what Open calls it
	Title string `json:"title"` // what people call it
	// Licence is an SPDX identifier where there is one; Attribution is the text that the licence asks for.
	Licence     string   `json:"licence"`
	Attribution string   `json:"attribution"`
	Home        string   `json:"home"` // its page, for people
	Splits      []string `json:"splits,omitempty"`
	// KnownFailures are the tasks, by ID, whose own reference does not pass, each with the reason.
	KnownFailures map[string]string `json:"known_failures,omitempty"`
	// Skipped are the tasks of the file that this sandbox cannot judge and Tasks lacks, each with the reason.
	Skipped map[string]string `json:"skipped,omitempty"`
	// Hash is the SHA-256 of what was read, in hexadecimal. Of a directory it covers names and contents.
	Hash string `json:"hash,omitempty"`
	// Official says that Hash is that of the file its authors published.
	Official bool `json:"official"`
}

// Options say what to read and where to find it.
type Options struct {
	// Data is a file or a directory that holds the dataset. Defaults to the copy in CacheDir, which is fetched when
	// it is not there.
	Data string
	// CacheDir is where fetched files are kept. Defaults to none: then Data has to be given.
	CacheDir string
	// Client fetches. Defaults to none: then a file that is in neither Data nor CacheDir is not found.
	Client *http.Client
	// Split leaves only that split's tasks. Defaults to all tasks.
	Split string
	// Language is what programs are written in, as sandbox.Program has it: of a set whose programs read standard input it
	// may be any. Defaults to the set's own, which is Python for most.
	Language string
	// Parser returns what reads programs. Defaults to one that is opened and closed by Open, which takes a second.
	Parser func() (*syntax.Parser, error)
	// MaxBytes bounds what is read, after decompression. Defaults to 256 MiB for the small sets, 16 GiB for APPS,
	// CodeContests and LiveCodeBench.
	MaxBytes int64
}

// plugin is a dataset: what is said about it, where its file is, and how its tasks are read.
type plugin interface {
	about() Info
	origin() origin
	read(ctx context.Context, in *input) ([]Task, error)
}

// plugins are all datasets, in the order in which lists show them.
func plugins() []plugin {
	return []plugin{humanEval{}, mbpp{}, mbppSanitized{}, humanEvalPlus{}, mbppPlus{}, apps{}, codeContests{}, liveCodeBench{}, quixBugs{},
		multiplE{}}
}

// Names returns the names that Open knows.
func Names() []string {
	var names []string
	for _, p := range plugins() {
		names = append(names, p.about().Name)
	}
	return names
}

// Describe returns what is known about a dataset before it is read.
func Describe(name string) (Info, error) {
	p, err := find(name)
	if err != nil {
		return Info{}, err
	}
	return p.about(), nil
}

func find(name string) (plugin, error) {
	for _, p := range plugins() {
		if p.about().Name == name {
			return p, nil
		}
	}
	return nil, hint.Wrap(fmt.Errorf("there is no dataset %q", name), "there are "+strings.Join(Names(), ", "))
}

// Open reads the dataset of that name. Its errors are ctx's own, or say, with a hint, what is wrong with which line
// of which file, or how to come by the file.
func Open(ctx context.Context, name string, o Options) (*Set, error) {
	p, err := find(name)
	if err != nil {
		return nil, err
	}
	info := p.about()
	if o.Split != "" && !slices.Contains(info.Splits, o.Split) {
		advice := info.Name + " has no splits"
		if len(info.Splits) > 0 {
			advice = "its splits are " + strings.Join(info.Splits, ", ")
		}
		return nil, hint.Wrap(fmt.Errorf("dataset %s has no split %q", name, o.Split), advice)
	}
	in, err := openInput(ctx, p, o)
	if err != nil {
		return nil, err
	}
	defer in.close()
	tasks, err := p.read(ctx, in)
	if err != nil {
		return nil, in.explain(err)
	}
	tasks = in.spoken(tasks)
	if len(tasks) == 0 && len(in.skipped) > 0 && o.Language != "" {
		return nil, hint.Wrap(fmt.Errorf("%s: no task in it can be judged in %s", in.path, o.Language),
			"tasks that read standard input can, and those of "+multiplE{}.about().Title+" in that language")
	}
	if len(tasks) == 0 {
		return nil, hint.Wrap(fmt.Errorf("%s: no tasks in it", in.path), in.origin.hint(info.Name))
	}
	if info.Hash, err = in.sum(); err != nil {
		return nil, in.explain(err)
	}
	info.Skipped = in.skipped
	info.Official = in.origin.sha256 != "" && info.Hash == in.origin.sha256
	s := newSet(info, tasks, o.Split)
	if len(s.Tasks) == 0 {
		return nil, hint.Wrap(fmt.Errorf("%s: no task in it is of split %q", in.path, o.Split),
			"the file's or directory's name has to say which split it is where its rows do not")
	}
	return s, nil
}

// newSet indexes tasks, whose IDs differ, and leaves those of split.
func newSet(info Info, tasks []Task, split string) *Set {
	if split != "" {
		tasks = slices.DeleteFunc(tasks, func(t Task) bool { return t.Split != split })
	}
	s := &Set{Info: info, Tasks: tasks, index: make(map[string]int, len(tasks))}
	for i, t := range tasks {
		s.index[key(t.ID)] = i
	}
	return s
}

// Language is what the set's programs are written in, as sandbox.Program has it; "" for Python.
func (s *Set) Language() string {
	if len(s.Tasks) == 0 {
		return ""
	}
	return s.Tasks[0].Language
}

// Find returns the task that id names: as the set writes it, in other case ("Mbpp/11"), or without its prefix ("11").
func (s *Set) Find(id string) (Task, bool) {
	i, ok := s.index[key(id)]
	if !ok && len(s.Tasks) > 0 {
		if prefix, _, has := strings.Cut(s.Tasks[0].ID, "/"); has {
			i, ok = s.index[key(prefix+"/"+id)]
		}
	}
	if !ok {
		return Task{}, false
	}
	return s.Tasks[i], true
}

// key is what the index knows an ID by.
func key(id string) string { return strings.ToLower(id) }
