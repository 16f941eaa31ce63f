package dataset

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// pickled is a pickle of one string as Python's protocol 4 writes it.
func pickled(s string) []byte {
	var body bytes.Buffer
	switch {
	case len(s) < 256:
		body.Write([]byte{opShortBinUnicode, byte(len(s))})
	default:
		body.WriteByte(opBinUnicode)
		_ = binary.Write(&body, binary.LittleEndian, uint32(len(s)))
	}
	body.WriteString(s)
	body.Write([]byte{opMemoize, opStop})
	var all bytes.Buffer
	all.Write([]byte{opProto, 4, opFrame})
	_ = binary.Write(&all, binary.LittleEndian, uint64(body.Len()))
	all.Write(body.Bytes())
	return all.Bytes()
}

// packed is how LiveCodeBench packs its private tests.
func packed(data []byte) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(data)
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func liveFunctional(id string) map[string]any {
	return map[string]any{
		"question_title": "join", "question_content": "Join the words.", "platform": "leetcode", "question_id": id, "contest_id": "c", "contest_date": "2024-03-09T00:00:00",
		"starter_code": "class Solution:\n    def joinWords(self, words: List[str], sep: str) -> str:\n        ", "difficulty": "easy",
		"public_test_cases":  `[{"input": "[\"a\", \"b\"]\n\"-\"", "output": "\"a-b\"", "testtype": "functional"}]`,
		"private_test_cases": packed(pickled(`[{"input": "[]\n\"\"", "output": "\"\"", "testtype": "functional"}, {"input": "[\"` + strings.Repeat("x", 3000) + `\"]\n\"\"", "output": "\"` + strings.Repeat("x", 3000) + `\"", "testtype": "functional"}]`)),
		"metadata":           `{"func_name": "joinWords"}`,
	}
}

func liveProgram(id string) map[string]any {
	return map[string]any{
		"question_content": "Add two.", "platform": "atcoder", "question_id": id, "contest_date": "2023-08-21T00:00:00", "starter_code": "", "difficulty": "hard",
		"public_test_cases": `[{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}]`, "private_test_cases": `[{"input": "2 2\n", "output": "4", "testtype": "stdin"}]`, "metadata": "{}",
	}
}

func TestLiveCodeBench(t *testing.T) {
	s, err := open(t, "livecodebench", liveFunctional("3001"), liveProgram("abc301_a"))
	if err != nil {
		t.Fatal(err)
	}
	want := Task{
		ID: "3001", Split: "test", Text: "Join the words.\n\nStarter code:\n\nclass Solution:\n    def joinWords(self, words: List[str], " +
			"sep: str) -> str:\n",
		Entry: "joinWords", Signature: "def joinWords(self, words: List[str], sep: str) -> str:", Bridge: solutionBridge("joinWords"),
		Judge:      sameJudge,
		Difficulty: "easy", Source: "leetcode", Released: time.Date(2024, 3, 9, 0, 0, 0, 0, time.UTC),
		Tests: []Test{
			{Name: "call 1", Code: "assert _same(joinWords([\"a\", \"b\"], \"-\"), \"a-b\")\n", Shown: "assert joinWords([\"a\", \"b\"], \"-\") == \"a-b\"", Public: true},
			{Name: "call 2", Code: "assert _same(joinWords([], \"\"), \"\")\n", Shown: "assert joinWords([], \"\") == \"\""},
			s.Tasks[0].Tests[2], // long: looked at by what it does
		},
	}
	if diff := cmp.Diff(want, s.Tasks[0], cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if code := s.Tasks[0].Tests[2].Code; !strings.Contains(code, "json.loads(") {
		t.Errorf("a long value is a literal: %.200s", code)
	}
	verdicts(t, s.Tasks[0], map[string]sandbox.Verdict{
		"class Solution:\n    def joinWords(self, words, sep):\n        return sep.join(words)": sandbox.Passed,
		"def joinWords(words, sep):\n    return sep.join(words)":                                sandbox.Passed,
		"def joinWords(words, sep):\n    return sep.join(words)[:2999]":                         sandbox.Failed,
		"class Solution:\n    pass":                                                             sandbox.NoEntryPoint,
	})
	want = Task{
		ID: "abc301_a", Split: "test", Text: "Add two.", Difficulty: "hard", Source: "atcoder",
		Released: time.Date(2023, 8, 21, 0, 0, 0, 0, time.UTC),
		Cases:    []sandbox.Case{{Stdin: "1 2\n", Stdout: "3\n"}, {Stdin: "2 2\n", Stdout: "4"}}, PublicCases: 1,
	}
	if diff := cmp.Diff(want, s.Tasks[1], cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	verdicts(t, s.Tasks[1], map[string]sandbox.Verdict{"print(sum(map(int, input().split())))": sandbox.Passed, "print(3)": sandbox.Failed})
}

// TestLiveCodeBenchAsLists: some copies hold the lists themselves where the published file holds texts of them.
func TestLiveCodeBenchAsLists(t *testing.T) {
	row := liveProgram("a")
	row["public_test_cases"] = []any{map[string]any{"input": "1 2\n", "output": "3\n", "testtype": "stdin"}}
	row["metadata"] = map[string]any{}
	if diff := cmp.Diff(one(t, "livecodebench", liveProgram("a")), one(t, "livecodebench", row)); diff != "" {
		t.Error(diff)
	}
}

func TestLiveCodeBenchRefusals(t *testing.T) {
	for want, change := range map[string]func(map[string]any){
		`"question_id" is missing`:                            func(r map[string]any) { r["question_id"] = "" },
		`"question_content" is missing`:                       func(r map[string]any) { r["question_content"] = "" },
		`"contest_date" holds`:                                func(r map[string]any) { r["contest_date"] = "yesterday" },
		`field "private_test_cases": neither JSON nor base64`: func(r map[string]any) { r["private_test_cases"] = "hello" },
		`field "private_test_cases": broken base64 or zlib`:   func(r map[string]any) { r["private_test_cases"] = packed(pickled("[]"))[:20] },
		`field "private_test_cases": the pickle holds something else`: func(r map[string]any) {
			r["private_test_cases"] = packed([]byte("\x80\x04cposix\nsystem\n\x8c\x04true\x85R."))
		},
		`field "private_test_cases": broken JSON`: func(r map[string]any) { r["private_test_cases"] = packed(pickled("[")) },
		`test 2 is of type "stdin"`: func(r map[string]any) {
			r["private_test_cases"] = `[{"input": "1", "output": "1", "testtype": "stdin"}]`
		},
		"an argument is not JSON": func(r map[string]any) {
			r["private_test_cases"] = `[{"input": "x", "output": "1", "testtype": "functional"}]`
		},
		"the output is not JSON": func(r map[string]any) {
			r["private_test_cases"] = `[{"input": "1", "output": "x", "testtype": "functional"}]`
		},
		"is not the name":          func(r map[string]any) { r["metadata"] = "{}" },
		`field "metadata": broken`: func(r map[string]any) { r["metadata"] = "{" },
	} {
		row := liveFunctional("1")
		change(row)
		_, err := open(t, "livecodebench", row)
		wantError(t, err, "line 1", want)
	}
	row := liveProgram("none")
	row["public_test_cases"], row["private_test_cases"] = "[]", ""
	s, err := open(t, "livecodebench", row, liveProgram("some"))
	if err != nil || len(s.Tasks) != 1 || s.Info.Skipped["none"] == "" {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestBombs: what a field unpacks to counts against what the file may hold.
func TestBombs(t *testing.T) {
	row := liveProgram("1")
	row["private_test_cases"] = packed(pickled("[" + strings.Repeat(" ", 4<<20) + "]"))
	data := file(t, "data", jsonOf(t, row))
	if _, err := Open(t.Context(), "livecodebench", Options{Data: data, Parser: runtest.OpenParser, MaxBytes: 5 << 20}); err != nil {
		t.Error(err)
	}
	_, err := Open(t.Context(), "livecodebench", Options{Data: data, Parser: runtest.OpenParser, MaxBytes: 3 << 20})
	wantError(t, err, "line 1", "private_test_cases", "unpacks to more")
}

func FuzzLiveCodeBench(f *testing.F) {
	fuzz(f, liveCodeBench{}, liveFunctional("1"), liveProgram("2"))
}
