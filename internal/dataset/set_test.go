package dataset

import (
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

func TestNames(t *testing.T) {
	want := []string{"humaneval", "mbpp", "mbpp-sanitized", "humanevalplus", "mbppplus", "apps", "codecontests", "livecodebench", "quixbugs",
		"multipl-e"}
	if diff := cmp.Diff(want, Names()); diff != "" {
		t.Error(diff)
	}
	for _, name := range want {
		if i, err := Describe(name); err != nil || i.Name != name {
			t.Errorf("Describe(%q): %v, %v", name, i, err)
		}
	}
	_, err := Describe("humanevil")
	wantError(t, err, "humanevil")
	_, err = Open(t.Context(), "humanevil", Options{})
	wantError(t, err, "humanevil")
}

func TestSplit(t *testing.T) {
	rows := jsonOf(t, []any{aRow(2), aRow(11), aRow(510), aRow(511), aRow(601)})
	for split, want := range map[string][]string{
		"": {"MBPP/2", "MBPP/11", "MBPP/510", "MBPP/511", "MBPP/601"}, "prompt": {"MBPP/2"}, "test": {"MBPP/11", "MBPP/510"},
		"validation": {"MBPP/511"}, "train": {"MBPP/601"},
	} {
		s, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", rows), Parser: runtest.OpenParser, Split: split})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, task := range s.Tasks {
			got = append(got, task.ID)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", split, diff)
		}
		if _, ok := s.Find("601"); ok != slices.Contains(want, "MBPP/601") {
			t.Errorf("%q: Find does not know what the split holds", split)
		}
	}
	_, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", rows), Parser: runtest.OpenParser, Split: "dev"})
	wantError(t, err, `no split "dev"`)
	_, err = Open(t.Context(), "mbpp", Options{Data: file(t, "data", jsonOf(t, aRow(11))), Parser: runtest.OpenParser, Split: "train"})
	wantError(t, err, `no task in it is of split "train"`)
}

func TestFind(t *testing.T) {
	s := newSet(Info{}, []Task{{ID: "MBPP/11"}, {ID: "MBPP/111"}, {ID: "MBPP/train/3"}}, "")
	for id, want := range map[string]string{
		"MBPP/11": "MBPP/11", "Mbpp/11": "MBPP/11", "11": "MBPP/11", "111": "MBPP/111", "train/3": "MBPP/train/3",
		"1": "", "": "", "HumanEval/11": "", "MBPP/": "", "/11": "", "MBPP": "",
	} {
		if got, ok := s.Find(id); got.ID != want || ok != (want != "") {
			t.Errorf("Find(%q): %q, %v; want %q", id, got.ID, ok, want)
		}
	}
	if _, ok := new(Set).Find("1"); ok {
		t.Error("an empty set has a task")
	}
}

func TestHash(t *testing.T) {
	a, b := "["+jsonOf(t, aRow(601))+"]", "["+jsonOf(t, aRow(602))+"]   \n\n"
	hash := func(text string) string {
		s, err := Open(t.Context(), "mbpp", Options{Data: file(t, "data", text), Parser: runtest.OpenParser})
		if err != nil {
			t.Fatal(err)
		}
		if s.Info.Official {
			t.Error("said to be the published file")
		}
		return s.Info.Hash
	}
	if first, again := hash(a), hash(a); first == hash(b) || first != again || len(first) != 64 {
		t.Error("the hash is not that of the bytes")
	}
	if hash(b) == hash(b[:len(b)-1]) {
		t.Error("the hash leaves out what follows the last row")
	}
}

func TestTask(t *testing.T) {
	task := Task{
		Prefix: "def f():\n", Entry: "f", Names: []string{"C"}, Setup: "s", Judge: "j", Bridge: "b",
		Cases: []sandbox.Case{{Stdin: "1", Stdout: "2"}},
		Tests: []Test{{Name: "a", Code: "x", Public: true}, {Name: "b", Code: "y"}, {Name: "c", Code: "z", Shown: "w", Public: true}},
	}
	if got := task.Whole("    return 1"); got != "def f():\n    return 1" {
		t.Errorf("Whole: %q", got)
	}
	want := sandbox.Program{
		Code: "code\n\nb", Entry: "f", Names: []string{"C"}, Setup: "s", Judge: "j", Cases: task.Cases,
		Tests: []sandbox.Test{{Name: "a", Code: "x"}, {Name: "b", Code: "y"}, {Name: "c", Code: "z"}},
	}
	if diff := cmp.Diff(want, task.Program("code")); diff != "" {
		t.Error(diff)
	}
	if got := task.Program(" \n").Code; got != " \n" { // a bridge must not make something of nothing
		t.Errorf("an empty program becomes %q", got)
	}
	if diff := cmp.Diff([]string{"x", "w"}, task.Public()); diff != "" {
		t.Error(diff)
	}
}
