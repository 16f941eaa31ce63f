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

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestration"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Name is the environment's name.
const Name = "localisation"

// rewardK is the cut-off of the reward, ndcg@5: 1 for a single gold file in the first place, 0.63 in the second, 0.39 in
// the fifth, 0 behind it. More than five paths gain nothing.
const rewardK = 5

// maxIssue bounds the part of an issue that a policy sees, in bytes.
const maxIssue = 60_000

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
}

// Environment makes and plays the tasks. It is safe for concurrent use.
type Environment struct {
	cfg    Config
	preset rlm.Preset
	tasks  env.Recent[int] // by record
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
	preset, err := rlm.ParsePreset(Name, presetText)
	if err != nil {
		return nil, err
	}
	return &Environment{cfg: c, preset: preset, tasks: env.Recent[int]{Keep: 8}}, nil
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
		Summary: "SWE-bench-style records over local checkouts: rank the files that an issue needs changed",
		Warning: "issues and fixes are public, so a model may know them by heart; the simulated workers know the fix",
		Splits:  []string{env.Train},
		Parts: []env.Weight{{Name: Metric("ndcg", rewardK), Weight: 1,
			Formula: "sum over gold files among the first 5 of 1/log2(rank+1), over that of the best ranking"}},
		Metrics:    append(MetricNames(), "found", "coverage", "dispatches", "num_turns"),
		RewardName: "localisation_reward",
		MaxTurns:   orchestration.MaxTurns,
		Fixed:      true,
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
	t := env.Task{ID: Name + "/" + r.InstanceID, Split: env.Train, Codebase: code, Private: r}
	for _, g := range r.GoldFiles {
		f, ok := code.File(g)
		if !ok {
			return env.Task{}, &taskset.Error{File: dir, Err: fmt.Errorf("%s: the gold file %q is not in commit %s", r.InstanceID, g, r.BaseCommit),
				Advice: "is this the repository that the record is about? Files larger than 1 MiB are not read"}
		}
		t.Defects = append(t.Defects, places(r, g, f.Lines)...)
		t.Language = f.Language
	}
	return t, nil
}

// codebase is a record's repository at its base commit.
func (e *Environment) codebase(ctx context.Context, r Record) (*codebase.Codebase, error) {
	if e.cfg.Snapshots == "" {
		return codebase.Load(ctx, e.cfg.dir(r.Repo), codebase.Options{Commit: r.BaseCommit})
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

// SnapshotName is what Config.Snapshots has a task's codebase packed under; not ok for a task of another environment.
func SnapshotName(t env.Task) (name string, ok bool) {
	r, ok := t.Private.(Record)
	if !ok {
		return "", false
	}
	return r.snapshot(), true
}

// places are what a simulated worker knows of a gold file: where its patch changes it.
func places(r Record, file string, lines int) []env.Defect {
	var out []env.Defect
	for _, c := range r.changes {
		for _, h := range c.Hunks {
			if c.Old == file && h[1] <= lines {
				out = append(out, defect(file, h[0], h[1]))
			}
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

// Extra is what a rollout leaves beside its numbers (env.Rollout.Extra).
type Extra struct {
	InstanceID string   `json:"instance_id"`
	GoldFiles  []string `json:"gold_files"`
	FoundFiles []string `json:"found_files"`
	ModelPatch string   `json:"model_patch"`
}

// Roll plays one rollout and measures the ranking in its answer.
func (e *Environment) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	r, ok := t.Private.(Record)
	if !ok {
		return env.Rollout{}, fmt.Errorf("%q is no task of %s", t.ID, Name)
	}
	var fault error
	out, err := orchestration.Play(ctx, t, a, e.setting(r), func(out *env.Rollout, result rlm.Result, _ int) {
		known := func(p string) bool { _, ok := t.Codebase.File(p); return ok }
		found := ParseAnswer(out.Answer, known)
		out.Metrics = Measure(r.GoldFiles, found)
		out.Reward = out.Metrics[Metric("ndcg", rewardK)]
		out.Parts = []env.Part{{Name: Metric("ndcg", rewardK), Value: out.Reward, Weight: 1}}
		out.Metrics["found"], out.Metrics["num_turns"] = float64(len(found)), float64(out.Turns)
		out.Metrics["dispatches"], out.Metrics["coverage"] = float64(result.Metrics.Dispatches), result.Coverage.Fraction()
		out.Extra, fault = json.Marshal(Extra{r.InstanceID, r.GoldFiles, found, Patch(out.Answer)})
	})
	if err != nil {
		return out, err
	}
	return out, fault
}

// setting is what an issue is played under.
func (e *Environment) setting(r Record) orchestration.Setting {
	return orchestration.Setting{Preset: e.task(r), Rules: orchestration.Current(), Parser: e.cfg.Parser}
}

// task is the preset with the issue, which root and workers both are shown.
func (e *Environment) task(r Record) rlm.Preset {
	text := termtext.CutWith(strings.ToValidUTF8(r.Issue, "\uFFFD"), maxIssue, "\n[cut]")
	issue := fmt.Sprintf("\n\n# Issue of %s\n\n<issue>\n%s\n</issue>", r.Repo, strings.ReplaceAll(text, "</issue>", "< /issue>"))
	return rlm.Preset{Name: e.preset.Name, Root: e.preset.Root + issue, Worker: e.preset.Worker + issue}
}

var _ env.Environment = (*Environment)(nil)
