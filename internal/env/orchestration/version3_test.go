package orchestration

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/coverage"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// TestEachPlaceIsAClaim: one finding with all places of three earns what the three earn, and not more with every other line.
func TestEachPlaceIsAClaim(t *testing.T) {
	task := board()
	task.Defects = task.Defects[:2]
	task.Defects[1].Category = "injection"
	all, cites := texts(task), "- a.py:10\n- a.py:40\n"
	three := claims(task.Defects...)
	one := finding.Join(three)
	apart, _, _ := score(task, result(task, all, three, cites), Current(), 0)
	merged, _, _ := score(task, result(task, all, []finding.Finding{one}, cites), Current(), 0)
	if apart != 1 || merged != 1 {
		t.Errorf("apart they earn %v, merged %v", apart, merged)
	}
	for line := 1; line <= 60; line++ {
		one.Places = append(one.Places, runfile.Place{File: "a.py", Line: line, EndLine: line})
	}
	if spread, _, m := score(task, result(task, all, []finding.Finding{one}, cites), Current(), 0); spread > 0.05 {
		t.Errorf("a finding at every line earns %v, precision %v", spread, m["precision"])
	}
	if before, _, _ := score(task, result(task, all, []finding.Finding{one}, cites), V2(), 0); before < 0.1 {
		t.Errorf("under the rules of version 2 it earned %v", before)
	}
}

func TestOpinionsBeyondTheAllowanceAreClaims(t *testing.T) {
	task := board()
	full := result(task, texts(task), claims(task.Defects...), "- a.py:10\n- a.py:40\n- b.py:20\n")
	for _, c := range []struct {
		opinions int
		rules    Rules
		want     float64
	}{{0, Current(), 1}, {12, Current(), 1}, {15, Current(), 0.5}, {2000, Current(), 3.0 / 1991}, {2000, V2(), 1}} {
		if got, _, m := score(task, full, c.rules, c.opinions); math.Abs(got-c.want) > 1e-9 || m["opinions"] != float64(c.opinions) {
			t.Errorf("%d opinions, version %d: %v, want %v", c.opinions, c.rules.Version, got, c.want)
		}
	}
}

func TestWhatTheRootReadFindsNothing(t *testing.T) {
	task := board()
	r := result(task, nil, claims(task.Defects...), "- a.py:10\n- a.py:40\n- b.py:20\n")
	for _, text := range texts(task) {
		r.Coverage.Read(text)
	}
	if got, _, m := score(task, r, Current(), 0); got != 0 || m["root_read"] != 1 {
		t.Errorf("reward %v for what the root alone read (%v)", got, m["root_read"])
	}
}

func TestCitedBySuffix(t *testing.T) {
	defects := []env.Defect{{File: "src/app/signer.py", Line: 146, EndLine: 146}, {File: "src/a/util.py", Line: 9, EndLine: 9},
		{File: "main.py", Line: 3, EndLine: 3}}
	found := map[int]bool{0: true, 1: true, 2: true}
	name := suffixes([]string{"src/app/signer.py", "src/a/util.py", "src/b/util.py", "main.py", "cmd/main.py"})
	plain := func(p string) string { return p }
	for _, c := range []struct {
		answer string
		want   float64
		before float64
	}{
		{"signer.py:146, a/util.py:9 and main.py:3", 1, 1.0 / 3},
		{"src/app/signer.py:146", 1.0 / 3, 1.0 / 3},
		{"app/signer.py:146", 1.0 / 3, 0},
		{"util.py:9", 0, 0}, // two files end so
		{"cmd/main.py:3", 0, 0},
		{"gner.py:146", 0, 0},
	} {
		if got := cited(c.answer, defects, found, name); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%q cites %v, want %v", c.answer, got, c.want)
		}
		if got := cited(c.answer, defects, found, plain); math.Abs(got-c.before) > 1e-9 {
			t.Errorf("%q cited %v before, want %v", c.answer, got, c.before)
		}
	}
}

// court is a task with a defect and a decoy in one file.
func court(difficulty string) env.Task {
	return env.Task{
		Difficulty: difficulty,
		Codebase:   codebase.FromMap(map[string]string{"a.py": program("a", 60), "b.py": program("b", 60)}),
		Defects: []env.Defect{{File: "a.py", Line: 10, EndLine: 10, Category: "injection", Severity: "critical",
			Description: "A separator in the value reaches the shell."}},
		Decoys: []env.Decoy{{File: "a.py", Line: 40, EndLine: 40, Category: "off-by-one", Why: "The bound counts from one."}},
	}
}

func ask(t *testing.T, s *sim, schema, prompt string) string {
	t.Helper()
	r := llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: prompt}}}
	if schema != "" {
		r.Schema = &llm.Schema{Name: schema}
	}
	reply, err := s.complete(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

// TestVerdicts: second opinions on a defect, a decoy and a guess are right as often as is stated, for a difficulty, and the
// same when they are asked for again.
func TestVerdicts(t *testing.T) {
	for difficulty, chance := range map[string]float64{env.Easy: simRightEasy, env.Medium: simRightMedium, env.Hard: simRightHard} {
		task := court(difficulty)
		opinions, ledger := newAids(task.Codebase, graph.Options{}).opinions, coverage.New(task.Codebase)
		for _, c := range []struct {
			line           int
			category, want string
		}{
			{10, "injection", finding.Stands}, {10, "logic", finding.Refuted}, {40, "off-by-one", finding.Refuted},
			{25, "logic", finding.Refuted},
		} {
			text, _ := task.Codebase.Text("a.py")
			quote, _ := finding.Quote(text, c.line, c.line)
			f := finding.Finding{File: "a.py", Line: c.line, EndLine: c.line, Severity: "high", Category: c.category, Title: "Something is odd",
				Evidence: quote, Explanation: "It goes wrong when called.", Grounded: true}
			request, shown := opinions.Question(context.Background(), llm.Handle{}, f)
			right := 0
			const seeds = 600
			for seed := range int64(seeds) {
				s := newSim(task, ledger, seed, Current())
				reply := ask(t, s, request.Schema.Name, request.Messages[0].Content)
				if again := ask(t, s, request.Schema.Name, request.Messages[0].Content+"\nAre you sure?"); again != reply {
					t.Fatalf("asked again it says %s, was %s", again, reply)
				}
				if seed < 50 { // the product weighs it as it weighs a model's
					if v := opinions.Weigh(context.Background(), f, shown, reply); v.Status != verdictOf(t, reply) {
						t.Fatalf("%s counts as %s: %s", reply, v.Status, v.Reason)
					}
				}
				if verdictOf(t, reply) == c.want {
					right++
				}
			}
			if share := float64(right) / seeds; math.Abs(share-chance) > 0.03 {
				t.Errorf("%s, %s at line %d: right in %.3f, stated is %.2f", difficulty, c.category, c.line, share, chance)
			}
		}
	}
	s := newSim(court(env.Easy), coverage.New(court(env.Easy).Codebase), 1, Current())
	for _, blind := range []string{"file: a.py, lines 10 to 10\nkind: high injection", "Is it true?", ""} {
		if got := verdictOf(t, ask(t, s, verdictName, blind)); got != finding.Unsure {
			t.Errorf("without the code it says %s", got)
		}
	}
}

func verdictOf(t *testing.T, reply string) string {
	t.Helper()
	var v verdict
	if err := json.Unmarshal([]byte(reply), &v); err != nil {
		t.Fatal(err)
	}
	return v.Verdict
}

func TestQuestions(t *testing.T) {
	task := court(env.Easy)
	text, _ := task.Codebase.Text("a.py")
	code := "=== FILE: a.py (lines 1-60 of 60) ===\n" + text + "=== END ===\n\n"
	says := func(question string) string {
		all := ""
		for seed := range int64(30) {
			all += ask(t, newSim(task, coverage.New(task.Codebase), seed, Current()), "", question) + "\n"
		}
		return all
	}
	got := says(code + "Can separators reach a command?")
	if strings.Count(got, "a.py:10: A separator in the value") < 20 || strings.Contains(got, "{") {
		t.Errorf("asked for separators: %s", got)
	}
	if got := says(code + "Are the bounds of the loops right?"); !strings.Contains(got, "a.py:40 is right: The bound counts from one.") ||
		strings.Contains(got, "separator") {
		t.Errorf("asked for bounds: %s", got)
	}
	if got := says(code + "Which colours has the rainbow?"); strings.Contains(got, "a.py:") {
		t.Errorf("asked for something else: %s", got)
	}
	if got := says("Can separators reach a command in a.py?"); strings.Contains(got, "a.py:") {
		t.Errorf("without the code: %s", got)
	}
	two := newSim(task, coverage.New(task.Codebase), 1, V2())
	if got := ask(t, two, "", code+"Can separators reach a command?"); !strings.Contains(got, `"findings"`) {
		t.Errorf("version 2 answers a question with %s", got)
	}
}

// TestMistakesReadLikeFindings: what is said of a decoy has a title and a story, and is as sure as some true claims.
func TestMistakesReadLikeFindings(t *testing.T) {
	for category, text := range mistakes {
		task := court(env.Easy)
		task.Decoys[0].Category = category
		lowest, highest := 1.0, 0.0
		for seed := range int64(60) {
			s := newSim(task, coverage.New(task.Codebase), seed, Current())
			c := s.mistake(task.Decoys[0])
			highest = max(highest, c.Confidence)
			lowest = min(lowest, s.claimOf("", task.Defects[0]).Confidence)
			if !strings.HasPrefix(c.Title, text.title) || len(strings.Fields(c.Explanation)) < 15 || !strings.Contains(c.Explanation, c.Evidence) {
				t.Fatalf("%s: %+v", category, c)
			}
		}
		if lowest >= highest {
			t.Errorf("%s: true claims begin at %v, mistakes end at %v: confidence alone tells them apart", category, lowest, highest)
		}
	}
	old := newSim(court(env.Easy), coverage.New(court(env.Easy).Codebase), 1, V2()).mistake(court(env.Easy).Decoys[0])
	if old.Explanation != "This looks like off-by-one." || old.Confidence != 0.5 || old.Severity != "medium" {
		t.Errorf("version 2 says %+v", old)
	}
}

var _ rlm.Opinion = (*counted)(nil)
