// Package orchestration is our environment: codebases grown from a seed, defects planted into them, the product's own
// loop with simulated workers (or real ones), and a rubric that pays for defects found by delegation.
//
//	rules.go    what differs between its versions
//	tasks.go    which task is the i-th of a selection
//	change.go   tasks that are changes
//	sim.go      the simulated worker, when it reviews; talk.go when it is asked something else
//	opinion.go  second opinions
//	roll.go     one rollout
//	rubric.go   what it earns, every formula and weight
//
// Invariant: equal selections give equal tasks, and equal policies, seeds and workers equal rewards.
package orchestration

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/grow"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Config says what an Environment needs.
type Config struct {
	// Parser parses what is planted into. It must be given.
	Parser func() (*syntax.Parser, error)
	// Templates and Operators are what tasks are made of. They must be given.
	Templates []grow.Template
	Operators []plant.Operator
	// Rules is the version that is played. Defaults to V2.
	Rules Rules
}

// Environment makes and plays the tasks. It is safe for concurrent use.
type Environment struct {
	cfg   Config
	tasks env.Recent[string]
}

// New opens the environment.
func New(c Config) *Environment { return &Environment{cfg: c, tasks: env.Recent[string]{Keep: 64}} }

// Name is "orchestration", or that of an earlier version.
func (e *Environment) Name() string { return e.cfg.Rules.name() }

// About describes the environment.
func (e *Environment) About() env.About {
	return env.About{
		Summary:    "generated codebases in Python, TypeScript, Go and Java with planted defects; simulated, static or real workers",
		Splits:     []string{env.Train, env.Heldout},
		Parts:      rubric(e.cfg.Rules),
		Metrics:    metricNames(),
		RewardName: "orchestration_reward",
		MaxTurns:   MaxTurns,
		MinFiles:   grow.MinFiles,
		MaxFiles:   MaxFiles,
		Version:    e.cfg.Rules.Version,
	}
}

// Size is 0: there is no end to generated tasks.
func (e *Environment) Size(env.Selection) int { return 0 }

// size is what a difficulty means: files from and to, and how much is planted at the least.
type size struct{ from, to, defects, cross, decoys int }

func sizeOf(difficulty string) (size, error) {
	switch difficulty {
	case "", env.Easy:
		return size{7, 12, 6, 1, 2}, nil
	case env.Medium:
		return size{24, 40, 11, 3, 5}, nil
	case env.Hard:
		return size{90, 160, 20, 6, 10}, nil
	}
	return size{}, fmt.Errorf("no difficulty %q: there are %s, %s and %s", difficulty, env.Easy, env.Medium, env.Hard)
}

// Task grows the i-th task. Languages and templates take turns, so that the first n tasks are spread evenly.
func (e *Environment) Task(ctx context.Context, s env.Selection, i int) (env.Task, error) {
	if i < 0 {
		return env.Task{}, fmt.Errorf("there is no task %d", i)
	}
	if s.Split == "" {
		s.Split = env.Train
	}
	if s.Difficulty == "" {
		s.Difficulty = env.Easy
	}
	templates, err := e.templates(s)
	if err != nil {
		return env.Task{}, err
	}
	dims, err := sizeOf(s.Difficulty)
	if err != nil {
		return env.Task{}, err
	}
	if s.Files != 0 && (s.Files < grow.MinFiles || s.Files > MaxFiles) {
		return env.Task{}, fmt.Errorf("%d files: a task has %d to %d", s.Files, grow.MinFiles, MaxFiles)
	}
	key := fmt.Sprintf("%s-%s-%s-%s-%d-%d-%06d", s.Change, s.Split, s.Difficulty, s.Language, s.Files, s.Seed, i)
	if s.Change != "" {
		return e.tasks.Get(key, func() (env.Task, error) { return e.change(ctx, s, dims, templates[i%len(templates)], i) })
	}
	return e.tasks.Get(key, func() (env.Task, error) { return e.make(ctx, s, dims, templates[i%len(templates)], i) })
}

// MaxFiles is the largest task.
const MaxFiles = 3000

func (e *Environment) make(ctx context.Context, s env.Selection, dims size, template grow.Template, i int) (env.Task, error) {
	seed := plant.Seed(s.Seed, Name, s.Split, s.Difficulty, template.Name, fmt.Sprint(i))
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	files := s.Files
	if files == 0 {
		files = dims.from + r.IntN(dims.to-dims.from+1)
	} else if more := files / 8; more > dims.defects { // a larger codebase of the same difficulty holds more of the same
		factor := float64(min(more, 60)) / float64(dims.defects)
		dims.defects, dims.cross, dims.decoys = min(more, 60), int(float64(dims.cross)*factor), int(float64(dims.decoys)*factor)
	}
	name, texts, err := grow.Grow(template, seed, files)
	if err != nil {
		return env.Task{}, err
	}
	planted, err := e.Plant(ctx, texts, template.Language, s.Split,
		plant.Plan{Seed: seed, Defects: dims.defects, CrossFile: dims.cross, Decoys: dims.decoys})
	if err != nil {
		return env.Task{}, fmt.Errorf("plant into %s (%s, seed %d): %w", name, template.Name, seed, err)
	}
	if len(planted.Defects) == 0 {
		return env.Task{}, fmt.Errorf("nothing could be planted into %s (%s, seed %d)", name, template.Name, seed)
	}
	code := codebase.FromMap(planted.Files)
	return env.Task{
		ID:    fmt.Sprintf("%s/%s/%s/%s/%d/%06d", e.Name(), s.Split, template.Name, s.Difficulty, s.Seed, i),
		Split: s.Split, Language: template.Language, Difficulty: s.Difficulty, Template: template.Name, Seed: seed,
		Codebase: code, Defects: planted.Defects, Decoys: planted.Decoys, Private: newAids(code, graph.Options{Parser: e.cfg.Parser}),
	}, nil
}

// Plant plants defects of one language and split into a program; a split of "" means the operators of both. language
// may be "" for all of them, in a user's own repository.
func (e *Environment) Plant(ctx context.Context, texts map[string]string, language, split string, plan plant.Plan) (plant.Planted, error) {
	parser, err := e.cfg.Parser()
	if err != nil {
		return plant.Planted{}, err
	}
	operators := slices.DeleteFunc(slices.Clone(e.cfg.Operators), func(o plant.Operator) bool {
		return language != "" && o.Language != language || split != "" && o.Split != split
	})
	return plant.Plant(ctx, parser, texts, operators, plan)
}

// templates are those of a selection, languages taking turns.
func (e *Environment) templates(s env.Selection) ([]grow.Template, error) {
	if s.Split != env.Train && s.Split != env.Heldout {
		return nil, fmt.Errorf("no split %q: there are %s and %s", s.Split, env.Train, env.Heldout)
	}
	byLanguage, languages := map[string][]grow.Template{}, []string{}
	for _, t := range e.cfg.Templates {
		if t.Split != s.Split || s.Language != "" && t.Language != s.Language {
			continue
		}
		if byLanguage[t.Language] == nil {
			languages = append(languages, t.Language)
		}
		byLanguage[t.Language] = append(byLanguage[t.Language], t)
	}
	if len(languages) == 0 {
		return nil, fmt.Errorf("no templates for language %q: there are python, typescript, go and java", s.Language)
	}
	var out []grow.Template
	for round := 0; ; round++ {
		more := false
		for _, l := range languages {
			of := byLanguage[l]
			out = append(out, of[round%len(of)])
			more = more || round+1 < len(of)
		}
		if !more {
			return out, nil
		}
	}
}
