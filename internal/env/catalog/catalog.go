// Package catalog opens environments by name.
package catalog

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	growgo "github.com/deeprepo/deeprepo/internal/env/grow/golang"
	growjava "github.com/deeprepo/deeprepo/internal/env/grow/java"
	growpython "github.com/deeprepo/deeprepo/internal/env/grow/python"
	growtypescript "github.com/deeprepo/deeprepo/internal/env/grow/typescript"
	"github.com/deeprepo/deeprepo/internal/env/localisation"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	plantgo "github.com/deeprepo/deeprepo/internal/env/plant/golang"
	plantjava "github.com/deeprepo/deeprepo/internal/env/plant/java"
	plantpython "github.com/deeprepo/deeprepo/internal/env/plant/python"
	planttypescript "github.com/deeprepo/deeprepo/internal/env/plant/typescript"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// V1 is the name of the reference environment.
const V1 = "orchestration-v1"

// kind is an environment that is opened by name.
type kind struct {
	name string
	open func(context.Context, Options) (env.Environment, error)
	// data says what Options.Data has to name, "" where it need not; about describes the environment without that.
	data  string
	about func() env.About
}

// kinds are all of them. This is the only list: what else there is to say, an environment says itself (env.About).
func kinds() []kind {
	return []kind{
		{name: orchestration.Name, open: func(_ context.Context, o Options) (env.Environment, error) { return Orchestration(o), nil }},
		{name: orchestration.NameV2, open: func(_ context.Context, o Options) (env.Environment, error) { return orchestrationV2(o), nil }},
		{name: V1, open: reference},
		{taskset.QuixBugsName, quixBugs, "the directory of the QuixBugs programs", orchestration.Fixed(quixBugsConfig(nil, nil)).About},
		{localisation.Name, issues, "a file of SWE-bench-style records", localisation.About},
	}
}

// Names lists the environments, those that need no data first.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Entry is an environment in a list.
type Entry struct {
	Name string `json:"name"`
	// Data says what Options.Data has to name, "" where it need not.
	Data string `json:"data,omitempty"`
	env.About
}

// List describes all environments.
func List(ctx context.Context, o Options) ([]Entry, error) {
	o.Data = ""
	var list []Entry
	for _, k := range kinds() {
		if k.data != "" {
			list = append(list, Entry{k.name, k.data, k.about()})
			continue
		}
		e, err := k.open(ctx, o)
		if err != nil {
			return nil, err
		}
		list = append(list, Entry{Name: k.name, About: e.About()})
	}
	return list, nil
}

// Options say what environments are opened with.
type Options struct {
	// Parser parses what defects are planted into. It must be given.
	Parser func() (*syntax.Parser, error)
	// Data is where an environment's tasks come from: the file of the reference environment's codebases (without it,
	// generated tasks are played under its rules), the directory of QuixBugs, or the file with localisation's records.
	// Defaults to none.
	Data string
	// Repos is the directory with the checkouts of localisation's repositories, each in owner__name. Defaults to "repos"
	// beside the records.
	Repos string
	// Snapshots stands in for Repos (see localisation.Config). Defaults to none.
	Snapshots string
	// GraphDir is localisation's, as in its Config.
	GraphDir string
	// Patch has localisation's policies propose a patch. Defaults to false.
	Patch bool
	// Unaided has them go without localise() and search(). Defaults to false.
	Unaided bool
}

// Templates lists all templates, Operators all operators, languages in one order.
func Templates() []grow.Template {
	return slices.Concat(growpython.Templates(), growtypescript.Templates(), growgo.Templates(), growjava.Templates())
}

// Operators lists all mutation operators.
func Operators() []plant.Operator {
	return slices.Concat(plantpython.Operators(), planttypescript.Operators(), plantgo.Operators(), plantjava.Operators())
}

// Orchestration opens our own environment.
func Orchestration(o Options) *orchestration.Environment {
	return orchestration.New(orchestration.Config{Parser: o.Parser, Templates: Templates(), Operators: Operators(),
		Rules: orchestration.Current()})
}

// orchestrationV2 opens our environment as it was before roots could judge: other rules, and the tasks of then.
func orchestrationV2(o Options) *orchestration.Environment {
	first := slices.Concat(growpython.Templates(), growtypescript.Templates(), growgo.Templates(), growjava.Unsettled())
	return orchestration.New(orchestration.Config{Parser: o.Parser, Templates: first, Operators: Operators(), Rules: orchestration.V2()})
}

// Open opens an environment by its name, or the fixed tasks at a path.
func Open(ctx context.Context, name string, o Options) (env.Environment, error) {
	for _, k := range kinds() {
		if k.name == name {
			return k.open(ctx, o)
		}
	}
	if taskset.Is(name) {
		return fixed(ctx, name, o)
	}
	names := Names()
	advice := "the environments are " + strings.Join(names, ", ") + "; a path opens the tasks that stand there"
	if near := suggest.Nearest(name, names); near != "" {
		advice = fmt.Sprintf("did you mean %s? %s", near, advice)
	}
	return nil, hint.Wrap(fmt.Errorf("there is no environment %q", name), advice)
}

// quixBugs opens the QuixBugs programs.
func quixBugs(_ context.Context, o Options) (env.Environment, error) {
	if o.Data == "" {
		return nil, hint.New("quixbugs needs its programs", "name the directory with programs.jsonl and support.json: --data DIR")
	}
	q, err := taskset.OpenQuixBugs(o.Data)
	if err != nil {
		return nil, err
	}
	return orchestration.Fixed(quixBugsConfig(q.Tasks, o.Parser)), nil
}

func quixBugsConfig(tasks func(seed int64) []env.Task, parser func() (*syntax.Parser, error)) orchestration.FixedConfig {
	return orchestration.FixedConfig{
		Name: taskset.QuixBugsName, Summary: "QuixBugs: small Python programs with a defect in one line each, five in a codebase, shuffled " +
			"by the seed",
		Warning: "the programs are public, so a model may know their defects by heart; and with five defects in some hundred lines, claims " +
			"at every line earn about 0.06",
		Tasks: tasks, Parser: parser,
	}
}

// issues opens the environment of file localisation.
func issues(_ context.Context, o Options) (env.Environment, error) {
	if o.Data == "" {
		return nil, hint.New("localisation needs records",
			"name a file of SWE-bench-style records: --data FILE, with the checkouts of their repositories in --repos DIR")
	}
	records, err := localisation.OpenRecords(o.Data)
	if err != nil {
		return nil, err
	}
	if o.Repos == "" {
		o.Repos = filepath.Join(filepath.Dir(o.Data), "repos")
	}
	e, err := localisation.New(localisation.Config{Records: records, Repos: o.Repos, Snapshots: o.Snapshots, Parser: o.Parser,
		GraphDir: o.GraphDir, Patch: o.Patch, Unaided: o.Unaided})
	if err != nil {
		return nil, err
	}
	return e, nil
}

// fixed opens the tasks at a path.
func fixed(ctx context.Context, path string, o Options) (env.Environment, error) {
	set, err := taskset.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return orchestration.Fixed(orchestration.FixedConfig{
		Name: set.Name, Summary: fmt.Sprintf("%d fixed tasks out of files, under the rules of %s", len(set.Tasks), orchestration.Name),
		Tasks: func(int64) []env.Task { return set.Tasks }, Parser: o.Parser,
	}), nil
}

// generated is how many generated tasks stand in for the reference's three codebases.
const generated = 6

// reference opens the reference environment over its own codebases, or, without their file, over generated ones.
func reference(ctx context.Context, o Options) (env.Environment, error) {
	if o.Data != "" {
		f, err := bounded.Open(o.Data, 0)
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil, hint.Wrap(fmt.Errorf("no file %s", o.Data),
					"give the reference environment's codebases with --data FILE, or leave --data out to play generated ones under its rules")
			}
			return nil, err
		}
		defer f.Close()
		tasks, err := orchestrationv1.Load(f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o.Data, err)
		}
		return orchestrationv1.New(tasks), nil
	}
	ours := Orchestration(o)
	var tasks []env.Task
	for i := range generated {
		t, err := ours.Task(ctx, env.Selection{Language: "python", Files: grow.MinFiles}, i)
		if err != nil {
			return nil, err
		}
		if t, err = orchestrationv1.From(t); err != nil {
			return nil, err
		}
		tasks = append(tasks, t)
	}
	return orchestrationv1.New(tasks), nil
}
