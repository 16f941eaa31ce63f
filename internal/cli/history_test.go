package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/history"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// growing is a repository with known faults: one file each, each with a name of its own.
type growing struct {
	program
	open []string // the files with faults
	next int
	head string
}

func (g *growing) git(args ...string) string {
	g.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", g.path("app"), "-c", "user.email=a@b", "-c", "user.name=n"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		g.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// plant writes a file with one fault, which is known again wherever it goes.
func (g *growing) plant() {
	name := fmt.Sprintf("m%02d.py", g.next)
	g.write(filepath.Join("app", name), fmt.Sprintf("def find(db, name):\n"+
		"    return db.execute(\"select * from table_%02d where name = '%%s'\" %% name)\n", g.next))
	g.open, g.next = append(g.open, name), g.next+1
}

// mend takes the fault out of a file and leaves the file.
func (g *growing) mend(name string) {
	g.write(filepath.Join("app", name), "def find(db, name):\n    return db.execute(\"select * from users where name = ?\", (name,))\n")
	g.open = slices.DeleteFunc(g.open, func(open string) bool { return open == name })
}

func (g *growing) commit(n int) {
	g.write("app/count.txt", fmt.Sprint(n))
	g.git("add", "-A")
	g.git("commit", "-q", "-m", fmt.Sprint(n))
	g.head = g.git("rev-parse", "HEAD")
}

func (g *growing) review(path, out string) {
	g.t.Helper()
	g.must("analyze", path, "--out", out, "--root", "offline/rules", "--strategy", "single") // which takes a third of the time
}

// history is what deeprepo history --json prints of a path.
func (g *growing) history(path string) []history.Entry {
	g.t.Helper()
	cmd := g.command("history", path, "--json")
	out, err := cmd.Output()
	if err != nil {
		g.t.Fatalf("history: %v\n%s", err, out)
	}
	var all []history.Entry
	if err := json.Unmarshal(out, &all); err != nil {
		g.t.Fatal(err)
	}
	return all
}

// TestHistoryOfARepository reviews each of 30 commits, of which is known what each plants, mends, moves and renames, and what was
// decided. A clone and a work tree have the same history.
func TestHistoryOfARepository(t *testing.T) {
	g := &growing{program: newProgram(t, nil)}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	runtest.WriteFile(t, g.path("app", "readme.md"), "# app\n")
	g.git("init", "-q", "-b", "main")
	type wanted struct {
		commit                         string
		places, new, fixed, suppressed int
	}
	var want []wanted
	accepted := "" // the file with the fault that is accepted
	for n := range 30 {
		w := wanted{}
		if n%3 != 2 {
			g.plant()
			w.new++
		}
		if n%4 == 3 {
			old := g.open[0]
			if old == accepted {
				old = g.open[1]
			}
			g.mend(old)
			w.fixed++
		}
		if n%10 == 5 { // renamed
			last := len(g.open) - 1
			name := "renamed_" + g.open[last]
			g.git("add", "-A")
			g.git("mv", g.open[last], name)
			g.open[last] = name
		}
		if n%7 == 6 { // moved
			name := g.path("app", g.open[0])
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			runtest.WriteFile(t, name, "# moved\n\n"+string(text))
		}
		if n == 22 { // mended, after it was accepted: it is no more said to be suppressed, nor fixed
			g.mend(accepted)
			accepted = ""
		}
		g.commit(n)
		g.review("app", fmt.Sprintf("runs/r%02d", n))
		if n == 12 {
			accepted = g.open[len(g.open)-1]
			g.must("triage", "runs/r12", "--path", accepted, "--accept", "--reason", "internal")
		}
		w.commit, w.places = g.head, len(g.open)
		if accepted != "" && n > 12 {
			w.places, w.suppressed = w.places-1, 1
		}
		want = append(want, w)
	}
	got := g.history("app")
	if len(got) != len(want) {
		t.Fatalf("%d reviews, want %d", len(got), len(want))
	}
	for n, e := range got {
		w := want[n]
		if e.Commit != w.commit || e.Places != w.places || e.Suppressed != w.suppressed || e.Run != fmt.Sprintf("runs/r%02d", n) {
			t.Errorf("review %d: %+v, want %+v", n, e, w)
		}
		if n == 0 {
			if e.New != nil || e.Fixed != nil || e.Against != "" {
				t.Errorf("the first review is compared: %+v", e)
			}
		} else if e.New == nil || e.Fixed == nil || *e.New != w.new || *e.Fixed != w.fixed || e.Against != got[n-1].Run {
			t.Errorf("review %d: %s new, %s fixed against %s, want %+v", n, figure(e.New), figure(e.Fixed), e.Against, w)
		}
	}
	g.git("worktree", "add", "-q", g.path("tree"))
	g.git("clone", "-q", g.path("app"), g.path("clone"))
	g.review("clone", "runs/clone")
	for _, path := range []string{"app", "tree", "clone"} {
		if all := g.history(path); len(all) != len(want)+1 || all[len(want)].Run != "runs/clone" || *all[len(want)].Fixed != 0 {
			t.Errorf("%s: %d reviews, the last %+v", path, len(all), all[len(all)-1])
		}
	}
	text := string(g.must("history", "tree"))
	if strings.Count(text, "completed") != lastReviews || !strings.Contains(text, "1 review before these") || !strings.Contains(text, "█") {
		t.Error(text)
	}
}
