package rlm_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// wrongCalls are calls as roots get them wrong, and what is in the answer. ID is the ID of a finding, fs two findings.
var wrongCalls = []struct{ call, want string }{
	// What was obviously meant.
	{`show("./app/main.py", 4, 4)`, "   4| def run(name):"},
	{`show("/app/main.py", "4", 4)`, "   4| def run(name):"},
	{`show("app/main.py:4-5")`, "=== app/main.py (lines 4-5 of 9) ==="},
	{`show("app/main.py:4")`, "=== app/main.py (lines 4-4 of 9) ==="},
	{`show("app/main.py", "4-5")`, "=== app/main.py (lines 4-5 of 9) ==="},
	{`show("app/main.py", (4, 5))`, "=== app/main.py (lines 4-5 of 9) ==="},
	{`show(["app/main.py"], 4, 4)`, "   4| def run(name):"},
	{`show(fs[0], 4, 4)`, "=== app/main.py (lines 4-4 of 9) ==="},
	{`tree("/app/")`, "main.py (9 lines)"},
	{`tree(".")`, "main.py (9 lines)"},
	{`grep(re.compile("DEF R", re.I))`, "app/main.py:4: def run(name):"},
	{`grep("def r", "./app/main.py")`, "app/main.py:4: def run(name):"},
	{`grep(["def r"], ["*.py"])`, "app/main.py:4: def run(name):"},
	{`review(("app/main.py", 4, 6), "Why?")`, "1 prompts, 0 failed: 1 findings"},
	{`review([("app/main.py", "4-6")], "Why?")`, "1 prompts, 0 failed: 1 findings"},
	{`review("./app/*.py", "Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`review("/", "Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`review(codebase, "Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`review(fs, "Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`review(path="app", focus="Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`dismiss(" #" + ID[:8].upper() + ":", "no")`, "dismissed c456749e"},
	{`dismiss(id=ID, reason="no")`, "dismissed c456749e"},
	{`regrade(str(fs[0]), "LOW ", "no")`, "now c456749e low"},
	{`finding(fs[:1])`, "c456749e high app/main.py:5"},
	{`fs[0].title`, "'shell takes any name'"},
	{`add_finding("./app/main.py", "5-6", "shell", "high", "injection", ["os.system('ls ' + name)", "return name"])`, "high app/main.py:5 shell"},
	{`symbols("./app/main.py")`, "4-6 function run"},
	{`definition(symbols("app/main.py")[0])`, "app/main.py:4-6 function run"},
	{`codebase["./app/main.py"][:9]`, "'import os'"},
	{`ask("Why?") == ask(["Why?"])[0]`, "True"},
	{`review(localise("run")["files"], "Why?")`, "1 prompts, 0 failed: 2 findings"},
	{`show(localise("run", "9")["files"][:1], 4, 4)`, " of "},
	{`definition({"path": "app/main.py", "name": "run"})`, "app/main.py:4-6 function run"},
	{`type(localise("run", n=1_000_000)["files"]).__name__`, "'Rows'"},
	// How it is called.
	{`localise()`, "this run is about no issue: localise(text) takes one"},
	{`localise("run", "many")`, "n is a number, not 'many': it is called localise(text='', n=10)"},
	{`localise("run", -1)`, "n is -1: at least one place is asked for"},
	{`search()`, "missing a required argument: 'text': it is called search(text, n=10)"},
	{`search(" \n")`, "the text is empty"},
	{`search("run", 0)`, "n is 0: at least one place is asked for"},
	{`show("main.py")`, `"main.py" is no file of the codebase; did you mean "app/main.py"?`},
	{`show("app/mian.py")`, `did you mean "app/main.py"?`},
	{`show("app")`, `"app" is no file of the codebase, but a directory: tree(prefix) lists it`},
	{`show(["app/main.py", "app/other.py"])`, "path is one value, not 2: it is called show(path, a=1, b=0)"},
	{`show("app/main.py", start=4, end=5)`, "unexpected keyword argument 'start': it is called show(path, a=1, b=0)"},
	{`show("app/main.py", "four")`, "a is a number, not 'four': it is called show(path, a=1, b=0)"},
	{`tree("app/main.py")`, `"app/main.py" is a file and no directory: show(path) prints it`},
	{`tree(path="app")`, "it is called tree(prefix='', depth=0)"},
	{`grep()`, "missing a required argument: 'pattern': it is called grep(pattern, glob=None, context=0, limit=50)"},
	{`grep("def", ["*.py", "*.go"])`, "glob is one value, not 2: it is called grep("},
	{`grep("def", "*.rb")`, `no file matches the glob "*.rb"`},
	{`grep("def", "mian.py")`, `no file matches the glob "mian.py"; did you mean "app/main.py"?`},
	{`review()`, "it is called review(paths, focus='', limit=None, model=None)"},
	{`review([])`, "no path was given: list(codebase) is all of them"},
	{`review("app/main.py", "app/other.py")`, `"app/other.py" is a path and no question: several paths are a list`},
	{`review([("app/main.py", 1, 2, 3)])`, "a place is (path, first, last), not ('app/main.py', 1, 2, 3)"},
	{`review("mian.py")`, `"mian.py" is no file, directory or glob of the codebase; did you mean "app/main.py"?`},
	{`pack("app/main.py")`, "missing a required argument: 'task': it is called pack(paths, task, limit=None)"},
	{`ask({"q": "Why?"})`, "prompts is a list of strings, not {'q': 'Why?'}: it is called ask(prompts, model=None)"},
	{`llm_query(["a", "b"])`, "prompt is one value, not 2: it is called llm_query(prompt, model=None)"},
	{`llm_batch(None)`, "prompts is a list of strings, not None: it is called llm_batch(prompts, model=None)"},
	{`llm_query("Why?", 5)`, "model is a string, not 5"},
	{`dismiss(ID)`, "missing a required argument: 'reason': it is called dismiss(ids, reason)"},
	{`dismiss(None, "no")`, "ids is a list of strings, not None: it is called dismiss(ids, reason)"},
	{`dismiss([{"file": "x"}], "no")`, "an ID is a string as findings() gives it, not {'file': 'x'}"},
	{`dismiss(0, "no")`, `no finding is called "0": findings() lists them`},
	{`regrade(ID, "urgent", "no")`, `"urgent" is no severity; there are critical, high, medium, low, info`},
	{`merge(fs[0], fs[1])`, "merge takes a list of two findings or more, and a title: merge([id, id], title)"},
	{`merge(fs[0], fs[1], "both")`, "too many positional arguments: it is called merge(ids, title='')"},
	{`verify(fs[0], fs[1])`, "too many positional arguments: it is called verify(ids, *, model=None)"},
	{`finding(fs)`, "id is one value, not 2: it is called finding(id)"},
	{`finding("shell")`, `no finding is called "shell": findings() lists them`},
	{`findings("high")`, "too many positional arguments: it is called findings()"},
	{`findings()[0].titel`, "a finding has no 'titel': it is a dict with id, title, severity"},
	{`add_finding("app/main.py:5", "shell", "high")`, "line is a number, not 'shell': it is called add_finding(file, line, title,"},
	{`add_finding("app/main.py", 5, "shell", confidence="high")`, "confidence is a number, not 'high': it is called add_finding("},
	{`callers("run", "add")`, "too many positional arguments: it is called callers(name)"},
	{`more("two")`, "cell is a number, not 'two': it is called more(cell=None)"},
	{`more(-1)`, "has the number -1"},
	{`set_answer(None)`, "text is the report, not None: it is called set_answer(text)"},
	{`set_answer("# Report", ready=True)`, "unexpected keyword argument 'ready': it is called set_answer(text)"},
}

func TestWrongCalls(t *testing.T) {
	if testing.Short() {
		t.Skip("short: nothing runs in parallel here")
	}
	change := func(c *rlm.Config) {
		c.Opinion, c.Graph = opinion{}, graph.Lazily(codebase.FromMap(twoFiles), graph.Options{Parser: runtest.OpenParser})
	}
	for _, tt := range wrongCalls {
		got, res := outputs(t, setup{worker: sharp, change: change}, `fs = review("app"); ID = fs[0]["id"]`, tt.call)
		if !strings.Contains(got[1], tt.want) || res.Analysis != "# done" {
			t.Errorf("%s shows %q, want %q in it", tt.call, got[1], tt.want)
		}
		if strings.Count(got[1], "<prelude>") > 1 || len(got[1]) > 700 {
			t.Errorf("%s says too much: %s", tt.call, got[1])
		}
	}
}
