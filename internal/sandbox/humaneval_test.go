package sandbox

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// readHumanEval is a small reader for benchmarks; package dataset has the real one.
func readHumanEval(t testing.TB) []Program {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "humaneval", "HumanEval.jsonl.gz"))
	if err != nil {
		t.Skip("no HumanEval data here: ", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []Program
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<22)
	for s.Scan() {
		var h struct {
			TaskID   string `json:"task_id"`
			Prompt   string `json:"prompt"`
			Entry    string `json:"entry_point"`
			Solution string `json:"canonical_solution"`
			Test     string `json:"test"`
		}
		if err := json.Unmarshal(s.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		all = append(all, Program{Code: h.Prompt + h.Solution, Entry: h.Entry, Judge: h.Prompt + "    pass\n",
			Tests: []Test{{Name: h.TaskID, Code: h.Test + "\ncheck(" + h.Entry + ")\n"}}})
	}
	return all
}

// TestHumanEval judges the canonical solutions.
func TestHumanEval(t *testing.T) {
	if testing.Short() {
		t.Skip("short: 164 programs are not judged")
	}
	e := open(t, Config{})
	for _, p := range readHumanEval(t) {
		if j := judged(t, e, p); j.Verdict != Passed {
			t.Errorf("%s: %s %+v", p.Tests[0].Name, j.Verdict, j.Error)
		}
	}
}
