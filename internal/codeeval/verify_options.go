package codeeval

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Names of the files in a run's directory.
const (
	ManifestName = rundir.ManifestName
	SamplesName  = "samples.jsonl"
	ResultsName  = "results.jsonl"
	SummaryName  = "summary.json"
)

// verifyCommand is what the manifest of a verification says.
const verifyCommand = "code verify"

// Stdin is the name of standard input as a source of samples.
const Stdin = "-"

// VerifyOptions say what is judged and how. They are saved in run.json: a resumed run uses them again.
type VerifyOptions struct {
	// Dataset is its name; Data and Split are as in dataset.Options.
	Dataset string `json:"dataset"`
	Data    string `json:"data,omitempty"`
	Split   string `json:"split,omitempty"`
	// Samples is a file, a directory, Stdin, verify.Canonical, or one of verify.Nulls.
	Samples string `json:"samples"`
	// IDs are the tasks that count, and Limit is how many of the dataset's first. Defaults to all.
	IDs   []string `json:"ids,omitempty"`
	Limit int      `json:"limit,omitempty"`
	// Mode is how completions are read, whatever the samples say. Defaults to what each sample says, else
	// extract.Exact.
	Mode extract.Mode `json:"mode,omitempty"`
	// Rescue, Repeat, StepsFactor and Challenge are as in verify.Config.
	Rescue      bool    `json:"rescue,omitempty"`
	Challenge   bool    `json:"challenge,omitempty"`
	Repeat      int     `json:"repeat,omitempty"`
	StepsFactor float64 `json:"steps_factor,omitempty"`
	// AllowInfra gives a headline in spite of samples without a verdict. Defaults to not.
	AllowInfra bool `json:"allow_infra,omitempty"`
	// Backend and Python name what runs programs, for a run that is taken up again; VerifyConfig.Box is it. Default to
	// the usual.
	Backend string `json:"backend,omitempty"`
	Python  string `json:"python,omitempty"`
	// Language is what programs are written in, as dataset.Options has it. Defaults to the dataset's own.
	Language string `json:"language,omitempty"`
	// Fleet is the address of the fleet that runs programs, for a run that is taken up again. Defaults to none.
	Fleet string `json:"fleet,omitempty"`
	// Workers is how many programs run at once. Defaults to verify's own.
	Workers int `json:"workers,omitempty"`
	// Out is the run's directory. Defaults to none: nothing is kept.
	Out string `json:"-"`
}

// VerifyConfig is what a verification takes from the program around it. Set and Box must be given.
type VerifyConfig struct {
	Set *dataset.Set
	Box verify.Executor
	// Workers is how many programs Box takes at once. Defaults to verify's own.
	Workers int
	// Python is the version of the machine's Python where Box may judge with that. Defaults to "".
	Python string
	// Tool is what makes and runs programs in another language, with its version: "g++ 12.2.0". Defaults to "".
	Tool string
	// Extract finds code in replies. Defaults to taking texts as they are.
	Extract *extract.Extractor
	// Cache remembers controls. Defaults to nothing.
	Cache *verify.GateCache
	// Stdin is read when Options.Samples is "-". Defaults to nothing.
	Stdin io.Reader
	// Version is the program's. Defaults to "".
	Version string
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// Observe sees the progress; it must be quick. Defaults to nothing.
	Observe func(Progress)
	// Opened is told of the run's directory; what it returns is called before that is closed. Defaults to nothing.
	Opened func(*rundir.Dir) (closing func())
}

func (c VerifyConfig) withDefaults() VerifyConfig {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Observe == nil {
		c.Observe = func(Progress) {}
	}
	if c.Opened == nil {
		c.Opened = func(*rundir.Dir) func() { return func() {} }
	}
	if c.Stdin == nil {
		c.Stdin = strings.NewReader("")
	}
	return c
}

// Progress is how far judging is.
type Progress struct {
	// Phase is PhaseControls or PhaseSamples.
	Phase string
	// Done of Total programs are judged; Passed of them passed.
	Done, Total, Passed int
	Elapsed             time.Duration
}

// Phases of judging.
const (
	PhaseControls = "controls"
	PhaseSamples  = "samples"
)

// Manifest is run.json: what a verification was asked to do.
type Manifest struct {
	runfile.Manifest
	Options VerifyOptions `json:"options"`
	// Dropped and Aside are what samples.jsonl leaves out of the source (see verify.Inventory).
	Dropped int `json:"dropped,omitempty"`
	Aside   int `json:"aside,omitempty"`
}

// fingerprint digests what decides the rows: the options, and the dataset that was read.
func (o VerifyOptions) fingerprint(set *dataset.Set) string {
	o.Workers, o.Out, o.AllowInfra, o.Data = 0, "", false, "" // the digest identifies the data
	return digest(o, set.Info.Hash)
}

// digest identifies plain data.
func digest(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic(err) // plain data
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// changed is the error of a run that this version would not begin as its manifest says.
func changed(m runfile.Manifest) error {
	return hint.Wrap(fmt.Errorf("%s was changed, or the dataset was, or another version of deeprepo wrote it (%s)", ManifestName, m.Version),
		"resume with the version and the data that began the run, or start a new one")
}

// selection is which tasks of a set count; nil: all.
func (o VerifyOptions) selection(set *dataset.Set) (func(string) bool, error) {
	if len(o.IDs) == 0 && o.Limit == 0 {
		return nil, nil
	}
	if o.Limit < 0 {
		return nil, hint.Wrap(fmt.Errorf("a limit of %d tasks", o.Limit), "--limit 20 takes the first twenty")
	}
	named := map[string]bool{}
	var missing []string
	for _, id := range o.IDs {
		if t, ok := set.Find(id); ok {
			named[t.ID] = true
		} else {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		return nil, hint.Wrap(fmt.Errorf("%s has no task %s", set.Info.Name, strings.Join(missing, ", ")), "its first is "+set.Tasks[0].ID)
	}
	chosen := map[string]bool{}
	for _, t := range set.Tasks {
		if (len(o.IDs) == 0 || named[t.ID]) && (o.Limit == 0 || len(chosen) < o.Limit) {
			chosen[t.ID] = true
		}
	}
	return func(id string) bool { return chosen[id] }, nil
}

// kind is how a run's directory is spoken of.
var kind = rundir.Kind{
	Name: "code run", Leaves: "results", By: "deeprepo code", Files: []string{SamplesName, ResultsName, SummaryName},
	Taken: func(path string) error {
		return hint.Wrap(fmt.Errorf("%s already holds a run", path),
			"deeprepo resume "+path+" continues it; or choose another directory with --out DIR")
	},
}

// IsVerify reports whether dir holds a verification.
func IsVerify(dir string) bool {
	m, err := rundir.ReadManifest[Manifest](dir, kind)
	return err == nil && m.Command == verifyCommand
}

// generated are sources of samples that are made of the dataset itself.
func generated(name string) bool {
	return name == verify.Canonical || slices.Contains(verify.Nulls(), name)
}

// source finds the samples. Of what is read only once, spool must keep a copy.
func (o VerifyOptions) source(set *dataset.Set, selected func(string) bool) (verify.Source, error) {
	switch {
	case o.Samples == "":
		return verify.Source{}, hint.New("no samples are named", "--samples FILE.jsonl, a directory, - for standard input, or canonical")
	case generated(o.Samples):
		return made(o.Samples, set, selected), nil
	default:
		return verify.Source{Name: filepath.Clean(o.Samples)}, nil
	}
}

// made has each task's own program of that name as its sample.
func made(name string, set *dataset.Set, selected func(string) bool) verify.Source {
	return verify.Source{Name: name, Rows: func(yield func(verify.Sample) bool) {
		for _, t := range set.Tasks {
			if selected != nil && !selected(t.ID) {
				continue
			}
			code, ok := t.Canonical, t.Canonical != ""
			if name != verify.Canonical {
				code, ok = verify.Null(t, name)
			}
			if ok && !yield(verify.Sample{TaskID: t.ID, Solution: &code, File: name}) {
				return
			}
		}
	}}
}
