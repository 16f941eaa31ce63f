package sandbox

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func readMBPP(t testing.TB) []Program {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "mbpp", "mbpp.jsonl"))
	if err != nil {
		t.Skip("no MBPP data here: ", err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<22)
	var all []Program
	called, defined := regexp.MustCompile(`\b([A-Za-z_]\w*)\(`), regexp.MustCompile(`(?m)^(?:def|class)\s+(\w+)`)
	for s.Scan() {
		var m struct {
			Code  string   `json:"code"`
			ID    int      `json:"task_id"`
			Setup string   `json:"test_setup_code"`
			Tests []string `json:"test_list"`
		}
		if err := json.Unmarshal(s.Bytes(), &m); err != nil {
			t.Fatal(err)
		}
		p := Program{Code: strings.ReplaceAll(m.Code, "\r\n", "\n"), Setup: strings.ReplaceAll(m.Setup, "\r\n", "\n")}
		names := map[string]bool{}
		for _, d := range defined.FindAllStringSubmatch(p.Code, -1) {
			names[d[1]] = true
		}
		for i, test := range m.Tests {
			p.Tests = append(p.Tests, Test{Name: string(rune('a' + i)), Code: test})
			for _, c := range called.FindAllStringSubmatch(test, -1) {
				if names[c[1]] && c[1] != p.Entry {
					if p.Entry == "" {
						p.Entry = c[1]
					} else {
						p.Names = append(p.Names, c[1])
					}
				}
			}
		}
		p.Tests[0].Name = "MBPP/" + string(json.RawMessage(jsonInt(m.ID)))
		all = append(all, p)
	}
	return all
}

func jsonInt(n int) []byte { b, _ := json.Marshal(n); return b }

func TestExecMBPP(t *testing.T) {
	e := open(t, Config{Workers: 2})
	passed, failed := 0, []string{}
	for _, p := range readMBPP(t) {
		j := judged(t, e, p)
		if j.Verdict == Passed {
			passed++
			continue
		}
		msg := ""
		if j.Error != nil {
			msg = j.Error.Error() + j.Error.Traceback
		}
		failed = append(failed, p.Tests[0].Name)
		t.Logf("%s: %s %s %v", p.Tests[0].Name, j.Verdict, strings.TrimSpace(msg), p.Names)
	}
	t.Log(passed, failed)
}
