package localisation

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/locate"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Name is the environment's name.
const Name = "localisation"

// The reward is quality x (1 - weightCost x cost), where
//
//	quality = .65 ndcg@5 of files + .35 ndcg@5 of functions; that of files alone where a record has no gold functions
//	cost    = lines sent to workers, counted as often as they were sent, over 20,000; at most 1
//
// ndcg@5 is 1 for a single gold file in the first place, 0.63 in the second, 0.39 in the fifth, 0 behind it: more than five places
// gain nothing. Cheapness alone earns nothing.
const (
	rewardK        = 5
	weightFunction = 0.35
	weightCost     = 0.10
	dearLines      = 20_000.0
)

// reward is what metrics and the lines that were sent earn, and its parts.
func reward(m map[string]float64, linesSent int) (float64, []env.Part) {
	files, functions := Metric("ndcg", rewardK), FunctionLevel+Metric("ndcg", rewardK)
	parts := []env.Part{{Name: files, Value: m[files], Weight: 1}}
	quality := m[files]
	if of, ok := m[functions]; ok {
		parts[0].Weight = 1 - weightFunction
		parts = append(parts, env.Part{Name: functions, Value: of, Weight: weightFunction})
		quality = (1-weightFunction)*m[files] + weightFunction*of
	}
	cost := min(1, float64(linesSent)/dearLines)
	return quality * (1 - weightCost*cost), append(parts, env.Part{Name: "cost", Value: cost, Weight: -weightCost})
}

// maxIssue bounds the part of an issue that a policy sees, in bytes.
const maxIssue = 60_000

// aid is what the preset says of localise().
const aid = "Start from `localise()`: candidates by words, names and history; verify them by reading. Look further in"

//go:embed preset.md
var presetText string

// Config says what an Environment needs. Records, and Repos or Snapshots, must be given.
type Config struct {
	Records []Record
	// Repos is the directory that holds the checkouts, each in owner__name.
	Repos string
	// Snapshots is a directory that stands in for Repos: it holds codebases, packed, under their SnapshotName. They may come after
	// New. Defaults to none.
	Snapshots string
	// Parser parses what the code graph is made of. Defaults to none: there is no graph then.
	Parser func() (*syntax.Parser, error)
	// GraphDir keeps what the code graph read, for the next task on a repository. Defaults to none.
	GraphDir string
	// Patch has policies propose a patch, which they otherwise may. Defaults to false.
	Patch bool
	// Unaided has policies go without localise() and search(), to see what those add. Defaults to false.
	Unaided bool
}

// Environment makes and plays the tasks. It is safe for concurrent use.
type Environment struct {
	cfg    Config
	preset rlm.Preset
	tasks  env.Recent[int] // by record

	mu   sync.Mutex
	last map[string]*codebase.Codebase // by repository: the commit that was read last, which the next has most files in common with
}

// New opens the environment. A repository that is not there is an error that says how to get it.
func New(c Config) (*Environment, error) {
	if len(c.Records) == 0 {
		return nil, errors.New("localisation needs records")
	}
	var missing []string
	for _, r := range c.Records {
		if info, err := os.Stat(c.dir(r.Repo)); c.Snapshots == "" && (err != nil || !info.IsDir()) && !slices.Contains(missing, r.Repo) {
			missing = append(missing, r.Repo)
		}
	}
	if len(missing) > 0 {
		return nil, &taskset.Error{File: c.Repos, Err: fmt.Errorf("no checkout of %s", strings.Join(missing, ", ")),
			Advice: fmt.Sprintf("nothing is downloaded here: git clone https://github.com/%s %s, or name their directory with --repos DIR",
				missing[0], c.dir(missing[0]))}
	}
	text := presetText
	if c.Patch {
		text = askingForPatch(text)
	}
	if c.Unaided {
		text = strings.Replace(text, aid, "Start from", 1)
	}
	preset, err := rlm.ParsePreset(Name, text)
	if err != nil {
		return nil, err
	}
	return &Environment{cfg: c, preset: preset, tasks: env.Recent[int]{Keep: 8}, last: map[string]*codebase.Codebase{}}, nil
}

// dir is where a repository lies. Its name was checked: it leads nowhere else.
func (c Config) dir(repo string) string { return filepath.Join(c.Repos, Folder(repo)) }

// Folder is what the directory of a repository, owner/name, is called.
func Folder(repo string) string { return strings.Replace(repo, "/", "__", 1) }

// Name is "localisation".
func (e *Environment) Name() string { return Name }

// About describes the environment.
func (e *Environment) About() env.About { return About() }

// About describes the environment, which need not be open.
func About() env.About {
	return env.About{
		Summary: "SWE-bench-style records over local repositories: rank the files and functions that an issue needs changed",
		Warning: "issues and fixes are public, so a model may know them by heart; the simulated workers know the fix",
		Splits:  []string{env.Train},
		Parts: []env.Weight{
			{Name: Metric("ndcg", rewardK), Weight: 1 - weightFunction,
				Formula: "sum over gold files among the first 5 of 1/log2(rank+1), over that of the best ranking"},
			{Name: FunctionLevel + Metric("ndcg", rewardK), Weight: weightFunction,
				Formula: "the same of functions; a record without gold functions is all files"},
			{Name: "cost", Weight: -weightCost, Formula: "lines sent to workers / 20,000, at most 1; a share of what was earned"},
		},
		Version:    2,
		Metrics:    append(MetricNames(), "found", "found_functions", "coverage", "dispatches", "lines_sent", "num_turns"),
		RewardName: "localisation_reward",
		MaxTurns:   orchestration.MaxTurns,
		Fixed:      true,

		LeastHonest: 0.3, // a script that looks for an issue's words: real issues need more than that
	}
}

// Size is the number of records.
func (e *Environment) Size(env.Selection) int { return len(e.cfg.Records) }

// Task loads the repository of the i-th record at its base commit. Seed 0 leaves the records in their order, any other
// shuffles them; the rest of a selection means nothing here.
func (e *Environment) Task(ctx context.Context, s env.Selection, i int) (env.Task, error) {
	if i < 0 || i >= len(e.cfg.Records) {
		return env.Task{}, fmt.Errorf("%s has no task %d: there are %d records", Name, i, len(e.cfg.Records))
	}
	if s.Seed != 0 {
		i = rand.New(rand.NewPCG(uint64(plant.Seed(s.Seed, Name)), 1)).Perm(len(e.cfg.Records))[i]
	}
	return e.tasks.Get(i, func() (env.Task, error) { return e.load(ctx, e.cfg.Records[i]) })
}

// load makes a record's task.
func (e *Environment) load(ctx context.Context, r Record) (env.Task, error) {
	dir := e.cfg.dir(r.Repo)
	code, err := e.codebase(ctx, r)
	if err != nil {
		return env.Task{}, fmt.Errorf("%s: %w", r.InstanceID, err)
	}
	gold, err := r.Gold(ctx, code, e.cfg.Parser)
	if err != nil {
		return env.Task{}, fmt.Errorf("%s: %w", r.InstanceID, err)
	}
	t := env.Task{ID: Name + "/" + r.InstanceID, Split: env.Train, Codebase: code, Private: problem{r, gold}}
	for _, g := range r.GoldFiles {
		f, ok := code.File(g)
		if !ok {
			return env.Task{}, &taskset.Error{File: dir, Err: fmt.Errorf("%s: the gold file %q is not in commit %s", r.InstanceID, g, r.BaseCommit),
				Advice: "is this the repository that the record is about? Files larger than 1 MiB are not read"}
		}
		t.Defects = append(t.Defects, places(gold, g)...)
		t.Language = f.Language
	}
	return t, nil
}

// codebase is a record's repository at its base commit, out of git's object store: nothing is checked out, and a file that the
// last commit read of this repository has too is taken from there.
func (e *Environment) codebase(ctx context.Context, r Record) (*codebase.Codebase, error) {
	if e.cfg.Snapshots == "" {
		e.mu.Lock()
		like := e.last[r.Repo]
		e.mu.Unlock()
		code, err := codebase.Load(ctx, e.cfg.dir(r.Repo), codebase.Options{Commit: r.BaseCommit, Like: like})
		if err == nil {
			e.mu.Lock()
			e.last[r.Repo] = code
			e.mu.Unlock()
		}
		return code, err
	}
	packed, err := os.ReadFile(filepath.Join(e.cfg.Snapshots, r.snapshot()))
	if err != nil {
		return nil, err
	}
	return codebase.Unpack(packed)
}

// snapshot names what the record's codebase is packed into. Repository and commit were checked: it leads nowhere else.
func (r Record) snapshot() string {
	return Folder(r.Repo) + "@" + r.BaseCommit + ".codebase"
}

// problem is what a task of ours is made of.
type problem struct {
	Record
	gold Answer
}

// SnapshotName is what Config.Snapshots has a task's codebase packed under; not ok for a task of another environment.
func SnapshotName(t env.Task) (name string, ok bool) {
	p, ok := t.Private.(problem)
	if !ok {
		return "", false
	}
	return p.snapshot(), true
}

// places are what a simulated worker knows of a gold file: where its patch changes it.
func places(gold Answer, file string) []env.Defect {
	var out []env.Defect
	for _, r := range gold.Ranges {
		if r.File == file {
			out = append(out, defect(file, r.Line, r.EndLine))
		}
	}
	if out == nil {
		out = []env.Defect{defect(file, 1, 1)}
	}
	return out
}

func defect(file string, line, end int) env.Defect {
	return env.Defect{File: file, Line: line, EndLine: end, Category: "logic", Severity: "medium",
		Description: "A fix of the issue changes this."}
}

func join(gold, found Answer) runfile.Rankings {
	r := runfile.Rankings{GoldFiles: gold.Files, FoundFiles: found.Files, GoldFunctions: gold.Functions, FoundFunctions: found.Functions}
	for _, lines := range gold.Ranges {
		r.GoldLines = append(r.GoldLines, runfile.LineRange(lines))
	}
	for _, lines := range found.Ranges {
		r.FoundLines = append(r.FoundLines, runfile.LineRange(lines))
	}
	return r
}

// split takes rankings apart. What was found is read as an answer's lists are.
func split(r runfile.Rankings) (gold, found Answer) {
	var files, functions []place
	for _, f := range r.FoundFiles {
		files = append(files, place{file: f})
	}
	for _, f := range r.FoundFunctions {
		path, name, _ := strings.Cut(f, "::")
		functions = append(functions, place{file: path, name: name})
	}
	found, _ = rank(files, functions, func(string) bool { return false })
	for _, lines := range r.FoundLines[:min(len(r.FoundLines), maxRanked)] {
		found.Ranges = append(found.Ranges, Range(lines))
	}
	gold = Answer{Files: r.GoldFiles, Functions: r.GoldFunctions}
	for _, lines := range r.GoldLines {
		gold.Ranges = append(gold.Ranges, Range(lines))
	}
	return gold, found
}

// Roll plays one rollout and measures the ranking in its answer.
func (e *Environment) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	p, ok := t.Private.(problem)
	if !ok {
		return env.Rollout{}, fmt.Errorf("%q is no task of %s", t.ID, Name)
	}
	var fault error
	out, err := orchestration.Play(ctx, t, a, e.setting(p.Record), func(out *env.Rollout, result rlm.Result, _ int) {
		known := func(p string) bool { _, ok := t.Codebase.File(p); return ok }
		found, ranked := ParseAnswer(out.Answer, known)
		sent := result.Coverage.Totals().LinesSent
		out.Metrics = Measure(p.gold, found)
		out.Reward, out.Parts = reward(out.Metrics, sent)
		out.Metrics["found"], out.Metrics["found_functions"] = float64(len(found.Files)), float64(len(found.Functions))
		out.Metrics["num_turns"], out.Metrics["lines_sent"] = float64(out.Turns), float64(sent)
		out.Metrics["dispatches"], out.Metrics["coverage"] = float64(result.Metrics.Dispatches), result.Coverage.Fraction()
		kept := runfile.Localisation{InstanceID: p.InstanceID, Repo: p.Repo, Issue: p.head(runfile.MostIssue), Rankings: join(p.gold, found),
			Ranked: ranked, ModelPatch: Patch(out.Answer)}
		if kept.PatchApplies, kept.PatchParses, fault = e.propose(ctx, t.Codebase, kept.ModelPatch); fault == nil {
			out.Extra, fault = json.Marshal(kept)
		}
	})
	if err != nil {
		return out, err
	}
	return out, fault
}

// head is the head of a record's issue: at most so many bytes, and a mark where it goes on.
func (r Record) head(bytes int) string {
	return termtext.CutWith(strings.ToValidUTF8(r.Issue, "\uFFFD"), bytes, "\n[cut]")
}

// setting is what an issue is played under. No weight that ranks places has seen the record's repository.
func (e *Environment) setting(r Record) orchestration.Setting {
	return orchestration.Setting{Preset: e.task(r), Rules: orchestration.Current(), Parser: e.cfg.Parser, GraphDir: e.cfg.GraphDir,
		Locate: locate.Options{HeldOut: r.Repo}, Unaided: e.cfg.Unaided}
}

// task is the preset with the issue, which root and workers both are shown, and localise() takes.
func (e *Environment) task(r Record) rlm.Preset {
	text := r.head(maxIssue)
	issue := fmt.Sprintf("\n\n# Issue of %s\n\n<issue>\n%s\n</issue>", r.Repo, strings.ReplaceAll(text, "</issue>", "< /issue>"))
	return rlm.Preset{Name: e.preset.Name, Root: e.preset.Root + issue, Worker: e.preset.Worker + issue, Issue: text}
}

var _ env.Environment = (*Environment)(nil)
