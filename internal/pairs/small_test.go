package pairs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// smallTasks are tasks in MBPP's form, by their ids in different splits: 601 on are for training, 11 is for measuring.
const smallTasks = `{"task_id": 11, ` +
	`"text": "Write a function to double every number of a list and to leave out what is then larger than a given limit.", ` +
	`"code": "def doubled(xs, limit):\n    return [2 * x for x in xs if 2 * x <= limit]", ` +
	`"test_list": ["assert doubled([1, 2, 3], 4) == [2, 4]", "assert doubled([], 1) == []", "assert doubled([5], 9) == []"]}
{"task_id": 601, "text": "Write a function to count the numbers of a list that are above a limit.", ` +
	`"code": "def above(xs, limit):\n    count = 0\n    for x in xs:\n        if x > limit:\n            count += 1\n    return count", ` +
	`"test_list": ["assert above([1, 5, 9], 4) == 2", "assert above([], 3) == 0", "assert above([4, 4, 7], 4) == 1"]}
{"task_id": 602, "text": "Write a function to join words by dashes.", "code": "def dashed(words):\n    return \"-\".join(words)", ` +
	`"test_list": ["assert dashed(['a', 'b', 'c']) == 'a-b-c'", "assert dashed([]) == ''", "assert dashed(['x']) == 'x'"]}
{"task_id": 603, "text": "Write a function to find the second largest number.", ` +
	`"code": "def second(xs):\n    xs = sorted(set(xs))\n    return xs[-2]", ` +
	`"test_list": ["assert second([3, 1, 2]) == 2", "assert second([5, 5, 4]) == 4", "assert second([7, 8]) == 7"]}
{"task_id": 604, "text": "Write a function to sum the even numbers below n.", ` +
	`"code": "def evens(n):\n    total = 0\n    for i in range(0, n, 2):\n        total += i\n    return total", ` +
	`"test_list": ["assert evens(5) == 6", "assert evens(0) == 0", "assert evens(10) == 20"]}
`

func smallSet(t testing.TB) *dataset.Set {
	t.Helper()
	name := filepath.Join(t.TempDir(), "mbpp.jsonl")
	// MBPP's rows have setup code and challenge tests, which are empty here.
	text := strings.ReplaceAll(smallTasks, `"test_list"`, `"test_setup_code": "", "challenge_test_list": [], "test_list"`)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := dataset.Open(t.Context(), "mbpp", dataset.Options{Data: name, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func extractor() *extract.Extractor { return extract.New(runtest.OpenParser) }

const (
	aboveRight = "def above(xs, limit):\n    return sum(1 for x in xs if x > limit)\n"
	aboveWrong = "def above(xs, limit):\n    return sum(1 for x in xs if x >= limit)\n"
	evensRight = "def evens(n):\n    return sum(i for i in range(n) if i % 2 == 0)\n"
	// evensShallow knows the three examples.
	evensShallow = "def evens(n):\n    return {5: 6, 0: 0, 10: 20}.get(n, 0)\n"
	evensWrong   = "def evens(n):\n    return sum(i for i in range(n + 1) if i % 2 == 0)\n"
)
