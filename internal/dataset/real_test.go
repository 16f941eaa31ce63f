package dataset

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRealCounts holds what is read of the real files against what is known of them.
func TestRealCounts(t *testing.T) {
	for name, want := range map[string]struct {
		path           string
		tasks, tests   int
		public, setups int
		splits         map[string]int
		official       bool
	}{
		"humaneval": {path: "humaneval/HumanEval.jsonl.gz", tasks: 164, tests: 1112, splits: map[string]int{"test": 164}, official: true},
		"mbpp": {path: "mbpp/mbpp.jsonl", tasks: 974, tests: 2938, public: 2922, setups: 2, official: true,
			splits: map[string]int{"prompt": 10, "test": 500, "validation": 90, "train": 374}},
		"mbpp-sanitized": {path: "mbpp/sanitized-mbpp.json", tasks: 427, tests: 1324, public: 1324, setups: 13, official: true,
			splits: map[string]int{"prompt": 7, "test": 257, "validation": 43, "train": 120}},
		"quixbugs": {path: "quixbugs", tasks: 40, tests: 249, setups: 9, splits: map[string]int{"": 40}},
	} {
		t.Run(name, func(t *testing.T) {
			s := real(t, name, want.path)
			tests, public, setups, splits := 0, 0, 0, map[string]int{}
			for _, task := range s.Tasks {
				splits[task.Split]++
				tests += len(task.Tests) + len(task.Challenges)
				public += len(task.Public())
				if task.Setup != "" {
					setups++
				}
				if task.Text == "" || task.Entry == "" || task.Signature == "" || task.Canonical == "" || len(task.Tests) == 0 {
					t.Errorf("%s lacks something: %+v", task.ID, task)
				}
			}
			if diff := cmp.Diff(want.splits, splits); diff != "" {
				t.Error(diff)
			}
			if len(s.Tasks) != want.tasks || tests != want.tests || public != want.public || setups != want.setups ||
				s.Info.Official != want.official {
				t.Errorf("%d tasks, %d tests, %d public, %d setups, official %v; want %+v", len(s.Tasks), tests, public, setups, s.Info.Official, want)
			}
		})
	}
}

// TestRealEntries: the traps of the real data by name, and everywhere an entry point that the reference's tree has.
func TestRealEntries(t *testing.T) {
	p := pythonForTest(t)
	for _, set := range realSets {
		t.Run(set.name, func(t *testing.T) {
			for _, task := range real(t, set.name, set.path).Tasks {
				m, err := p.parse(t.Context(), task.Canonical)
				if err != nil {
					t.Fatal(err)
				}
				if d, ok := m.last(task.Entry); !ok || d.how != byFunction || d.signature != task.Signature {
					t.Errorf("%s: the reference does not define %q", task.ID, task.Entry)
				}
			}
		})
	}
	s := real(t, "mbpp", "mbpp/mbpp.jsonl")
	for id, want := range map[string]Task{
		"56":  {Entry: "check", Signature: "def check(n):"},
		"367": {Entry: "is_tree_balanced", Signature: "def is_tree_balanced(root):"},
		"596": {Entry: "tuple_size", Signature: "def tuple_size(tuple_list):", Judge: "import sys\n"},
		"601": {Entry: "max_chain_length", Signature: "def max_chain_length(arr, n):", Names: []string{"Pair"}},
		"769": {Entry: "Diff", Signature: "def Diff(li1, li2):"},
		"912": {Entry: "lobb_num", Signature: "def lobb_num(n, m):"},
		"927": {Entry: "max_height", Signature: "def max_height(node):"},
	} {
		task, _ := s.Find(id)
		got := Task{Entry: task.Entry, Signature: task.Signature, Names: task.Names, Judge: task.Judge}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("MBPP/%s: %s", id, diff)
		}
	}
}
