package orchestrationv1_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/orchestrationv1"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
)

// output is what one cell shows, without the frame around it.
func output(t testing.TB, codes ...string) string {
	t.Helper()
	p := cellsOf(append(codes, "pass")...)
	play(t, small(t), p)
	told := p.Told()[len(codes)-1]
	return strings.TrimSuffix(strings.TrimPrefix(told, "Output of the REPL:\n```\n"), "\n```")
}

func TestCellOutput(t *testing.T) {
	const failed = "\n[EXECUTION ERROR]\n"
	const traceback = failed + "Traceback (most recent call last):\n  File \"<repl>\", line "
	for code, want := range map[string]string{
		"pass":                            "[no output]",
		"1 + 1":                           "[no output]", // expressions are not shown
		"print('a'); 1/0":                 "a\n" + traceback + "1, in <module>\nZeroDivisionError: division by zero\n",
		"print(1)\nraise ValueError('v')": "1\n" + traceback + "2, in <module>\nValueError: v\n",
		"import os":                       failed + "PermissionError: Imports are not allowed here. These modules are loaded already: re, json, collections, os.path.\n",
		"print(1)\ndef f():\n  from re import sub": failed + "PermissionError: Imports are not allowed here. These modules are loaded already: re, json, collections, os.path.\n",
		"x = (":                        "" + failed + "  File \"<unknown>\", line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed\n",
		"await x":                      failed + "  File \"<repl>\", line 1\nSyntaxError: 'await' outside function\n",
		"raise TimeoutError('my own')": failed + "The cell ran too long and was stopped (limit: 30 s).",
		"open('/etc/passwd')":          traceback + "1, in <module>\nNameError: name 'open' is not defined\n",
		"os.getcwd()":                  traceback + "1, in <module>\nAttributeError: 'types.SimpleNamespace' object has no attribute 'getcwd'\n",
		"class A: pass":                traceback + "1, in <module>\n  File \"<repl>\", line 1, in A\nNameError: name '__name__' is not defined\n",
		"print(os.path.join('a', 'b'), json.dumps([1]), re.sub('a', 'b', 'aa'), collections.Counter('aab')['a'])": "a/b [1] bb 2\n",
		"print(sorted(k for k in codebase), metadata['total_files'], answer)":                                     "['app.py', 'lib/util.py'] 2 {'content': '', 'ready': False}\n",
		"print(re.sub('[[a]', 'b', '[a'))":                              "bb\n\n[STDERR]\n<repl>:1: FutureWarning: Possible nested set at position 1\n",
		"print(llm_batch([]), llm_batch('ab') == [llm_query('x')] * 2)": "[] True\n",
		"base = [c for c in ''.__class__.__base__.__subclasses__() if c.__name__ == 'BaseException'][0]\nprint('x')\n" +
			"raise [c for c in base.__subclasses__() if c.__name__ == 'SystemExit'][0]": "x\n" + failed + "SystemExit is not allowed in a cell.",
	} {
		if diff := cmp.Diff(want, output(t, code)); diff != "" {
			t.Errorf("%q: %s", code, diff)
		}
	}
}

func TestBuiltins(t *testing.T) {
	want := "['AssertionError', 'AttributeError', 'Exception', 'IndexError', 'KeyError', 'NameError', 'RuntimeError', 'TimeoutError', " +
		"'TypeError', 'ValueError', '__build_class__', 'abs', 'all', 'any', 'bool', 'dict', 'enumerate', 'filter', 'float', 'format', 'int', " +
		"'isinstance', 'issubclass', 'len', 'list', 'map', 'max', 'min', 'next', 'print', 'range', 'repr', 'reversed', 'round', 'set', " +
		"'sorted', 'str', 'sum', 'tuple', 'zip']\n"
	if diff := cmp.Diff(want, output(t, "print(sorted(__builtins__))")); diff != "" {
		t.Error(diff)
	}
}

// TestOutputIsCut checks the limit of 8,192 characters, counted in code points over all cells of a turn.
func TestOutputIsCut(t *testing.T) {
	if got := output(t, "print('é' * 8191)"); got != strings.Repeat("é", 8191)+"\n" {
		t.Errorf("8,192 characters are cut: %q", got[len(got)-200:])
	}
	want := strings.Repeat("é", 8192) + "\n\n[output cut: 8192 of 8193 characters are shown; search with code instead]"
	if got := output(t, "print('é' * 8192)"); got != want {
		t.Errorf("8,193 characters: %q", got[len(got)-200:])
	}
	p := policy(cell("print('a' * 5000)")+"\n"+cell("print('b' * 100_000)"), cell("pass"))
	play(t, small(t), p)
	want = "Output of the REPL:\n```\n" + strings.Repeat("a", 5000) + "\n\n" + strings.Repeat("b", 8192-5002) +
		"\n\n[output cut: 8192 of 105003 characters are shown; search with code instead]\n```"
	if got := p.Told()[0]; got != want {
		t.Errorf("two cells: %q ... %q", got[:100], got[len(got)-200:])
	}
}

func TestCellsOfOneTurn(t *testing.T) {
	p := policy(
		cell("x = 1\nprint(y)")+"\n"+cell("print(x)"), // the second runs although the first failed
		cell("set_answer('done')")+"\n"+cell("answer['content'] = 'changed'"),
	)
	out, events := play(t, small(t), p)
	if !strings.HasSuffix(p.Told()[0], "NameError: name 'y' is not defined\n\n1\n\n```") {
		t.Errorf("told %q", p.Told()[0])
	}
	if out.Answer != "done" || out.Metrics["cells"] != 3 || out.Metrics["cell_errors"] != 1 {
		t.Errorf("answer %q, metrics %v", out.Answer, out.Metrics)
	}
	for _, e := range events {
		if e.Key == "t001.c01" && (e.Cell.ErrorType != "NameError" || e.Cell.Error != "NameError: name 'y' is not defined") {
			t.Errorf("cell %+v", e.Cell)
		}
	}
}

// TestWhatTheRewardReads checks the values that a policy can leave for the reward: 0 where the reference's function
// raises, and otherwise what Python makes of them. Rewards are those of the reference under verifiers 0.1.10.
func TestWhatTheRewardReads(t *testing.T) {
	for code, want := range map[string]float64{
		"metadata.clear(); llm_query('app.py')":                       0.7,
		"metadata['total_files'] = 0.5; llm_query('app.py')":          0.7,
		"metadata['total_files'] = -4; llm_query('app.py')":           0.7,
		"metadata['total_files'] = 4; llm_query('app.py')":            0.325,
		"metadata['total_files'] = 10**400; llm_query('app.py')":      0.2,
		"metadata['total_files'] = float('inf'); llm_query('app.py')": 0.2,
		"metadata['total_files'] = '2'; llm_query('app.py')":          0,
		"metadata['total_files'] = None; llm_query('app.py')":         0,
		"metadata = {'total_files': 1}; llm_query('app.py')":          0.45, // another dict
		"codebase = {}; llm_query('app.py')":                          0.45,
		"llm_query('app.py'); llm_query('app.py')":                    0.45,
		"codebase.clear(); llm_query('app.py')":                       0.2,
		"set_answer(5)":                                               0,
		"set_answer(None)":                                            0,
		"set_answer('')":                                              0.2,
		"answer = {'content': '- App.run does nothing at all'}":       0.2, // another dict
		"answer.clear()":                                              0.2,
		"set_answer(llm_query('app.py'))":                             0.45,
		"json.dumps = None\nllm_query('app.py')":                      0.45, // the harness has its own
	} {
		out, _ := play(t, small(t), cellsOf(code, "if not answer.get('ready'): set_answer('x')"))
		if !near(out.Reward, want) {
			t.Errorf("%q: reward %v, want %v; parts %+v", code, out.Reward, want, out.Parts)
		}
	}
}

func TestLongBatches(t *testing.T) {
	_, events := play(t, small(t),
		cellsOf("llm_query('a')\nr = llm_batch(['x' * 900_000 + str(i) for i in range(5)])\nprint(llm_query('b'))", "set_answer('x')"))
	var keys []string
	for _, e := range events {
		if e.Dispatch != nil {
			keys = append(keys, e.Key+" "+e.Dispatch.Prompt[len(e.Dispatch.Prompt)-1:])
		}
	}
	want := []string{
		"t001.c01.d001.0001 a", "t001.c01.d002.0001 0", "t001.c01.d002.0002 1", "t001.c01.d002.0003 2", "t001.c01.d002.0004 3",
		"t001.c01.d002.0005 4", "t001.c01.d003.0001 b",
	}
	if diff := cmp.Diff(want, keys); diff != "" {
		t.Error(diff)
	}
}

// TestBatchesThatFail checks that what was dispatched before a batch failed is journaled and counts.
func TestBatchesThatFail(t *testing.T) {
	out, events := play(t, small(t), cellsOf("llm_batch(['app.py', 5])", "llm_query('after')", "set_answer('x')"))
	var keys []string
	for _, e := range events {
		if e.Dispatch != nil {
			keys = append(keys, e.Key)
		}
	}
	if diff := cmp.Diff([]string{"t001.c01.d001.0001", "t002.c01.d001.0001"}, keys); diff != "" || !near(out.Reward, 0.45) {
		t.Error(out.Reward, diff)
	}
	if out.Metrics["dispatches"] != 3 { // the failed one too, as in the reference
		t.Errorf("metrics %v", out.Metrics)
	}
}

func TestCellsThatRunTooLong(t *testing.T) {
	e := orchestrationv1.New(nil).WithLimits(sandbox.Limits{Steps: 1_000_000, Wall: time.Second})
	const message = "\n[EXECUTION ERROR]\nThe cell ran too long and was stopped (limit: 30 s)."
	p := cellsOf(
		"x = llm_query('app.py')\nprint('before')\nwhile True: pass",
		"print(len(x) > 5)",
		"a = ['x' * 5_000_000 + '0'] * 2_000_000\nb = [('x' * 5_000_000 + '1')[:-1] + '0'] * 2_000_000",
		"llm_query('lib/util.py')\na == b", // only killing the interpreter helps
		"print(len(x) > 5)",
		"set_answer('x')",
	)
	var file memory
	out, err := e.Roll(context.Background(), small(t), attempt(p, &file))
	if err != nil {
		t.Fatal(err)
	}
	frame := func(s string) string { return "Output of the REPL:\n```\n" + s + "\n```" }
	want := []string{frame("before\n" + message), frame("True\n"), frame("[no output]"), frame(message), frame("True\n")}
	if diff := cmp.Diff(want, p.Told()); diff != "" {
		t.Error(diff)
	}
	if out.Stop != env.StopAnswer || !near(out.Reward, 0.45) {
		t.Errorf("stop %q, reward %v, parts %+v", out.Stop, out.Reward, out.Parts)
	}
	stops := map[string]string{}
	events := file.events(t)
	for _, ev := range events {
		if ev.Cell != nil && ev.Cell.Stop != "" {
			stops[ev.Key] = string(ev.Cell.Stop)
		}
	}
	if diff := cmp.Diff(map[string]string{"t001.c01": "steps", "t004.c01": "killed"}, stops); diff != "" {
		t.Error(diff)
	}

	// Resumed, the killed cell does not run again.
	out.Generation, out.Scoring = 0, 0
	a := attempt(p, &memory{})
	a.Past = events[:len(events)-2]
	again, err := e.Roll(context.Background(), small(t), a)
	again.Generation, again.Scoring = 0, 0
	if diff := cmp.Diff(out, again); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

func TestWorkersNameTenDefinitions(t *testing.T) {
	got := output(t, "codebase['app.py'] = '\\n'.join(f'  def f{i}(): pass' for i in range(12))\nprint(llm_query('app.py'))")
	if !strings.Contains(got, "- Lines: 12\n- Key definitions:\n  - def f0(): pass\n") || !strings.Contains(got, "f9(): pass\n- Purpose") {
		t.Error(got)
	}
}

// TestBrokenHarness checks a cell that takes the REPL itself apart.
func TestBrokenHarness(t *testing.T) {
	p := cellsOf("llm_query('app.py')", "llm_query.__globals__['_run'] = None", "print(1)", "print(2)")
	out, _ := play(t, small(t), p)
	if !strings.Contains(p.Told()[2], "[EXECUTION ERROR]\nTraceback") || !strings.Contains(p.Told()[2],
		"'NoneType' object is not callable") || out.Stop != env.StopTurns || !near(out.Reward, 0.27) {
		t.Errorf("told %q; stop %q, reward %v", p.Told()[2], out.Stop, out.Reward)
	}
}

// TestNothingOfTheHost tries the escapes that work in the reference.
func TestNothingOfTheHost(t *testing.T) {
	for _, code := range []string{
		"print(collections.__builtins__['open']('/etc/passwd').read())",
		"print(os.path.os.listdir('/'))",
		"print([c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['environ'])",
		"print(os.path.os.system('id'))",
	} {
		got := output(t, code)
		if strings.Contains(got, "root:") || strings.Contains(got, "PATH") || strings.Contains(got, "uid=") || strings.Contains(got, "work") {
			t.Errorf("%q: %q", code, got)
		}
	}
}
