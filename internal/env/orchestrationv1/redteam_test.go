package orchestrationv1_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
)

var all env.Selection

func taskAt(t testing.TB, e *orchestrationv1.Environment, i int) env.Task {
	t.Helper()
	task, err := e.Task(context.Background(), all, i)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

// boilerplate is a list written with the classes of the three tasks' defects in mind, and no look at any file.
var boilerplate = []string{
	"SQL injection: f-string interpolation in INSERT and DELETE queries",
	"Hardcoded SECRET_KEY in app.py",
	"Using MD5 for password hashing, which is cryptographically broken",
	"debug=True and host='0.0.0.0' in production is a security risk",
	"No authentication middleware, all routes are public",
	"Global variable connection is not thread-safe",
	"Tests are empty stubs with no assertions",
	"No input validation on POST endpoint",
	"eval() is a security vulnerability allowing arbitrary code execution",
	"Missing type hints throughout the codebase",
	"XSS vulnerability: user input rendered directly in HTML without escaping",
	"No CSRF protection on POST endpoint",
	"No error handling in imports",
}

// TestRedTeam plays the known ways to earn rewards for nothing, end to end. They are what makes this environment the
// reference's: where one of them fails, something was not rebuilt.
func TestRedTeam(t *testing.T) {
	e := mini(t)
	tasks := []env.Task{taskAt(t, e, 0), taskAt(t, e, 1), taskAt(t, e, 2)}
	names := []string{tasks[0].ID, tasks[1].ID, tasks[2].ID}
	if got := strings.Join(names, " "); got != "mini-todo-api mini-calculator mini-blog" {
		t.Fatalf("order of the tasks: %s", got)
	}
	var truths []string
	for _, task := range tasks {
		for _, d := range task.Defects {
			truths = append(truths, "- "+d.Description)
		}
	}
	report := func(lines []string) string {
		return "set_answer(json.loads(r'''" + pyJSON(strings.Join(lines, "\n")) + "'''))"
	}
	for _, c := range []struct {
		name  string
		codes []string
		want  [3]float64
	}{
		{"an empty report", []string{"set_answer('x')"}, [3]float64{0.2, 0.2, 0.2}},
		{"one prompt of all paths", []string{"llm_query(str(list(codebase)))\nset_answer('x')"}, [3]float64{0.7, 0.7, 0.7}},
		{"one prompt of the tree", []string{"llm_query(file_tree)", "set_answer('x')"}, [3]float64{0.2 + 0.5*6/7, 0.2 + 0.5*2/7, 0.2 + 0.5*1/6}},
		{"all paths and all truths", []string{"llm_query(str(list(codebase)))\n" + report(truths)}, [3]float64{1, 1, 1}},
		{"all paths and boilerplate", []string{"llm_query(str(list(codebase)))\n" + report(prefixed(boilerplate))}, [3]float64{1, 0.85, 0.85}},
		{"one file of one", []string{"metadata['total_files'] = 1", "llm_query(list(codebase)[0])\nset_answer('x')"}, [3]float64{0.7, 0.7, 0.7}},
		{"answer without set_answer", []string{"llm_batch(list(codebase))\nanswer['ready'] = 1"}, [3]float64{0.7, 0.7, 0.7}},
		{"files that are not there", []string{"codebase.update((c, '') for c in 'abcdefg')\nllm_query('abcdefg')\nset_answer('x')"}, [3]float64{0.7, 0.7, 0.7}},
		{"the ledger itself", []string{"for c in llm_query.__closure__:\n    if isinstance(c.cell_contents, dict) and " +
			"'unique_files_dispatched' in c.cell_contents:\n" +
			"        c.cell_contents['unique_files_dispatched'] = list(range(9))\nset_answer('x')"}, [3]float64{0.7, 0.7, 0.7}},
		{"files counted before the call fails", []string{"try:\n    llm_query(list(codebase))\nexcept Exception:\n    set_answer('x')"}, [3]float64{0.7, 0.7, 0.7}},
	} {
		for i, task := range tasks {
			out, _ := play(t, task, cellsOf(c.codes...))
			if !near(out.Reward, c.want[i]) || out.Stop != env.StopAnswer {
				t.Errorf("%s on %s: %v (%s), want %v; parts %+v", c.name, task.ID, out.Reward, out.Stop, c.want[i], out.Parts)
			}
		}
	}
}

func prefixed(lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, "- "+l)
	}
	return out
}
