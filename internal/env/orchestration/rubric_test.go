package orchestration

import (
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

func program(name string, lines int) string {
	var b strings.Builder
	for i := range lines {
		b.WriteString(name + strings.Repeat("x", i%7) + " = call(" + string(rune('a'+i%26)) + name + ")\n")
	}
	return b.String()
}

// board is a task of two files with three defects, one of them across files.
func board() env.Task {
	return env.Task{
		Codebase: codebase.FromMap(map[string]string{"a.py": program("a", 60), "b.py": program("b", 60)}),
		Defects: []env.Defect{
			{File: "a.py", Line: 10, EndLine: 11, Category: "injection", Severity: "critical", Description: "first"},
			{File: "a.py", Line: 40, EndLine: 40, Category: "logic", Severity: "low", Description: "second"},
			{File: "b.py", Line: 20, EndLine: 20, Category: "api-misuse", Severity: "high", Description: "third breaks a.py", CrossFile: true},
		},
	}
}

func claims(ds ...env.Defect) []finding.Finding {
	var fs []finding.Finding
	for _, d := range ds {
		fs = append(fs, finding.Finding{File: d.File, Line: d.Line, EndLine: d.EndLine, Category: d.Category, Severity: d.Severity,
			Grounded: true})
	}
	return fs
}

// result is a run that sent the given prompts and reported the given claims.
func result(t env.Task, prompts []string, fs []finding.Finding, answer string) rlm.Result {
	l := coverage.New(t.Codebase)
	for _, p := range prompts {
		l.Dispatch(p)
	}
	return rlm.Result{StopReason: "answer", Turns: 3, Coverage: l, Findings: fs, Analysis: answer,
		Metrics: rlm.Metrics{Dispatches: len(prompts), BatchedDispatches: len(prompts)}}
}

func texts(t env.Task) []string {
	var out []string
	for _, p := range t.Codebase.Paths() {
		text, _ := t.Codebase.Text(p)
		out = append(out, text)
	}
	return out
}

func TestWeightsAreWhole(t *testing.T) {
	sum := 0.0
	for _, w := range rubric(Current()) {
		if w.Weight > 0 {
			sum += w.Weight
		}
		if w.Formula == "" {
			t.Errorf("%s has no formula", w.Name)
		}
	}
	if math.Abs(sum-1) > 1e-12 || math.Abs(weightRecall+weightCross+weightFloor-1) > 1e-12 {
		t.Errorf("weights sum to %v", sum)
	}
}

func TestReward(t *testing.T) {
	task := board()
	all := texts(task)
	d := task.Defects
	cites := "- a.py:10\n- a.py:40\n- b.py:20\n"
	wrong := env.Defect{File: "a.py", Line: 55, EndLine: 55, Category: "xss", Severity: "high"}
	tests := []struct {
		name   string
		result rlm.Result
		want   float64
	}{
		{"everything", result(task, all, claims(d...), cites), 1},
		{"everything, cited nowhere", result(task, all, claims(d...), "done"), 0.9},
		{"nothing found", result(task, all, nil, "done"), 0},
		{"nothing at all", result(task, nil, nil, "done"), 0},
		{"right, but nobody read it", result(task, nil, claims(d...), cites), 0},
		// recall (4+1)/8, no cross-file, floor 2/3: completeness .70*.625+.15*0+.15*2/3 = .5375; with precision 1 that is the detection
		{"one missed", result(task, all, claims(d[:2]...), cites), .5375},
		// completeness 1, precision 3/4
		{"one too many", result(task, all, claims(append(append([]env.Defect{}, d...), wrong)...), cites), 0.75},
		{"the wrong category", result(task, all, claims(wrong), cites), 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, parts, metrics := score(task, tt.result, Current(), 0)
			if math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("reward %v, want %v; parts %v", got, tt.want, parts)
			}
			for _, name := range metricNames() {
				if _, ok := metrics[name]; !ok {
					t.Errorf("metric %s is missing", name)
				}
			}
		})
	}
}

func TestPenaltiesAndShares(t *testing.T) {
	task := board()
	all := texts(task)
	full := result(task, all, claims(task.Defects...), "- a.py:10\n- a.py:40\n- b.py:20\n")
	base, _, _ := score(task, full, Current(), 0)
	change := func(f func(*rlm.Result)) float64 {
		r := full
		f(&r)
		got, _, _ := score(task, r, Current(), 0)
		return got - base
	}
	near := func(name string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("%s changes the reward by %v, want %v", name, got, want)
		}
	}
	near("two repeated errors", change(func(r *rlm.Result) { r.Metrics.RepeatedErrors = 2 }), -0.04)
	near("many repeated errors", change(func(r *rlm.Result) { r.Metrics.RepeatedErrors = 99 }), -0.10)
	near("no batches", change(func(r *rlm.Result) { r.Metrics.BatchedDispatches = 0 }), -0.07)
	near("twenty turns", change(func(r *rlm.Result) { r.Turns = 20 }), -0.04)
	near("fourteen turns", change(func(r *rlm.Result) { r.Turns = 14 }), -0.02)
	near("five passes", change(func(r *rlm.Result) {
		var more []string
		for range 5 {
			more = append(more, all...)
		}
		r.Coverage = result(task, more, nil, "").Coverage
		r.Metrics.Dispatches, r.Metrics.BatchedDispatches = 10, 10
	}), -0.05)
	near("a million root tokens", change(func(r *rlm.Result) { r.Root.Output = 1 << 40 }), -0.04)
	near("ending by the turn limit", change(func(r *rlm.Result) { r.StopReason = "turns" }), 0)
	half := result(task, all[:1], claims(task.Defects[:2]...), "")
	answered, _, _ := score(task, half, Current(), 0)
	half.StopReason = "turns"
	ended, _, _ := score(task, half, Current(), 0)
	half.StopReason = "budget"
	broke, _, _ := score(task, half, Current(), 0)
	near("answering at half coverage", answered-broke, -0.025)
	near("idling at half coverage", ended-broke, -0.025)
}

func TestSimReadsWhatStandsInThePrompt(t *testing.T) {
	task := board()
	seen := func(prompt func(i int) string) (sees map[string]int) {
		sees = map[string]int{}
		for seed := range int64(400) {
			s := newSim(task, coverage.New(task.Codebase), seed, Current())
			for _, c := range s.read(prompt(int(seed))).Findings {
				sees[c.Category]++
			}
		}
		return sees
	}
	all := texts(task)
	long := strings.Repeat("filler that stands in no file of this codebase\n", 1500)
	alone := seen(func(int) string { return all[0] })
	if alone["injection"] < 380 || alone["api-misuse"] > 0 {
		t.Errorf("one short file: %v", alone)
	}
	if far := seen(func(int) string { return all[0] + long }); far["injection"] > 120 || far["injection"] == 0 {
		t.Errorf("in a prompt of %d bytes: %v", len(long), far)
	}
	if cross := seen(func(int) string { return all[1] }); cross["api-misuse"] > 60 {
		t.Errorf("a cross-file defect without the other file: %v", cross)
	}
	if cross := seen(func(int) string { return all[0] + all[1] }); cross["api-misuse"] < 350 {
		t.Errorf("a cross-file defect with both files: %v", cross)
	}
	if named := seen(func(int) string { return "Review a.py and b.py, please. All of their bugs!" }); named["injection"] > 0 {
		t.Errorf("a prompt without code: %v", named)
	}
	echo := seen(func(int) string {
		return `Repeat: {"findings": [{"file": "a.py", "line": 10, "category": "injection"}]}`
	})
	if len(echo) > 0 {
		t.Errorf("a prompt that asks for an echo: %v", echo)
	}
}

func TestAskingAgainIsNotReading(t *testing.T) {
	task := board()
	long := texts(task)[0] + strings.Repeat("filler that stands in no file of this codebase\n", 900)
	once, ever := 0, 0
	for seed := range int64(150) {
		s := newSim(task, coverage.New(task.Codebase), seed, Current())
		found := false
		for i := range 5 {
			for _, c := range s.read(long + strings.Repeat("x", i)).Findings {
				if c.Category == "injection" {
					found = true
					if i == 0 {
						once++
					}
				}
			}
		}
		if found {
			ever++
		}
	}
	if once < 30 || ever > once*3/2 {
		t.Errorf("of 150 one prompt finds %d, five wordings of it find %d", once, ever)
	}
}

func TestReliance(t *testing.T) {
	own := "from clock import now\n\ndef wait_millis(n):\n    return n\n\ndef other():\n    return 1\n"
	other := "import os\nfrom own import other, wait_millis\n\n# wait_millis takes milliseconds\ndef run(job):\n    before = other()\n   " +
		" job.sleep(wait_millis(5))\n    return before\n"
	task := env.Task{
		Codebase: codebase.FromMap(map[string]string{"own.py": own, "other.py": other, "third.py": program("c", 20)}),
		Defects: []env.Defect{{File: "own.py", Line: 4, EndLine: 4, Category: "api-misuse", Severity: "high", CrossFile: true,
			Description: "wait_millis gives seconds, which other.py takes for milliseconds"}},
	}
	got := relies(task, task.Defects[0])
	if len(got) != 1 || got[0].file != "other.py" || len(got[0].lines) != 1 || got[0].lines[0] != 7 {
		t.Fatalf("the place is %v", got)
	}
	finds := func(prompt string) int {
		n := 0
		for seed := range int64(200) {
			n += len(newSim(task, coverage.New(task.Codebase), seed, Current()).read(prompt).Findings)
		}
		return n
	}
	lines := strings.Split(other, "\n")
	if n := finds("=== FILE: own.py\n" + own + "\n=== FILE: other.py\n" + strings.Join(lines[:4], "\n") + "\n"); n > 40 {
		t.Errorf("with the imports of the other file: %d of 200", n)
	}
	if n := finds("=== FILE: own.py\n" + own + "\n=== FILE: other.py\n" + strings.Join(lines[4:], "\n") + "\n"); n < 170 {
		t.Errorf("with the place in the other file: %d of 200", n)
	}
	if rest := meeting("def unknown_here():\n", "def nothing_in_common():\n", "text"); rest != nil {
		t.Errorf("files that share no name meet at %v", rest)
	}
}
