package verify_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/verify"
	"github.com/google/go-cmp/cmp"
)

// source is a samples file with these lines.
func source(lines ...string) verify.Source {
	return verify.Source{Name: "samples.jsonl", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(strings.Join(lines, "\n") + "\n")), nil
	}}
}

func TestSamplesAreRead(t *testing.T) {
	type row struct {
		Task  string
		Index int
		Text  string
		Whole bool
	}
	read := func(t *testing.T, s verify.Source) []row {
		var rows []row
		for one, err := range s.Samples() {
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, row{one.TaskID, one.Index, one.Text(), one.Solution != nil})
		}
		return rows
	}
	lines := []string{
		"\xef\xbb\xbf" + `{"task_id": "HumanEval/0", "completion": "a"}`, "",
		`{"task_id": 11, "solution": "b", "completion": "not this one", "_identifier": "x"}`,
		`{"task_id": "HumanEval/0", "completion": "c\r\n"}`,
		`{"task_id": "HumanEval/0", "completion": "", "sample": 7}`,
	}
	want := []row{{"HumanEval/0", 0, "a", false}, {"11", 0, "b", true}, {"HumanEval/0", 1, "c\r\n", false}, {"HumanEval/0", 7, "", false}}
	if diff := cmp.Diff(want, read(t, source(lines...))); diff != "" {
		t.Error(diff)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, strings.Join(lines, "\r\n"))
	z.Close()
	file := filepath.Join(t.TempDir(), "packed") // by its bytes, not by its name
	if err := os.WriteFile(file, packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, verify.Source{Name: file})); diff != "" {
		t.Error(diff)
	}

	dir := t.TempDir()
	for name, text := range map[string]string{"HumanEval_0/10.py": "k", "HumanEval_0/2.py": "j", "Mbpp_11/0.py": "m",
		"notes/readme.txt": "-"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	want = []row{{"HumanEval/0", 2, "j", true}, {"HumanEval/0", 10, "k", true}, {"Mbpp/11", 0, "m", true}}
	if diff := cmp.Diff(want, read(t, verify.Source{Name: dir})); diff != "" {
		t.Error(diff)
	}
}

func TestBrokenRowsAreNamed(t *testing.T) {
	good := `{"task_id": "HumanEval/0", "completion": "a"}`
	for name, c := range map[string]struct{ line, want string }{
		"cut":            {`{"task_id": "HumanEval/0", "comple`, "line 2: not a JSON object"},
		"no id":          {`{"completion": "a"}`, "line 2: it has no task_id"},
		"id of no type":  {`{"task_id": ["a"], "completion": "a"}`, "line 2: task_id is neither text nor a number"},
		"empty id":       {`{"task_id": "", "completion": "a"}`, "line 2: task_id is empty"},
		"no text":        {`{"task_id": "HumanEval/0"}`, "line 2: it has neither a completion nor a solution"},
		"null":           {`null`, "line 2: null"},
		"null text":      {`{"task_id": "HumanEval/0", "completion": null}`, "line 2: it has neither a completion nor a solution"},
		"text of a list": {`{"task_id": "HumanEval/0", "completion": ["a"]}`, "line 2: completion is not text"},
		"a list":         {`[{"task_id": "HumanEval/0"}]`, "one sample a line"},
		"not UTF-8":      {"{\"task_id\": \"HumanEval/0\", \"completion\": \"\xff\"}", "line 2: it is not UTF-8"},
		"negative":       {`{"task_id": "HumanEval/0", "completion": "a", "sample": -1}`, "line 2: sample is out of range"},
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			for _, e := range source(good, c.line).Samples() {
				err = e
			}
			var row *verify.RowError
			if !errors.As(err, &row) || !strings.Contains(err.Error(), c.want) || row.Hint() == "" {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestInventory(t *testing.T) {
	set := humaneval(t, 5)
	src := source(
		`{"task_id": "HumanEval/0", "completion": "a"}`,
		`{"task_id": "0", "completion": "a"}`,
		`{"task_id": "HumanEval/1", "completion": "a", "sample": 0}`,
		`{"task_id": "HumanEval/1", "completion": "a", "sample": 0}`,
		`{"task_id": "HumanEval/1", "completion": "b", "sample": 1}`,
		`{"task_id": "HumanEval/4", "completion": "b"}`)
	v, err := verify.Inspect(t.Context(), src, set, func(id string) bool { return id != "HumanEval/4" })
	if err != nil {
		t.Fatal(err)
	}
	if v.Samples != 4 || v.Aside != 1 || v.Dropped != 1 || v.Repeats != 1 {
		t.Errorf("%+v", v)
	}
	if diff := cmp.Diff([]string{"HumanEval/2", "HumanEval/3"}, v.Missing); diff != "" {
		t.Error(diff)
	}
	var ids []string
	for s, err := range v.Of(src) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, s.TaskID+" "+s.Text())
	}
	if diff := cmp.Diff([]string{"HumanEval/0 a", "HumanEval/0 a", "HumanEval/1 a", "HumanEval/1 b"}, ids); diff != "" {
		t.Error(diff)
	}
}

func TestWhatCannotBeJudgedIsRefused(t *testing.T) {
	set := humaneval(t, 5)
	_, err := verify.Inspect(t.Context(), source(
		`{"task_id": "HumanEval/0", "completion": "a"}`,
		`{"task_id": "HumanEva/3", "completion": "a"}`,
		`{"task_id": "HumanEva/3", "completion": "b"}`,
		`{"task_id": "something else", "completion": "a"}`), set, nil)
	var unknown *verify.UnknownError
	if !errors.As(err, &unknown) {
		t.Fatal(err)
	}
	want := `samples.jsonl: 3 samples are of tasks that humaneval does not have: "HumanEva/3" (line 2; nearest: HumanEval/3), ` +
		`"something else" (line 4)`
	if err.Error() != want || !strings.Contains(unknown.Hint(), "correct the task ids") {
		t.Errorf("got  %v (%s)\nwant %s", err, unknown.Hint(), want)
	}
	_, err = verify.Inspect(t.Context(), source(
		`{"task_id": "HumanEval/0", "completion": "a", "sample": 2}`,
		`{"task_id": "HumanEval/0", "completion": "b", "sample": 2}`), set, nil)
	if err == nil || !strings.Contains(err.Error(), "line 2: sample 2 of HumanEval/0 was given at line 1, with another text") {
		t.Errorf("got %v", err)
	}
}

func FuzzSamples(f *testing.F) {
	f.Add([]byte(`{"task_id": "HumanEval/0", "completion": "a"}` + "\n"))
	f.Add([]byte(`{"task_id": 3, "solution": "a", "sample": 1, "mode": "chat"}`))
	f.Add([]byte("\x1f\x8b\x08"))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := verify.Source{Name: "f", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
		ended := false
		for one, err := range s.Samples() {
			if ended {
				t.Fatal("a sample after an error")
			}
			if ended = err != nil; !ended && (one.TaskID == "" || one.Index < 0 || (one.Completion == nil) == (one.Solution == nil)) {
				t.Fatalf("%+v", one)
			}
		}
	})
}
