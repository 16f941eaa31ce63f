package e2e

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// changeReviewed is the review of a change that brings a defect in, mends one, and leaves one.
func changeReviewed(t *testing.T) string {
	t.Helper()
	return run(t, "change-review", func(dir string) {
		const find = "def find(db, name):\n    return db.execute(\"select * from users where name = '%s'\" % name)\n"
		was, is := filepath.Join(world, "change", "before"), filepath.Join(world, "change", "shop")
		runtest.WriteFile(t, filepath.Join(was, "users.py"), find)
		runtest.WriteFile(t, filepath.Join(is, "users.py"), find+"\n\ndef all_of(db):\n    return db.execute('select * from users')\n")
		runtest.WriteFile(t, filepath.Join(was, "price.py"), "import os\n\n\ndef price(text):\n    os.system('echo ' + text)\n")
		runtest.WriteFile(t, filepath.Join(is, "price.py"), "def price(text):\n    return int(text)\n")
		runtest.WriteFile(t, filepath.Join(is, "backup.py"), "import os\n\n\ndef backup(name):\n    os.system('tar cf backup.tar ' + name)\n")
		must(t, world, nil, "analyze", is, "--base", was, "--offline", "--out", dir)
	})
}

// atItsBase is the review of a change that reads its base right now.
func atItsBase(t *testing.T) string {
	t.Helper()
	dir := copied(t, changeReviewed(t))
	for _, name := range []string{"report.json", "report.html", "report.md", "coverage.json", filepath.Join("before", "report.json")} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	lock, err := rundir.Open(dir, rundir.Kind{Name: "run"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	return dir
}

// refused is a review whose models refuse to answer.
func refused(t *testing.T) string {
	t.Helper()
	return run(t, "refused-review", func(dir string) {
		refuse := func(llmtest.ChatRequest) llmtest.Reply { return llmtest.Status(401, "no such key") }
		srv := llmtest.NewServer(nil, llmtest.Options{Reply: refuse})
		defer srv.Close()
		cmd := deeprepo(t.Context(), world, []string{"DEEPREPO_LOCAL_URL=" + srv.URL + "/v1"}, "analyze", filepath.Join(planted(t), "tree"),
			"--strategy", "rlm", "--root", "local/root", "--worker", "local/worker", "--out", dir)
		if out, err := cmd.CombinedOutput(); err == nil {
			t.Fatalf("a review without an answer ended well:\n%s", out)
		}
	})
}

// listReviewed is the review of a list of codebases.
func listReviewed(t *testing.T) string {
	t.Helper()
	return run(t, "listed-reviews", func(dir string) {
		list := filepath.Join(world, "list.txt")
		runtest.WriteFile(t, list, filepath.Join(world, "change", "shop")+"\n"+filepath.Join(planted(t), "tree")+"\n")
		must(t, world, nil, "analyze", "--list", list, "--offline", "--out", dir)
	})
}

// audited are pairs that somebody else made, looked at.
func audited(t *testing.T) string {
	t.Helper()
	pairs := filepath.Join(paired(t), "train.jsonl")
	return run(t, "pairs-audit", func(dir string) { must(t, world, nil, "pairs", "audit", pairs, "--out", dir) })
}

// trainedAgain is trained once more, with other figures.
func trainedAgain(t *testing.T) string {
	t.Helper()
	first := trained(t)
	return run(t, "recorded-training-again", func(dir string) {
		if err := os.CopyFS(dir, os.DirFS(first)); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "metrics.jsonl")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		runtest.WriteFile(t, file, strings.ReplaceAll(string(text), ":0.7", ":0.6"))
	})
}

// comparedAll is the comparison of four code evals.
func comparedAll(t *testing.T) string {
	t.Helper()
	base, tuned, third := codeEvaluated(t, "base"), codeEvaluated(t, "tuned"), codeEvaluated(t, "third")
	return run(t, "coder-three", func(dir string) {
		must(t, world, nil, "code", "compare", base, "tuned="+tuned, "without-mistakes="+third, "--out", dir)
	})
}

// place is a page to be looked at: an address, and what is clicked there.
type place struct{ name, at, click, says string }

// everyPlace is every place of the page, with every kind of run.
func everyPlace(t *testing.T, id func(dir string) string, finding, file string) []place {
	t.Helper()
	var all []place
	of := func(name, dir string, at ...string) {
		for _, a := range at {
			label := strings.NewReplacer("/", "-", "?", "-", "=", "-", "&", "-").Replace(a)
			all = append(all, place{name: strings.TrimSuffix(name+"-"+label, "-"), at: strings.TrimSuffix("#/run/"+id(dir)+"/"+a, "/")})
		}
	}
	partial, part, _ := unanswering(t)
	all = append(all, place{name: "list", at: "#/"}, place{name: "fleet", at: "#/fleet"},
		place{"help", "#/", "[aria-label^=Keys]", "Everywhere"})
	of("review", reviewed(t), "", "turns", "turns/1", "turns/2", "code", "code?tab=skipped", "findings?tab=analysis", "findings?by=file")
	all = append(all, place{name: "review-finding", at: "#/run/" + id(reviewed(t)) + "/findings/" + finding},
		place{name: "review-file", at: "#/run/" + id(reviewed(t)) + "/code/file/" + file},
		place{"review-dispatch", "#/run/" + id(reviewed(t)) + "/turns/1", `[aria-label="Dispatches of turn 1"] tr.opens`, "Dispatch 1 of"})
	of("change", changeReviewed(t), "findings?tab=fixed", "turns", "code")
	all = append(all,
		place{name: "change", at: "#/run/" + id(changeReviewed(t)), says: "Change from base before to head shop"},
		place{name: "change-at-work", at: "#/run/" + id(atItsBase(t)), says: "reviewing the base"},
		place{name: "review-nothing-kept", at: "#/run/" + id(reviewed(t)) + "/findings?q=nowhere", says: "No finding passes the filter"})
	of("partial", partial, "", "code")
	all = append(all, place{name: "partial-file", at: "#/run/" + id(partial) + "/code/file/" + part})
	of("refused", refused(t), "code")
	all = append(all, place{name: "refused", at: "#/run/" + id(refused(t)), says: "Continue with deeprepo resume"},
		place{name: "refused-turns", at: "#/run/" + id(refused(t)) + "/turns", says: "The root has taken no turn"},
		place{name: "audit-pair", at: "#/run/" + id(audited(t)) + "/pairs/0", says: "The file says of neither side which tests it passed"})
	of("listed", listReviewed(t), "")
	honest, random := id(evaluated(t)), id(randomly(t))
	of("eval", evaluated(t), "", "eval/rollout/4", "eval/rollout/4/turns", "eval/rollout/4/turns/1")
	of("random", randomly(t), "", "eval/rollout/4", "eval/rollout/4/turns")
	all = append(all, place{name: "eval-compare", at: "#/run/" + honest + "/eval/compare/" + random},
		place{"eval-side", "#/run/" + honest + "/eval/compare/" + random, "table[aria-label=Tasks] tbody tr td", "turn by turn"})
	of("bench", benched(t), "")
	of("codeeval", codeEvaluated(t, "base"), "", "codeeval?tab=errors", "codeeval?tab=made", "codeeval/task/HumanEval/1")
	of("compare", compared(t), "", "compare/task/HumanEval/4")
	of("compare-all", comparedAll(t), "", "compare/task/HumanEval/4")
	of("pairs", paired(t), "", "pairs?tab=funnel", "pairs?tab=balance", "pairs?tab=card", "pairs?tab=settings", "pairs/0",
		"pairs/0?show=rejected")
	of("audit", audited(t), "", "pairs?tab=balance", "pairs?tab=settings")
	of("training", trained(t), "", "training?stage=sft", "training?steps=table")
	all = append(all, place{name: "training-overlay", says: "2 trainings side by side",
		at: fmt.Sprintf("#/run/%s/training/compare/%s", id(trained(t)), id(trainedAgain(t)))})
	return all
}
