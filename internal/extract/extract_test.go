package extract_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/extract"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

const prefix = "from typing import List\n\n\ndef half(n: int) -> int:\n    return n // 2\n\n\ndef total(xs: List[int]) -> int:\n    " +
	"\"\"\" Add the numbers up.\n    >>> total([1, 2])\n    3\n    \"\"\"\n"

var (
	// human continues a prefix, as HumanEval's tasks do.
	human = dataset.Task{ID: "HumanEval/0", Entry: "total", Prefix: prefix, Signature: "def total(xs: List[int]) -> int:",
		Preamble: "from typing import List\n\n\ndef half(n: int) -> int:\n    return n // 2\n"}
	// basic is described in words, as MBPP's are.
	basic = dataset.Task{ID: "MBPP/1", Entry: "total", Signature: "def total(xs):"}
	// script reads standard input.
	script = dataset.Task{ID: "APPS/1"}
)

const whole = "def total(xs):\n    s = 0\n    for x in xs:\n        s += x\n    return s\n"

const body = "    s = 0\n    for x in xs:\n        s += x\n    return s\n"

type want struct {
	path  extract.Path
	steps []string
	code  string
}

func check(t *testing.T, task dataset.Task, mode extract.Mode, reply string, w want) {
	t.Helper()
	x := extract.New(runtest.OpenParser)
	got, err := x.Extract(t.Context(), task, reply, mode)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(extract.Extraction{Code: w.code, Path: w.path, Steps: w.steps}, got); diff != "" {
		t.Errorf("%q:\n%s", reply, diff)
	}
	again, err := x.Extract(t.Context(), task, reply, mode)
	if err != nil || !cmp.Equal(got, again) {
		t.Errorf("not the same the second time: %+v, %v", again, err)
	}
}

func TestChat(t *testing.T) {
	for name, c := range map[string]struct {
		task  dataset.Task
		reply string
		want  want
	}{
		"a program": {basic, whole, want{extract.PathRaw, nil, whole}},
		"nothing":   {basic, " \n\t\n", want{extract.PathEmpty, nil, ""}},
		"fenced":    {basic, "Here it is:\n\n```python\n" + whole + "```\n\nIt adds.", want{extract.PathFencedEntry, nil, whole}},
		"CRLF":      {basic, strings.ReplaceAll("Sure!\n```python\n"+whole+"```\n", "\n", "\r\n"), want{extract.PathFencedEntry, nil, whole}},
		"unclosed":  {basic, "Sure!\n```python\n" + whole, want{extract.PathFencedEntry, nil, whole}},
		"closed behind the code": {basic, "```python\n" + strings.TrimSuffix(whole, "\n") + "```\nIt adds.",
			want{extract.PathFencedEntry, nil, whole}},
		"no language": {basic, "```\n" + whole + "```", want{extract.PathFencedEntry, nil, whole}},
		"tildes":      {basic, "~~~py\n" + whole + "~~~", want{extract.PathFencedEntry, nil, whole}},
		"in a list":   {basic, "1. So:\n   ```python\n   " + strings.ReplaceAll(strings.TrimSuffix(whole, "\n"), "\n", "\n   ") + "\n   ```\n", want{extract.PathFencedEntry, nil, whole}},
		"the last of two": {basic, "First:\n```python\ndef total(xs):\n    return 0\n```\nBetter:\n```python\n" + whole + "```\n",
			want{extract.PathFencedLast, nil, whole}},
		"usage behind it": {basic, "```python\n" + whole + "```\nUse it so:\n```python\nprint(total([1]))\n```\n", want{extract.PathFencedEntry, nil, whole}},
		"a shell first":   {basic, "```bash\npip install x\n```\n```python\n" + whole + "```\n", want{extract.PathFencedEntry, nil, whole}},
		"imports in another block": {basic,
			"First the import:\n```python\nimport math\n```\nThen:\n```python\ndef total(xs):\n    return math.fsum(xs)\n```",
			want{extract.PathFencedEntry, []string{extract.StepJoined}, "import math\n\ndef total(xs):\n    return math.fsum(xs)\n"}},
		"a helper behind it": {basic, "```python\ndef total(xs):\n    return add(xs)\n```\nwith\n```python\ndef add(xs):\n    return " +
			"sum(xs)\n```",
			want{extract.PathFencedEntry, []string{extract.StepJoined}, "def add(xs):\n    return sum(xs)\n\ndef total(xs):\n    return add(xs)\n"}},
		"a fence in a docstring": {basic,
			"```python\ndef total(xs):\n    \"\"\"\n    ```\n    total([1])\n    ```\n    \"\"\"\n    return sum(xs)\n```\nDone.",
			want{extract.PathFencedEntry, nil, "def total(xs):\n    \"\"\"\n    ```\n    total([1])\n    ```\n    \"\"\"\n    return sum(xs)\n"}},
		"thinking": {basic, "<think>\n```python\ndef total(xs):\n    return 1\n```\n</think>\n```python\n" + whole + "```",
			want{extract.PathFencedEntry, []string{extract.StepThinking}, whole}},
		"thinking that the template began": {basic, "I could say def total(xs): return 1\n</think>\n" + whole,
			want{extract.PathRaw, []string{extract.StepThinking}, "\n" + whole}},
		"thinking without an end": {basic, "<think>\n" + whole, want{extract.PathEmpty, []string{extract.StepThinking}, ""}},
		"special token":           {basic, "```python\n" + whole + "```<|im_end|>\n<|im_start|>user\n```python\ndef total(xs):\n    return 2\n```", want{extract.PathFencedEntry, []string{extract.StepSpecial}, whole}},
		"special token in a string": {basic, "Sure:\n```python\ndef total(xs):\n    return '</s>' if not xs else sum(xs)\n```\n",
			want{extract.PathFencedEntry, nil, "def total(xs):\n    return '</s>' if not xs else sum(xs)\n"}},
		"prose around": {basic, "Here is a function that does it.\n\nimport math\n\n" + whole +
			"\nThis works because it's simple.\nNote: fast.\n",
			want{extract.PathSpan, nil, "import math\n\n" + whole + "\n"}},
		"prose that is cut": {basic, "The function:\n\n" + whole + "\ndef test_total():\n    assert total([1,",
			want{extract.PathSpan, nil, whole + "\n"}},
		"own tests": {basic, "```python\n" + whole +
			"\nprint(total([1]))\nassert total([1]) == 1\nif __name__ == \"__main__\":\n    n = input()\n```",
			want{extract.PathFencedEntry, []string{extract.StepOwn}, whole + "\n"}},
		"a loop of tests": {basic, "cases = [[1], [2]]\n" + whole + "for c in cases:\n    print(total(c))\n",
			want{extract.PathRaw, []string{extract.StepOwn}, "cases = [[1], [2]]\n" + whole}},
		"what functions read stays": {basic,
			"table = []\nfor i in range(3):\n    table.append(i)\nn = total\ndef total(xs):\n    print(table)\n    return sum(xs)\n",
			want{extract.PathRaw, nil, "table = []\nfor i in range(3):\n    table.append(i)\nn = total\ndef total(xs):\n    print(table)\n    return sum(xs)\n"}},
		"set up stays":      {basic, "import sys\nsys.setrecursionlimit(10000)\n" + whole, want{extract.PathRaw, nil, "import sys\nsys.setrecursionlimit(10000)\n" + whole}},
		"cut in the middle": {basic, "```python\ndef total(xs):\n    return (1 +\n```", want{extract.PathFencedLast, nil, "def total(xs):\n    return (1 +\n"}},
		"another name": {basic, "```python\ndef summe(xs):\n    return sum(xs)\n```\nAs in\n```\n>>> 3\n```",
			want{extract.PathFencedLast, nil, "def summe(xs):\n    return sum(xs)\n"}},
		"prose": {basic, "I cannot do that.", want{extract.PathRaw, nil, "I cannot do that."}},
		"a type of the prefix": {human, "```python\ndef total(xs: List[int]) -> int:\n    return sum(xs)\n```",
			want{extract.PathFencedEntry, []string{extract.StepPreamble}, human.Preamble + "\ndef total(xs: List[int]) -> int:\n    return sum(xs)\n"}},
		"a type that it imports itself": {human, "from typing import List\ndef total(xs: List[int]) -> int:\n    return sum(xs)\n",
			want{extract.PathRaw, nil, "from typing import List\ndef total(xs: List[int]) -> int:\n    return sum(xs)\n"}},
		"a future import": {human, "from __future__ import annotations\ndef total(xs: List[int]) -> int:\n    return half(2)\n",
			want{extract.PathRaw, []string{extract.StepPreamble}, "from __future__ import annotations\n" + human.Preamble + "\ndef total(xs: List[int]) -> int:\n    return half(2)\n"}},
		"the body alone": {human, "The rest is:\n```python\n" + body + "```\n",
			want{extract.PathContinuation, []string{extract.StepContinued}, prefix + body}},
		"a script":            {script, "```python\nn = int(input())\nprint(n)\n```\nOutput:\n```\n5\n```\n", want{extract.PathFencedLast, nil, "n = int(input())\nprint(n)\n"}},
		"a script as it is":   {script, "print(int(input()) + 1)\n", want{extract.PathRaw, nil, "print(int(input()) + 1)\n"}},
		"a script with tests": {script, "```python\ndef f(n):\n    return n\n\nif __name__ == '__main__':\n    print(f(input()))\n```", want{extract.PathFencedLast, nil, "def f(n):\n    return n\n\nif __name__ == '__main__':\n    print(f(input()))\n"}},
		"Python 2":            {basic, "```python\ndef total(xs):\n    print \"x\"\n```", want{extract.PathFencedLast, nil, "def total(xs):\n    print \"x\"\n"}},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.task, extract.Chat, c.reply, c.want) })
	}
}

func TestCompletion(t *testing.T) {
	for name, c := range map[string]struct {
		task  dataset.Task
		reply string
		want  want
	}{
		"the body":          {human, body, want{extract.PathContinuation, nil, prefix + body}},
		"nothing":           {human, "\n", want{extract.PathEmpty, nil, ""}},
		"a special token":   {human, "<|endoftext|>\n" + body, want{extract.PathEmpty, []string{extract.StepSpecial}, ""}},
		"a leading newline": {human, "\n" + body, want{extract.PathContinuation, nil, prefix + "\n" + body}},
		"first line's indentation lost": {human, strings.TrimPrefix(body, "    "),
			want{extract.PathContinuation, []string{extract.StepIndented}, prefix + body}},
		"a part of it lost":      {human, strings.TrimPrefix(body, " "), want{extract.PathContinuation, []string{extract.StepIndented}, prefix + body}},
		"one line at the margin": {human, "return sum(xs)\n", want{extract.PathContinuation, []string{extract.StepIndented}, prefix + "    return sum(xs)\n"}},
		"all at the margin":      {human, "s = sum(xs)\n\nreturn s\n", want{extract.PathContinuation, []string{extract.StepIndented}, prefix + "    s = sum(xs)\n\n    return s\n"}},
		"the def again":          {human, "def total(xs):\n    return sum(xs)\n", want{extract.PathRestated, nil, prefix + "def total(xs):\n    return sum(xs)\n"}},
		"the prompt again":       {human, prefix + body, want{extract.PathRestated, nil, prefix + prefix + body}},
		"the next function":      {human, body + "\n\ndef product(xs):\n    p = 1\n", want{extract.PathContinuation, nil, prefix + body + "\n\ndef product(xs):\n    p = 1\n"}},
		"the next function, cut": {human, body + "\n\ndef product(xs):\n    p = (1\n", want{extract.PathContinuation, []string{extract.StepAfter}, prefix + body + "\n\n"}},
		"a helper behind it": {human, "    return add(xs)\n\ndef add(xs):\n    return sum(xs)\n\n\n# Test\nprint(total([1]))\n",
			want{extract.PathContinuation, []string{extract.StepOwn}, prefix + "    return add(xs)\n\ndef add(xs):\n    return sum(xs)\n\n\n# Test\n"}},
		"another file":                      {human, body + "<file_sep>/tests/test_total.py\nfrom total import total\n", want{extract.PathContinuation, []string{extract.StepSpecial}, prefix + body}},
		"prose behind it":                   {human, body + "\nThis function adds the numbers.\n", want{extract.PathContinuation, []string{extract.StepAfter}, prefix + body + "\n"}},
		"a fence closed":                    {human, body + "```\n\nExplanation: it adds.", want{extract.PathContinuation, []string{extract.StepAfter}, prefix + body}},
		"the next task":                     {human, body + "\n\"\"\"\nWrite a function.\n\"\"\"\ndef other():\n    pass\n", want{extract.PathContinuation, []string{extract.StepAfter}, prefix + body + "\n"}},
		"a chat answer":                     {human, "Here:\n```python\ndef total(xs):\n    return sum(xs)\n```\n", want{extract.PathFencedEntry, nil, "def total(xs):\n    return sum(xs)\n"}},
		"wrong indentation stays wrong":     {human, "  return 1\n    return 2\n   return 3\n", want{extract.PathContinuation, nil, prefix + "  return 1\n    return 2\n   return 3\n"}},
		"a string with lines at the margin": {human, "    s = '''\na\n'''\n    return len(s)\n", want{extract.PathContinuation, nil, prefix + "    s = '''\na\n'''\n    return len(s)\n"}},
		"a cut body":                        {human, "    return (1 +", want{extract.PathContinuation, nil, prefix + "    return (1 +"}},

		"a program":                {basic, whole, want{extract.PathRaw, nil, whole}},
		"a mark":                   {basic, whole + "[DONE]\n\nYou are an expert\n", want{extract.PathRaw, []string{extract.StepMark}, whole}},
		"a mark first":             {basic, "[BEGIN]\n" + whole + "[DONE]", want{extract.PathRaw, []string{extract.StepMark}, whole}},
		"the prompt had the fence": {basic, whole + "```\n\nThis adds.\n```python\ntotal([1])\n```", want{extract.PathRaw, []string{extract.StepAfter}, whole}},
		"few-shot goes on": {basic, whole +
			"\n\nYou are an expert Python programmer, and here is your task: Write\n\ndef total(xs):\n    return 3\n",
			want{extract.PathSpan, []string{extract.StepAfter}, whole + "\n\n"}},
		"a docstring goes on": {basic, whole + "\n\"\"\"\nThe next task\n\"\"\"\ndef total(xs):\n    return 3\n", want{extract.PathSpan, []string{extract.StepAfter}, whole + "\n"}},
		"asserts":             {basic, whole + "assert total([1]) == 2\n", want{extract.PathRaw, []string{extract.StepOwn}, whole}},
	} {
		t.Run(name, func(t *testing.T) { check(t, c.task, extract.Complete, c.reply, c.want) })
	}
}

func TestExact(t *testing.T) {
	check(t, human, extract.Exact, "```python\n", want{extract.PathExact, nil, prefix + "```python\n"})
	check(t, human, extract.Exact, " \n", want{extract.PathEmpty, nil, ""})
	check(t, basic, extract.Exact, whole+"print(total(1))\r\n", want{extract.PathExact, nil, whole + "print(total(1))\r\n"})
}

func TestAlias(t *testing.T) {
	x := extract.New(runtest.OpenParser)
	for name, c := range map[string]struct {
		code string
		ok   bool
	}{
		"one function":      {"def summe(values):\n    return sum(values)\n", true},
		"an optional more":  {"def summe(values, start=0):\n    return sum(values, start)\n", true},
		"any number":        {"def summe(*values):\n    return sum(*values)\n", true},
		"two functions":     {"def a(x):\n    return x\ndef b(x):\n    return x\n", false},
		"one too many":      {"def summe(a, b):\n    return a\n", false},
		"none":              {"def summe():\n    return 1\n", false},
		"the right name":    {whole, false},
		"no program at all": {"def summe(values:\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			code, ok, err := x.Alias(t.Context(), basic, c.code)
			if err != nil || ok != c.ok || ok && code != c.code+"\ntotal = summe\n" {
				t.Errorf("%q, %v, %v", code, ok, err)
			}
		})
	}
}

// In other languages than Python nothing is parsed: a completion is what it is, and a reply's last block counts.
func TestOtherLanguages(t *testing.T) {
	x := extract.New(nil)
	task := dataset.Task{Language: "cpp", Prefix: "int f() {\n"}
	reply := "So:\n```cpp\nint a;\n```\nand\n```C++\nint b;\n```\nRun it:\n```sh\ng++ x\n```\n"
	for _, c := range []struct {
		mode        extract.Mode
		reply, code string
		path        extract.Path
	}{
		{extract.Exact, " return 1;", "int f() {\n return 1;", extract.PathExact},
		{extract.Complete, " return 1;", "int f() {\n return 1;", extract.PathContinuation},
		{extract.Chat, reply, "int b;\n", extract.PathFencedLast},
		{extract.Chat, "int c;", "int c;", extract.PathRaw},
		{extract.Chat, " \n", "", extract.PathEmpty},
	} {
		got, err := x.Extract(t.Context(), task, c.reply, c.mode)
		if err != nil || got.Code != c.code || got.Path != c.path {
			t.Errorf("%s: %v %+v", c.mode, err, got)
		}
	}
}
