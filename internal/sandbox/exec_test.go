package sandbox

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func judged(t testing.TB, e *Engine, p Program) Judgement {
	t.Helper()
	j, err := e.Exec(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestExecFirst(t *testing.T) {
	e := open(t, Config{})
	p := Program{Code: "def f(x):\n    print('hi')\n    x.append(1)\n    return [x, (1, 2), {3: {4}}]\n", Entry: "f",
		Tests: []Test{{Name: "a", Code: "y = [0]\nr = f(y)\nassert r[0] is y and y == [0, 1] and r[1:] == [(1, 2), {3: {4}}], r"}}}
	j := judged(t, e, p)
	if j.Verdict != Passed || j.Stdout != "hi\n" {
		t.Fatalf("%+v %+v", j, j.Error)
	}
}

type humanEval struct {
	TaskID   string `json:"task_id"`
	Prompt   string `json:"prompt"`
	Entry    string `json:"entry_point"`
	Solution string `json:"canonical_solution"`
	Test     string `json:"test"`
}

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
		var h humanEval
		if err := json.Unmarshal(s.Bytes(), &h); err != nil {
			t.Fatal(err)
		}
		all = append(all, Program{Code: h.Prompt + h.Solution, Entry: h.Entry, Judge: h.Prompt + "    pass\n", Tests: []Test{{Name: h.TaskID, Code: h.Test + "\ncheck(" + h.Entry + ")\n"}}})
	}
	return all
}

func TestExecHumanEval(t *testing.T) {
	e := open(t, Config{Workers: 2})
	passed := 0
	for _, p := range readHumanEval(t) {
		j := judged(t, e, p)
		if j.Verdict == Passed {
			passed++
			continue
		}
		msg := ""
		if j.Error != nil {
			msg = j.Error.Error() + j.Error.Traceback
		}
		t.Errorf("%s: %s %s", p.Tests[0].Name, j.Verdict, strings.TrimSpace(msg))
	}
	t.Log(passed)
}
