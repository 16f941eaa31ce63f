package runcode_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
	"github.com/google/go-cmp/cmp"
)

// TestAnswers is what SandboxFusion's clients make of each judgement.
func TestAnswers(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: newScripted()})
	_, strict := serve(t, runcode.Config{Executor: newScripted(), Strict: true})
	left := func(j sandbox.Judgement) string {
		raw, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		return "judge " + string(raw)
	}
	exit := func(code int) string {
		return left(sandbox.Judgement{Verdict: sandbox.Failed, Error: &sandbox.PyError{Type: "SystemExit", Message: fmt.Sprint(code)},
			ExitCode: code})
	}
	raised := &sandbox.PyError{Type: "AssertionError", Traceback: "Traceback\nAssertionError\n"}
	for _, test := range []struct {
		name, base, code string
		extra            program
		status, run      string
		exit             int
		verdict          sandbox.Verdict
		stderr           string
	}{
		{"the end", base, "print 1", nil, "Success", "Finished", 0, "passed", ""},
		{"exit 0 early", base, exit(0), nil, "Success", "Finished", 0, "failed", ""},
		{"exit 0 early, strict", strict, exit(0), nil, "Failed", "Finished", 1, "failed", ""},
		{"exit 3", base, exit(3), nil, "Failed", "Finished", 3, "failed", ""},
		{"exit -1", base, exit(-1), nil, "Failed", "Finished", 255, "failed", ""},
		{"exit 256", base, exit(256), nil, "Success", "Finished", 0, "failed", ""},
		{"exit 256, strict", strict, exit(256), nil, "Failed", "Finished", 1, "failed", ""},
		{"an exception", base, left(sandbox.Judgement{Verdict: sandbox.Failed, Error: raised, ExitCode: 1, Stderr: "x"}), nil, "Failed", "Finished", 1, "failed", "x\nTraceback\nAssertionError\n"},
		{"an exception that exits with 0", base, left(sandbox.Judgement{Verdict: sandbox.Failed, Error: raised}), nil, "Failed", "Finished", 1, "failed", "Traceback\nAssertionError\n"},
		{"an exception that was printed", base, left(sandbox.Judgement{Verdict: sandbox.Failed, Error: raised, ExitCode: 1, Stderr: "Traceback\nAssertionError\n"}), nil, "Failed", "Finished", 1, "failed", "Traceback\nAssertionError\n"},
		{"a syntax error", base, left(sandbox.Judgement{Verdict: sandbox.SyntaxError, ExitCode: 1}), nil, "Failed", "Finished", 1, "syntax_error", ""},
		{"too slow", base, left(sandbox.Judgement{Verdict: sandbox.Timeout}), nil, "Failed", "TimeLimitExceeded", -1, "timeout", ""},
		{"too large", base, left(sandbox.Judgement{Verdict: sandbox.Memory}), nil, "Failed", "Finished", 137, "memory", ""},
		{"an exit before tests", base, exit(0), program{"tests": []string{"assert f()"}}, "Failed", "Finished", 1, "failed", ""},
		{"an empty program", base, left(sandbox.Judgement{Verdict: sandbox.Empty}), nil, "Failed", "Finished", 1, "empty", ""},
		{"a broken sandbox", base, "broken", nil, "SandboxError", "", -1, "infra_error", ""},
		{"a sandbox that failed", base, left(sandbox.Judgement{Verdict: sandbox.InfraError}), nil, "SandboxError", "", -1, "infra_error", ""},
	} {
		q := python(test.code)
		for k, v := range test.extra {
			q[k] = v
		}
		status, r := runCode(t, test.base, q)
		if status != 200 || r.Status != test.status || r.code() != test.exit || r.Verdict != test.verdict {
			t.Errorf("%s: %d %+v, exit %d", test.name, status, r, r.code())
		}
		if test.run == "" && (r.RunResult != nil || r.Message == "") ||
			test.run != "" && (r.RunResult == nil || r.RunResult.Status != test.run || r.RunResult.Stderr != test.stderr) {
			t.Errorf("%s: %+v %+v", test.name, r, r.RunResult)
		}
		if r.Files == nil {
			t.Errorf("%s: files are null", test.name)
		}
	}
}

// TestShape has the fields that clients look for, null where SandboxFusion says null.
func TestShape(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: newScripted()})
	_, data := post(t, base+"/run_code", python("print <b>"))
	want := `{"status":"Success","message":"","compile_result":null,"run_result":{"status":"Finished","execution_time":0.02,"return_code":0,` +
		`"stdout":"<b>","stderr":""},` +
		`"executor_pod_name":null,"files":{},"verdict":"passed","steps":7,"memory_bytes":0}`
	if string(data) != want {
		t.Errorf("%s", data)
	}
}

// TestLimits checks the limits that the sandbox gets.
func TestLimits(t *testing.T) {
	e := newScripted()
	_, base := serve(t, runcode.Config{Executor: e})
	for _, test := range []struct {
		extra program
		want  sandbox.Limits
	}{
		{nil, sandbox.Limits{Steps: 100_000_000, Wall: 20 * time.Second, MemoryBytes: 512 << 20, OutputBytes: 1 << 20}},
		{program{"run_timeout": 2.5, "compile_timeout": 1, "memory_limit_MB": 64}, sandbox.Limits{Steps: 25_000_000, Wall: 5000 * time.Millisecond, MemoryBytes: 64 << 20, OutputBytes: 1 << 20}},
		{program{"run_timeout": 1e8, "compile_timeout": -1, "memory_limit_MB": 1e6}, sandbox.Limits{Steps: 6_000_000_000, Wall: 20 * time.Minute, MemoryBytes: 1 << 30, OutputBytes: 1 << 20}},
		{program{"run_timeout": 0, "compile_timeout": 0, "memory_limit_MB": -1}, sandbox.Limits{Steps: 100_000, Wall: 20 * time.Millisecond, MemoryBytes: 512 << 20, OutputBytes: 1 << 20}},
	} {
		q := python("x")
		for k, v := range test.extra {
			q[k] = v
		}
		runCode(t, base, q)
		if diff := cmp.Diff(test.want, e.last.Limits); diff != "" {
			t.Errorf("%v: %s", test.extra, diff)
		}
	}
	_, real := serve(t, runcode.Config{Executor: e, RealTime: true, OutputBytes: 5})
	runCode(t, real, program{"code": "x", "language": "python", "run_timeout": 3})
	if diff := cmp.Diff(sandbox.Limits{Wall: 3 * time.Second, MemoryBytes: 512 << 20, OutputBytes: 5}, e.last.Limits); diff != "" {
		t.Error(diff)
	}
	q := python("x")
	q["tests"], q["entry"], q["setup"], q["judge"], q["keep_going"] = []any{"assert f()", program{"name": "two", "code": "assert g()"}},
		"f", "import re", "ref = 1", true
	runCode(t, base, q)
	want := sandbox.Program{Code: "x", Entry: "f", Setup: "import re", Judge: "ref = 1", KeepGoing: true, Limits: e.last.Limits,
		Tests: []sandbox.Test{{Code: "assert f()"}, {Name: "two", Code: "assert g()"}}}
	if diff := cmp.Diff(want, e.last); diff != "" {
		t.Error(diff)
	}
}

func TestBadRequests(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: newScripted(), BodyBytes: 1000})
	for _, test := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/run_code", ``, 422, "ends too early"},
		{"/run_code", `{`, 422, "ends too early"},
		{"/run_code", `[]`, 422, "object was expected"},
		{"/run_code", `{} {}`, 422, "behind"},
		{"/run_code", `{"language":"python"}`, 422, "code: the field is required"},
		{"/run_code", `{"code":"x"}`, 422, "language: the field is required"},
		{"/run_code", `{"code":5,"language":"python"}`, 422, "code: a JSON number"},
		{"/run_code", `{"code":"x","language":"python","run_timeout":"5"}`, 422, "run_timeout: a JSON string"},
		{"/run_code", `{"code":"x","language":"python","run_timeout":1e30}`, 422, "out of range"},
		{"/run_code", `{"code":"x","language":"python","files":{"/etc/passwd":""}}`, 422, "outside"},
		{"/run_code", `{"code":"x","language":"python","files":{"a/../../b":""}}`, 422, "outside"},
		{"/run_code", `{"code":"x","language":"python","files":{"a":"?"}}`, 422, "not base64"},
		{"/run_code", `{"code":"x","language":"python","fetch_files":[""]}`, 422, "not the name of a file"},
		{"/run_code", `{"code":"x","language":"python","entry":"f"}`, 422, "there are none"},
		{"/run_code", `{"code":"x","language":"python","tests":["a"],"cases":[{}]}`, 422, "one or the other"},
		{"/run_code", `{"code":"x","language":"python","tests":["a"],"fetch_files":["a"]}`, 422, "without tests"},
		{"/run_code", `{"code":"x","language":"python","tests":[{"cod":"a"}]}`, 422, "cod"},
		{"/run_code", `{"code":"` + strings.Repeat("x", 2000) + `"}`, 413, "1000"},
		{"/run_batch", `{}`, 422, "programs: the field is required"},
		{"/run_batch", `{"programz":[]}`, 422, "programz"},
		{"/run_batch", `{"programs":[{"code":"x","language":"python"},{"code":"x"}]}`, 422, "programs[1]: language"},
		{"/run_batch", `{"programs":[{"code":"x","language":"python","test":["assert 0"]}]}`, 422, `unknown field "test"`},
		{"/run_jupyter", `{}`, 404, "/run_jupyter"},
	} {
		response, data := post(t, base+test.path, test.body)
		if r := parse(t, data); response.StatusCode != test.status || !strings.Contains(r.Detail, test.says) {
			t.Errorf("%s %.60s: %d %s", test.path, test.body, response.StatusCode, data)
		}
	}
	for _, language := range []string{"cpp", "pytest", "Python", strings.Repeat("x", 100)} {
		q := python("x")
		q["language"] = language
		if status, r := runCode(t, base, q); status != 200 || r.Status != "SandboxError" ||
			!strings.Contains(r.Message, language[:5%len(language)]) || r.RunResult != nil {
			t.Errorf("%s: %d %+v", language, status, r)
		}
	}
	q := python("print 1")
	q["memory_limit"], q["args"] = 5, []string{"-k", "x"}
	if status, r := runCode(t, base, q); status != 200 || r.Status != "Success" {
		t.Errorf("an unknown field: %d %+v", status, r)
	}
}

func TestPing(t *testing.T) {
	_, base := serve(t, runcode.Config{Executor: newScripted(), Token: "correct-horse-battery"})
	bare := strings.TrimSuffix(base, "/t/correct-horse-battery")
	for path, want := range map[string]string{"/v1/ping": `"pong"`, "/health": "healthy"} {
		response, err := http.Get(bare + path)
		if err != nil {
			t.Fatal(err)
		}
		line, _ := bufio.NewReader(response.Body).ReadString('\n')
		response.Body.Close()
		if response.StatusCode != 200 || !strings.Contains(line, want) {
			t.Errorf("%s: %d %s", path, response.StatusCode, line)
		}
	}
	if status, _ := runCode(t, bare, python("print 1")); status != 401 {
		t.Errorf("without the token: %d", status)
	}
	if status, r := runCode(t, base, python("print 1")); status != 200 || r.Status != "Success" {
		t.Errorf("with the token: %d %+v", status, r)
	}
	r, err := http.NewRequestWithContext(t.Context(), "POST", base+"/run_code", strings.NewReader(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 421 {
		t.Errorf("a rebound name: %d", response.StatusCode)
	}
}

func TestBatch(t *testing.T) {
	e := newScripted()
	close(e.release)
	_, base := serve(t, runcode.Config{Executor: e, Workers: 3})
	var programs []program
	for i := range 100 {
		programs = append(programs, python(fmt.Sprintf("print %d", i)))
	}
	programs[7]["language"] = "cpp"
	programs[8] = python("broken")
	status, results := runBatch(t, base, program{"programs": programs})
	if status != 200 || len(results) != 100 {
		t.Fatalf("%d, %d results", status, len(results))
	}
	for i, r := range results {
		switch i {
		case 7, 8:
			if r.Status != "SandboxError" || r.Message == "" {
				t.Errorf("%d: %+v", i, r)
			}
		default:
			if r.RunResult == nil || r.RunResult.Stdout != fmt.Sprint(i) {
				t.Errorf("%d: %+v", i, r)
			}
		}
	}
	if e.most > 3 {
		t.Errorf("%d ran at once", e.most)
	}
	if status, results := runBatch(t, base, program{"programs": []program{}}); status != 200 || len(results) != 0 {
		t.Errorf("an empty batch: %d %v", status, results)
	}
}
