package finding

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// stored is where the reviews lie whose findings are not in this repository.
const stored = "../../../shared/data/large_model"

// labelled is a set of findings with labels that say which are one defect; About says how they were made.
type labelled struct {
	About    string    `json:"about"`
	Source   string    `json:"source"` // below stored, where the findings lie; "": here
	Findings []Finding `json:"findings"`
	Same     [][]int   `json:"same"`   // positions of findings that are one defect; all others are different
	Either   [][]int   `json:"either"` // positions that a reader may take for one defect or for several
}

func readLabelled(t testing.TB, name string) labelled {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata/labelled", name))
	if err != nil {
		t.Fatal(err)
	}
	var set labelled
	if err := json.Unmarshal(data, &set); err != nil {
		t.Fatal(err)
	}
	if set.Source != "" {
		set.Findings = readStored(t, filepath.Join(stored, set.Source))
	}
	for i := range set.Findings {
		set.Findings[i].Grounded = true
		set.Findings[i].Sources = append(slices.Clip(set.Findings[i].Sources), fmt.Sprint("#", i)) // by which it is known again
	}
	return set
}

// readStored reads the findings of a report, or the claims of workers out of a trace or several.
func readStored(t testing.TB, path string) []Finding {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here: its labels are not checked", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, "l") {
		var rep struct{ Findings []Finding }
		if err := json.Unmarshal(data, &rep); err != nil {
			t.Fatal(err)
		}
		return rep.Findings
	}
	type event struct {
		Kind, Node, Key string
		Dispatch        struct{ Reply string }
	}
	var all []Finding
	lines := bufio.NewScanner(strings.NewReader(string(data)))
	lines.Buffer(nil, 64<<20)
	for n := 0; lines.Scan(); n++ {
		var line struct {
			event
			Events []event
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		within := ""
		if line.Events != nil { // a rollout: a codebase of its own
			within = fmt.Sprint(n, "/")
		}
		for _, e := range append(line.Events, line.event) {
			if e.Kind != "dispatch" || e.Node == "verify" || e.Dispatch.Reply == "" {
				continue
			}
			p, err := Parse(e.Dispatch.Reply)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Findings {
				f.File, f.Sources = within+f.File, []string{e.Key}
				all = append(all, f)
			}
		}
	}
	return all
}

// judge counts the duplicates that are left in out, and lists the pairs of different defects that were joined.
func (l labelled) judge(out []Finding) (duplicates int, wrong []string) {
	group := map[int]int{}
	for g, members := range l.Same {
		for _, i := range members {
			group[i] = g + 1
		}
	}
	either := func(i, j int) bool {
		return slices.ContainsFunc(l.Either, func(g []int) bool { return slices.Contains(g, i) && slices.Contains(g, j) })
	}
	first := map[int]bool{} // groups that were met
	for _, f := range out {
		var members []int
		for _, s := range f.Sources {
			if n, ok := strings.CutPrefix(s, "#"); ok {
				var i int
				fmt.Sscan(n, &i)
				members = append(members, i)
			}
		}
		met := map[int]bool{}
		for a, i := range members {
			if g := group[i]; g != 0 && !met[g] {
				met[g] = true
				if first[g] {
					duplicates++
				}
				first[g] = true
			}
			for _, j := range members[:a] {
				apart := group[i] == 0 || group[i] != group[j]
				bridged := slices.ContainsFunc(members, func(k int) bool { // by something that may be either
					return group[k] == group[i] && group[k] != 0 && either(k, j) || group[k] == group[j] && group[k] != 0 && either(i, k)
				})
				if apart && !either(i, j) && !bridged {
					wrong = append(wrong, fmt.Sprintf("%d %v\n  and %d %v", j, l.Findings[j], i, l.Findings[i]))
				}
			}
		}
	}
	return duplicates, wrong
}

// TestLabelled measures the joining of findings on labelled sets. Its figures are in docs/results.md; to
// print them: go test ./internal/finding -run TestLabelled -v
func TestLabelled(t *testing.T) {
	names, err := fs.Glob(os.DirFS("testdata/labelled"), "*.json")
	if err != nil || len(names) < 5 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			set := readLabelled(t, name)
			before := Merge(set.Findings)
			after := Group(Distinct(before))
			was, _ := set.judge(before)
			left, wrong := set.judge(after)
			t.Logf("%d claims; merged by place: %d findings, %d duplicates; by cause: %d findings, %d duplicates, %d pairs joined wrongly",
				len(set.Findings), len(before), was, len(after), left, len(wrong))
			for _, w := range wrong {
				t.Errorf("two defects in one finding: %s", w)
			}
			if left > len(after)/50 {
				t.Errorf("%d duplicates in %d findings", left, len(after))
			}
		})
	}
}
