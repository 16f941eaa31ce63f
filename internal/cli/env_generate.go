package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/env/taskset"
	"github.com/deeprepo/deeprepo/internal/jsonfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) envGenerateCommand() *cobra.Command {
	var f taskFlags
	var from, out string
	var index, defects, count int
	var pr, clean bool
	cmd := &cobra.Command{
		Use:   "generate --out DIR",
		Short: "Write a codebase with planted defects, and the truth beside it",
		Long: `Write a generated codebase to DIR/tree and the truth about its planted defects to DIR/truth.json (decoys, which look
wrong and are right, to DIR/decoys.json). --count writes several tasks, into DIR/000, DIR/001, ... With --from PATH the
defects are planted into a copy of the repository at PATH, which itself is only read. The same flags give the same bytes.

With --pr, a task is a change, as a pull request brings it: DIR/base is the codebase before it and DIR/tree after it. DIR/truth.json
names the defects that it brings in, DIR/before.json those that were there already, and DIR/fixed.json those of the base that it
mends. With --clean it brings none in. deeprepo analyze DIR/tree --base DIR/base reviews it.

A reader of DIR/tree must not see DIR/truth.json: deeprepo bench and deeprepo eval take DIR and keep them apart.
deeprepo eval also takes the DIR of several tasks.`,
		Example: `  deeprepo env generate --lang python --files 40 --difficulty medium --seed 7 --out /tmp/python-40
  deeprepo env generate --from ~/src/myproject --defects 12 --seed 1 --out /tmp/planted
  deeprepo env generate --split heldout --count 20 --out /tmp/heldout && deeprepo eval /tmp/heldout
  deeprepo env generate --pr --count 10 --out /tmp/changes && deeprepo analyze /tmp/changes/000/tree --base /tmp/changes/000/base
  deeprepo analyze /tmp/planted/tree`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := f.selection()
			if err != nil {
				return err
			}
			switch {
			case clean && !pr:
				return usageError{errors.New("--clean needs --pr"), "a whole codebase without defects is no task"}
			case pr && from != "":
				return usageError{errors.New("--pr cannot be used with --from"), "changes are made of generated codebases"}
			case pr && clean:
				s.Change = env.ChangeClean
			case pr:
				s.Change = env.ChangeFaulty
			}
			if out == "" {
				return usageError{errors.New("--out is missing"), "deeprepo env generate --out DIR"}
			}
			if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
				return usageError{fmt.Errorf("%s is not empty", out), "name a new or empty directory"}
			}
			if count < 1 || count > 1000 {
				return usageError{fmt.Errorf("--count %d is not between 1 and 1000", count), ""}
			}
			if count > 1 {
				return a.generateSeveral(cmd, s, from, out, index, count)
			}
			if from != "" && inside(out, from) {
				return usageError{fmt.Errorf("%s lies in %s, which is only read", out, from), "name a directory elsewhere: --out /tmp/planted"}
			}
			t, err := a.generate(cmd, s, from, index, defects)
			if err != nil {
				return err
			}
			if err := writeTask(out, t); err != nil {
				return err
			}
			stats := t.Codebase.Stats()
			return a.print(map[string]any{"id": t.ID, "out": out, "files": stats.Files, "lines": stats.Lines, "defects": len(t.Defects),
				"decoys": len(t.Decoys)}, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "%s: %d files, %d lines, %d defects, %d decoys\ntree:  %s\ntruth: %s\n", t.ID, stats.Files, stats.Lines,
					len(t.Defects), len(t.Decoys), filepath.Join(out, "tree"), filepath.Join(out, "truth.json"))
				return err
			})
		},
	}
	f.add(cmd)
	cmd.Flags().Lookup("data").Hidden = true
	cmd.Flags().Lookup("repos").Hidden = true
	cmd.Flags().BoolVar(&pr, "pr", false, "write changes: DIR/base is the codebase before, DIR/tree after; some of the edits plant defects")
	cmd.Flags().BoolVar(&clean, "clean", false, "with --pr: changes of honest edits alone")
	cmd.Flags().StringVar(&out, "out", "", "directory to write to, new or empty")
	cmd.Flags().StringVar(&from, "from", "", "repository to plant into (default: a generated one)")
	cmd.Flags().IntVar(&index, "index", 0, "number of the task in the selection, from 0")
	cmd.Flags().IntVar(&count, "count", 1, "number of tasks to write, from --index on")
	cmd.Flags().IntVar(&defects, "defects", 0, "number of defects to plant with --from (default: one per eight source files, 6 to 40)")
	return cmd
}

// generateSeveral writes tasks into their own directories, which deeprepo eval plays in their order.
func (a *app) generateSeveral(cmd *cobra.Command, s env.Selection, from, out string, index, count int) error {
	if from != "" {
		return usageError{errors.New("--count cannot be used with --from"),
			"another --seed plants other defects: write each into its own directory"}
	}
	type entry struct {
		ID      string `json:"id"`
		Out     string `json:"out"`
		Files   int    `json:"files"`
		Lines   int    `json:"lines"`
		Defects int    `json:"defects"`
		Decoys  int    `json:"decoys"`
	}
	var list []entry
	for i := range count {
		t, err := a.generate(cmd, s, "", index+i, 0)
		if err != nil {
			return err
		}
		e := entry{ID: t.ID, Out: filepath.Join(out, fmt.Sprintf("%03d", i)), Defects: len(t.Defects), Decoys: len(t.Decoys)}
		if err := writeTask(e.Out, t); err != nil {
			return err
		}
		stats := t.Codebase.Stats()
		e.Files, e.Lines = stats.Files, stats.Lines
		list = append(list, e)
		if !a.json {
			fmt.Fprintf(a.stdout, "%s: %s: %d files, %d lines, %d defects, %d decoys\n", e.Out, termtext.Masked(e.ID), e.Files, e.Lines,
				e.Defects, e.Decoys)
		}
	}
	if a.json {
		return a.printJSON(map[string]any{"tasks": list})
	}
	return nil
}

func (a *app) generate(cmd *cobra.Command, s env.Selection, from string, index, defects int) (env.Task, error) {
	ours := catalog.Orchestration(a.catalog(""))
	if from == "" {
		if defects != 0 {
			return env.Task{}, usageError{errors.New("--defects needs --from"), "the difficulty sets the number of defects in generated codebases"}
		}
		return ours.Task(cmd.Context(), s, index)
	}
	if cmd.Flags().Changed("files") || cmd.Flags().Changed("difficulty") || cmd.Flags().Changed("index") {
		return env.Task{}, usageError{errors.New("--files, --difficulty and --index cannot be used with --from"),
			"--defects sets how many are planted"}
	}
	split := "" // a user's own repository has no split to keep apart, unless one is named
	if cmd.Flags().Changed("split") {
		split = s.Split
	}
	return plantInto(cmd.Context(), ours, from, s, split, defects)
}

// planter plants into texts. *orchestration.Environment is one.
type planter interface {
	Plant(ctx context.Context, texts map[string]string, language, split string, plan plant.Plan) (plant.Planted, error)
}

func plantInto(ctx context.Context, p planter, from string, s env.Selection, split string, defects int) (env.Task, error) {
	code, err := codebase.Load(ctx, from, codebase.Options{})
	if err != nil {
		return env.Task{}, err
	}
	texts, sources := map[string]string{}, 0
	for _, path := range code.Paths() {
		texts[path], _ = code.Text(path)
		if l := plant.Language(path); l != "" && (s.Language == "" || l == s.Language) && !codebase.IsTest(path) {
			sources++
		}
	}
	if sources == 0 {
		return env.Task{}, usageError{fmt.Errorf("%s holds no Python, TypeScript, Go or Java file that defects could be planted into", from), ""}
	}
	if defects <= 0 {
		defects = min(40, max(6, sources/8))
	}
	plan := plant.Plan{Seed: s.Seed, Defects: defects, CrossFile: defects / 4, Decoys: defects / 3}
	planted, err := p.Plant(ctx, texts, s.Language, split, plan)
	if err != nil {
		return env.Task{}, err
	}
	if len(planted.Defects) == 0 {
		return env.Task{}, usageError{fmt.Errorf("%s offers no place for a defect", from),
			"larger programs offer more; --lang and --split narrow the choice"}
	}
	return env.Task{ID: "planted/" + filepath.Base(from), Split: split, Language: s.Language, Seed: s.Seed,
		Codebase: codebase.FromMap(planted.Files), Defects: planted.Defects, Decoys: planted.Decoys}, nil
}

// inside says whether path, which need not be there, is dir or lies in it, links followed.
func inside(path, dir string) bool {
	root, err := os.Stat(dir)
	if err != nil {
		return false // what reads dir says so
	}
	if path, err = filepath.Abs(path); err != nil {
		return false
	}
	for {
		if at, err := os.Stat(path); err == nil && os.SameFile(at, root) {
			return true
		}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		up := filepath.Dir(path)
		if up == path {
			return false
		}
		path = up
	}
}

// writeTask writes the tree and the truth beside it. Paths of a codebase are relative and inside its root; a name that
// the file system cannot have is an error.
func writeTask(out string, t env.Task) error {
	lists := map[string]any{taskset.TruthName: orEmpty(t.Defects), taskset.DecoysName: orEmpty(t.Decoys)}
	if err := writeTree(filepath.Join(out, taskset.TreeName), t.Codebase); err != nil {
		return err
	}
	if t.Base != nil {
		lists[taskset.BeforeName], lists[taskset.FixedName] = orEmpty(t.Before), orEmpty(t.Fixed)
		if err := writeTree(filepath.Join(out, taskset.BaseName), t.Base); err != nil {
			return err
		}
	}
	for name, v := range lists {
		data, err := jsonfile.Bytes(v)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(out, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func writeTree(tree string, code *codebase.Codebase) error {
	if err := os.MkdirAll(tree, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(tree)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, path := range code.Paths() {
		text, _ := code.Text(path)
		if dir := filepath.Dir(path); dir != "." {
			if err := root.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		if err := root.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
