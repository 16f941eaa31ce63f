package e2e

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

// localised is an eval of the ranking without a model, over an issue of a small repository whose text attacks the page.
func localised(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here: commits cannot be read")
	}
	return run(t, "localised-eval", func(dir string) {
		repo := filepath.Join(world, "checkouts", "acme__shop")
		for _, name := range []string{"cart", "order", "price", "stock", "tax"} {
			runtest.WriteFile(t, filepath.Join(repo, "shop", name+".py"),
				"class "+strings.ToUpper(name[:1])+name[1:]+":\n    def total(self, x):\n        return sum(range(x))\n\n    def __repr__(self):\n"+
					"        return '"+name+"'\n\n\ndef "+name+"(x):\n    return x\n")
		}
		git := func(args ...string) string {
			cmd := exec.Command("git", append([]string{"-C", repo, "-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"},
				args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			out, err := cmd.Output()
			if err != nil {
				t.Fatalf("git %v: %v", args, err)
			}
			return strings.TrimSpace(string(out))
		}
		git("init", "-q")
		git("add", "-A")
		git("commit", "-q", "-m", "base")
		record, err := json.Marshal(map[string]any{"instance_id": "acme__shop-1", "repo": "acme/shop", "base_commit": git("rev-parse", "HEAD"),
			"problem_statement": "The total of a price is one too small\n\n`Price().total(3)` is 3 and not 6. " + attack,
			"patch": "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -2,3 +2,3 @@\n     def total(self, x):\n" +
				"-        return sum(range(x))\n+        return sum(range(x + 1))\n \n" +
				"--- a/shop/tax.py\n+++ b/shop/tax.py\n@@ -9,2 +9,2 @@\n def tax(x):\n-    return x\n+    return x + 1\n",
			"test_patch": "HIDDEN"})
		if err != nil {
			t.Fatal(err)
		}
		runtest.WriteFile(t, filepath.Join(world, "records.jsonl"), string(record)+"\n")
		must(t, world, nil, "eval", "localisation", "--data", "records.jsonl", "--repos", "checkouts", "-m", "offline/localiser",
			"-n", "1", "-r", "1", "--out", dir)
	})
}

// A rollout of localisation shows its issue, what was ranked and by which signals, and what was missed, on a phone, too.
func TestLocalisedRollout(t *testing.T) {
	needBrowser(t)
	p := open(t, localised(t))
	p.Go("eval/rollout/0")
	p.Wait("Issue of acme/shop", "is 3 and not 6", "All gold among the first", "acc@10", "Price.total", "onerror=")
	p.clean("the issue")
	if text := p.Text(); strings.Contains(text, "HIDDEN") || strings.Contains(text, "What was planted") {
		t.Errorf("the page says what it does not know or should not say: %s", text)
	}
	if n := rows(p, "Files"); n != 5 {
		t.Errorf("%d files of 5", n)
	}
	var first []string
	p.Eval(`[...document.querySelectorAll('table[aria-label=Files] tbody tr:first-child td')].slice(0, 3).map(c => c.innerText)`, &first)
	if strings.Join(first, " ") != "1 shop/price.py gold" {
		t.Errorf("the first file is %q", first)
	}
	label := p.Attribute("table[aria-label=Functions] tbody tr svg", "aria-label")
	bars, colours := p.Count("table[aria-label=Files] svg rect"), p.Count(".level .legend li")
	if bars < 10 || colours < 4 || !strings.Contains(label, "words ") {
		t.Errorf("%d parts of bars in %d colours, which say %q", bars, colours, label)
	}
	p.ClickText("What each signal gave, in figures")
	if n := rows(p, "Signals of files"); n != 5 {
		t.Errorf("the signals of %d files", n)
	}
	p.Click("details.level summary h2")
	p.Wait("of 2 lines")
	for _, width := range []int{360, 1280} {
		p.Size(width, 900)
		p.none("sticks out", overflow)
		p.none("on several lines", broken)
		p.none("cut to nothing", squeezed)
	}
	p.none("has no name", nameless)
	p.none("an id twice", twice)
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		p.none("faint", faint)
	}
	p.shotWhole("localised", 390)
	p.shotWhole("localised", 1440)
}

// A ranking by a stranger shows what is there: no text, no signals, gold that was not found; and nothing in it is markup.
func TestForeignRanking(t *testing.T) {
	needBrowser(t)
	dir := copied(t, localised(t))
	file := filepath.Join(dir, "results.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var row map[string]any
	if err := json.Unmarshal(bytes.TrimSpace(text), &row); err != nil {
		t.Fatal(err)
	}
	place := map[string]any{"path": attack, "score": 1, "why": []any{map[string]any{"name": attack, "value": -1e9}}}
	row["info"].(map[string]any)["extra"] = map[string]any{"instance_id": "x", "gold_files": []string{attack, "z.py"},
		"found_files": []string{attack}, "ranked": map[string]any{"files": []any{place}}}
	if text, err = json.Marshal(row); err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, file, string(text)+"\n")
	p := open(t, dir)
	p.Go("eval/rollout/0")
	p.Wait("missed", "Gold, not in the first 1", "z.py")
	p.clean("a stranger's ranking")
	if text := p.Text(); strings.Contains(text, "Issue of") || strings.Contains(text, "Functions") {
		t.Errorf("what is not there is shown: %s", text)
	}
}
