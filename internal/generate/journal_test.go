package generate_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/generate"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/google/go-cmp/cmp"
)

// seconds are what differs between two runs.
var seconds = regexp.MustCompile(`"seconds":[^,]*,`)

var kind = rundir.Kind{Name: "test"}

func openDir(t *testing.T, path string) *rundir.Dir {
	t.Helper()
	d, err := rundir.Open(path, kind)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestResumeFromEveryCut: wherever a crash cuts the file, exactly the samples that are not whole in it are made again,
// with the same seeds, and the file ends up with every sample once.
func TestResumeFromEveryCut(t *testing.T) {
	f := &fake{}
	s := sampler(t, generate.Config{Model: f.handle(), N: 2, Temperature: 1, Concurrency: 1})
	run := func(path string) ([]byte, int) {
		t.Helper()
		d := openDir(t, path)
		defer d.Close()
		j, err := generate.OpenJournal(d, "samples.jsonl", false, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		before := f.calls
		if _, err := s.Run(t.Context(), many(3), j.Has, j.Add); err != nil {
			t.Fatal(err)
		}
		if j.Len() != 6 {
			t.Fatalf("%d samples", j.Len())
		}
		n := 0
		for one, err := range j.Samples() {
			if err != nil {
				t.Fatal(err)
			}
			if one.Index != n%2 {
				t.Errorf("sample %d is number %d", n, one.Index)
			}
			n++
		}
		if n != 6 {
			t.Errorf("%d samples are read", n)
		}
		text, err := os.ReadFile(filepath.Join(path, "samples.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return text, f.calls - before
	}
	whole, calls := run(t.TempDir())
	if calls != 6 {
		t.Fatalf("%d calls", calls)
	}
	clean := func(text []byte) string { return seconds.ReplaceAllString(string(text), "") }
	for at := range whole {
		if at%7 != 0 && whole[at] != '\n' && (at == 0 || whole[at-1] != '\n') { // every end and beginning of a line, and places within
			continue
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "samples.jsonl"), whole[:at], 0o644); err != nil {
			t.Fatal(err)
		}
		got, calls := run(dir)
		if want := 6 - strings.Count(string(whole[:at]), "\n"); calls != want {
			t.Fatalf("cut at byte %d: %d calls, want %d", at, calls, want)
		}
		if clean(got) != clean(whole) {
			t.Fatalf("cut at byte %d:\n%s", at, cmp.Diff(clean(whole), clean(got)))
		}
	}
}

// TestDamagedJournals are refused with the line, and left as they are.
func TestDamagedJournals(t *testing.T) {
	line := func(task string, index int) string {
		text, err := json.Marshal(generate.Sample{TaskID: task, Index: index, Prompt: "p"})
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	tests := []struct{ name, text, want string }{
		{"no JSON", line("a", 0) + "{broken\n" + line("a", 1), "line 2: not a sample"},
		{"a blank line", line("a", 0) + "\n" + line("a", 1), "line 2: not a sample"},
		{"twice", line("a", 0) + line("b", 0) + line("a", 0), "line 3: a second sample 0 of a, whose first is in line 1"},
		{"negative", line("a", -1), "line 1: not a sample"},
		{"somebody else's", `{"task_id": "a", "completion": "x"}` + "\n", "no prompt_sha256"},
		{"refused", line("a", 0) + line("z", 0), "line 2: z is not asked for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := openDir(t, t.TempDir())
			defer d.Close()
			if err := os.WriteFile(d.File("samples.jsonl"), []byte(tt.text), 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := generate.OpenJournal(d, "samples.jsonl", false, func(s generate.Sample) error {
				if s.TaskID == "z" {
					return errors.New("z is not asked for")
				}
				return nil
			})
			if damaged, ok := errors.AsType[*generate.CorruptError](err); !ok || !strings.Contains(err.Error(), tt.want) || damaged.Hint() == "" {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if text, _ := os.ReadFile(d.File("samples.jsonl")); string(text) != tt.text {
				t.Errorf("the file became %q", text)
			}
		})
	}
	d := openDir(t, t.TempDir())
	defer d.Close()
	j, err := generate.OpenJournal(d, "samples.jsonl", false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if err := errors.Join(j.Add(generate.Sample{TaskID: "a", Prompt: "p"}),
		j.Add(generate.Sample{TaskID: "a", Index: 1, Prompt: "p"})); err != nil {
		t.Fatal(err)
	}
	if err := j.Add(generate.Sample{TaskID: "a", Prompt: "p"}); err == nil || j.Len() != 2 {
		t.Errorf("the same sample twice: %v", err)
	}
}

// FuzzJournal: whatever lies in the directory under that name, it is opened or refused, and one that was opened takes a
// sample and reads back.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"task_id":"a","sample":0,"completion":"x","prompt_sha256":"p"}` + "\n"))
	f.Add([]byte(`{"task_id":"a","prompt_sha256":"p","cost_usd":1e99,"usage":{"input_tokens":-1}}` + "\n{"))
	f.Add([]byte("\n\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		d := openDir(t, t.TempDir())
		defer d.Close()
		if err := os.WriteFile(d.File("s"), text, 0o644); err != nil {
			t.Fatal(err)
		}
		j, err := generate.OpenJournal(d, "s", false, nil)
		if err != nil {
			return
		}
		defer j.Close()
		before := j.Len()
		if err := j.Add(generate.Sample{TaskID: "fuzz/new", Index: 1 << 40, Prompt: "p"}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, err := range j.Samples() {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != before+1 {
			t.Fatalf("%d samples, want %d", n, before+1)
		}
	})
}

// TestALongTornLineIsRemoved: what a crash left of a long reply does not show again behind a short one.
func TestALongTornLineIsRemoved(t *testing.T) {
	d := openDir(t, t.TempDir())
	defer d.Close()
	torn := `{"task_id":"a","sample":0,"prompt_sha256":"p","completion":"` + strings.Repeat("x", 10_000)
	if err := os.WriteFile(d.File("s"), []byte(torn), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := generate.OpenJournal(d, "s", false, nil)
	if err != nil || j.Len() != 0 {
		t.Fatal(j.Len(), err)
	}
	defer j.Close()
	if err := j.Add(generate.Sample{TaskID: "a", Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(d.File("s")); err != nil || strings.Contains(string(text), "xx") || strings.Count(string(text), "\n") != 1 {
		t.Errorf("%v, %d bytes", err, len(text))
	}
}
