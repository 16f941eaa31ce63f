package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Real runs, each made once by the program's own commands when the first test asks for it. No test changes them: what is to
// be changed is copied first.

var made struct {
	sync.Mutex
	runs map[string]*sync.Once
}

// run is the directory of a run, made by make if it is not there yet.
func run(t *testing.T, name string, make func(dir string)) string {
	t.Helper()
	dir := filepath.Join(world, "runs", name)
	made.Lock()
	once := made.runs[name]
	if once == nil {
		if made.runs == nil {
			made.runs = map[string]*sync.Once{}
		}
		once = &sync.Once{}
		made.runs[name] = once
	}
	made.Unlock()
	once.Do(func() {
		if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		make(dir)
	})
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("the run %s could not be made, see the test that asked for it first", name)
	}
	return dir
}

// planted is a generated codebase with planted defects: its sources are in tree/.
func planted(t *testing.T) string {
	t.Helper()
	return run(t, "../codebases/planted", func(dir string) {
		must(t, world, nil, "env", "generate", "--lang", "python", "--difficulty", "medium", "--seed", "3", "--out", dir)
	})
}

// reviewed is a review of planted, without any model: a scripted root, static rules as workers.
func reviewed(t *testing.T) string {
	t.Helper()
	tree := filepath.Join(planted(t), "tree")
	return run(t, "planted-review", func(dir string) { must(t, world, nil, "analyze", tree, "--offline", "--out", dir) })
}

// evaluated is an eval of a scripted policy that does honest work, and of one that does none.
func evaluated(t *testing.T) string {
	t.Helper()
	return run(t, "honest-eval", func(dir string) {
		must(t, world, nil, "eval", "orchestration", "-m", "policy/honest", "-n", "4", "-r", "2", "--seed", "7", "--out", dir)
	})
}

// benched is a bench of two configurations on two codebases.
func benched(t *testing.T) string {
	t.Helper()
	return run(t, "two-ways-bench", func(dir string) {
		config := filepath.Join(world, "bench.toml")
		runtest.WriteFile(t, config, fmt.Sprintf(`
[[codebase]]
path = %q
[[codebase]]
environment = "orchestration"
language = "go"
seed = 2
[[config]]
name = "script"
root = "offline/orchestrator"
worker = "rules"
[[config]]
name = "one call"
root = "offline/rules"
strategy = "single"
`, planted(t)))
		must(t, world, nil, "bench", config, "--out", dir)
	})
}

// codeEvaluated is a code eval of a small dataset, several samples a task; what "base" and "tuned" get right differs.
func codeEvaluated(t *testing.T, model string) string {
	t.Helper()
	return run(t, "coder-"+model, func(dir string) {
		srv := llmtest.NewServer(nil, llmtest.Options{Reply: coder})
		defer srv.Close()
		must(t, world, []string{"DEEPREPO_LOCAL_URL=" + srv.URL + "/v1"},
			"code", "eval", "humaneval", "--data", adders(t), "-m", "local/"+model, "--prompt", "chat", "-n", "3", "-t", "0.7", "--out", dir)
	})
}

// compared is the comparison of two code evals.
func compared(t *testing.T) string {
	t.Helper()
	base, tuned := codeEvaluated(t, "base"), codeEvaluated(t, "tuned")
	return run(t, "coder-flips", func(dir string) {
		must(t, world, nil, "code", "compare", base, "tuned="+tuned, "--out", dir)
	})
}

// paired are preference pairs of a few MBPP-like tasks, from mutants of their references.
func paired(t *testing.T) string {
	t.Helper()
	return run(t, "small-pairs", func(dir string) {
		data := filepath.Join(world, "mbpp.jsonl")
		runtest.WriteFile(t, data, mbpp)
		must(t, world, nil, "pairs", "build", "--dataset", "mbpp", "--data", data, "--references", "--heldout", "0.4", "--near", "-1",
			"--subsets", "2",
			"--answers", "fenced", "--out", dir)
	})
}

// trained is a training that was recorded: 20 steps of reinforcement, and the imitation before them.
func trained(t *testing.T) string {
	t.Helper()
	return run(t, "recorded-training", func(dir string) {
		if err := os.CopyFS(dir, os.DirFS("testdata/training")); err != nil {
			t.Fatal(err)
		}
	})
}

// copied is a copy of a run that a test may change.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(world, "copies", strings.ReplaceAll(t.Name(), "/", "-"), filepath.Base(dir))
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// coder answers tasks of the form "def add_7(x)": base gets every third wrong, tuned every fifth.
func coder(r llmtest.ChatRequest) llmtest.Reply {
	n, ok := runtest.Adder(r.Last())
	if !ok {
		return llmtest.Status(400, "no task in the prompt")
	}
	every := map[string]int{"base": 3, "tuned": 5}[r.Model]
	added := n
	if every > 0 && n%every == 1 {
		added = n + 1
	}
	return llmtest.Reply{Text: fmt.Sprintf("Here it is:\n\n```python\ndef add_%d(x):\n    return x + %d\n```\n", n, added), Input: 100,
		Output: 20}
}

// adders is a dataset of such tasks, in HumanEval's form.
func adders(t *testing.T) string {
	t.Helper()
	file := filepath.Join(world, "adders.jsonl")
	runtest.WriteFile(t, file, runtest.Adders(15))
	return file
}

const mbpp = `{"task_id": 11, ` +
	`"text": "Write a function to double every number of a list and to leave out what is then larger than a given limit.", ` +
	`"code": "def doubled(xs, limit):\n    return [2 * x for x in xs if 2 * x <= limit]", "test_setup_code": "", ` +
	`"test_list": ["assert doubled([1, 2, 3], 4) == [2, 4]", "assert doubled([], 4) == []", "assert doubled([5], 4) == []"], ` +
	`"challenge_test_list": []}
{"task_id": 601, "text": "Write a function to count the numbers of a list that are above a limit.", ` +
	`"code": "def above(xs, limit):\n    count = 0\n    for x in xs:\n        if x > limit:\n            count += 1\n    return count", ` +
	`"test_setup_code": "", "test_list": ["assert above([1, 5, 9], 4) == 2", "assert above([], 4) == 0", "assert above([4, 5], 4) == 1"], ` +
	`"challenge_test_list": []}
{"task_id": 604, "text": "Write a function to sum the even numbers below n.", ` +
	`"code": "def evens(n):\n    total = 0\n    for i in range(0, n, 2):\n        total += i\n    return total", "test_setup_code": "", ` +
	`"test_list": ["assert evens(5) == 6", "assert evens(0) == 0", "assert evens(10) == 20"], "challenge_test_list": []}
{"task_id": 605, "text": "Write a function to find the largest number of a list, or none for an empty list.", ` +
	`"code": "def largest(xs):\n    best = None\n    for x in xs:\n        if best is None or x > best:\n            best = x\n` +
	`    return best", "test_setup_code": "", "test_list": ["assert largest([1, 5, 3]) == 5", "assert largest([]) is None", ` +
	`"assert largest([-2, -7]) == -2"], "challenge_test_list": []}
`
