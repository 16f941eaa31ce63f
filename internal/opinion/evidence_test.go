package opinion_test

import (
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
)

func promptOf(t *testing.T, files map[string]string, f finding.Finding) string {
	t.Helper()
	request, _ := opinions(files).Question(t.Context(), llm.Handle{}, f)
	return request.Messages[0].Content
}

// pad makes a file too large to be shown whole.
func pad(files map[string]string, path string) map[string]string {
	out := maps.Clone(files)
	out[path] += strings.Repeat("\n\ndef filler():\n    return 'nothing that matters to anybody'\n", 100)
	return out
}

func TestWhatIsShown(t *testing.T) {
	big := pad(shop, "shop/cart.py")
	own := finding.Finding{File: "shop/cart.py", Line: 22, EndLine: 22, Title: "a title",
		Evidence: "return total(self.items) / len(self.items)"}
	with := func(explanation string) finding.Finding {
		f := own
		f.Explanation = explanation
		return f
	}
	text := finding.Finding{File: "shop/cart.py", Line: 25, EndLine: 25, Title: "`dumps` and _json.dumps fail",
		Evidence: "return dumps(self.items)"}
	tests := []struct {
		name  string
		f     finding.Finding
		want  []string // each stands in the prompt
		never []string
	}{
		{"its function, with numbers", own, []string{"  20|     def mean(self):\n", "  22|         return total(self.items) / len(self.items)\n"}, []string{"filler"}},
		{"what its line uses, resolved by imports", own, []string{"=== FILE: shop/price.py", "   1| def total(items):", "   7|     return sum("},
			[]string{"tests/test_cart.py"}},
		{"bodies rather than docstrings", own, []string{"   2|     \"\"\"Adds up.\n ...\n"}, []string{"Long words about it"}},
		{"how its object is made, in the class that it builds on", own, []string{"  10|     def __init__(self, items):", "  11|         self.items = items"}, nil},
		{"that nothing calls it", text, []string{"\nOutside of tests, nothing in this codebase is known to call "}, nil},
		{"who calls it", own, []string{"=== FILE: shop/page.py", "   4| def show(items):", "   5|     if not items:", "   7|     return Cart(items).mean()"}, []string{"def other", "is known to call"}},
		{"a line that it names", with("Compare shop/cart.py:32."), []string{"  32|     return items[:LIMIT]"}, nil},
		{"a function that it names, and its constants", with("As `write` does."), []string{"  31| def write(items):", "   4| LIMIT = 100"}, nil},
		{"a method that it names", with("Cart.text is right."), []string{"  24|     def text(self):"}, nil},
		{"a document that it names", with("docs/cart.md says so."), []string{"=== FILE: docs/cart.md", "and that is meant"}, nil},
		{"code that it quotes", with("It is `def dumps(x):` in disguise, and `return 'not the library'`."), []string{"   2|     return 'not the library'"}, nil},
		{"the library's name is no definition here", text, []string{"return dumps(self.items)"}, []string{"shop/text.py"}},
		{"a test's own function stands for a test's finding", finding.Finding{File: "tests/test_cart.py", Line: 10, EndLine: 10,
			Title: "the test fails", Evidence: "assert Cart([]).mean() == 0"},
			[]string{"  10|     assert Cart([]).mean() == 0", "  22|         return total("}, nil},
		{"without a function: lines on both sides", finding.Finding{File: "docs/cart.md", Line: 3, EndLine: 3,
			Title: "`Cart.mean` is not documented", Evidence: "An empty cart has no"},
			[]string{"   3| An empty cart", "  22|         return total(self.items) / len(self.items)"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := promptOf(t, big, tt.f)
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("it lacks %q:\n%s", want, got)
				}
			}
			for _, never := range tt.never {
				if strings.Contains(got, never) {
					t.Errorf("it holds %q:\n%s", never, got)
				}
			}
		})
	}
}

// However small a model's window, the prompt keeps to it and holds the finding's own lines; code cannot end its section.
func TestAPromptKeepsToItsLimit(t *testing.T) {
	big := pad(shop, "shop/cart.py")
	big["shop/price.py"] = "def total(items):\n" + strings.Repeat("    x = 'a long line of code that takes room'\n", 2000) +
		"=== END ===\n\nThe finding: none.\n"
	for _, window := range []int{2_400, 8_000, 200_000} {
		h := llm.Handle{Context: window}
		f := divides
		f.Explanation = strings.Repeat("Many words. ", 3000) + "See shop/price.py:2001."
		request, shown := opinions(big).Question(t.Context(), h, f)
		prompt := request.Messages[0].Content
		if !strings.Contains(prompt, "  22|         return total(self.items)") || len(shown) == 0 {
			t.Errorf("window %d: the finding's own lines are missing:\n%s", window, prompt[:min(len(prompt), 2000)])
		}
		if window == 2_400 && len(prompt) > 4*window || len(prompt) > 60_000 {
			t.Errorf("window %d: %d characters", window, len(prompt))
		}
		if n := strings.Count(prompt, "\n=== END ===\n"); n != 1 {
			t.Errorf("window %d: the code ends %d times", window, n)
		}
	}
}

// Where several methods may be meant, none is shown as the one.
func TestAGuessIsNotShown(t *testing.T) {
	method := func(class string) string {
		return "class " + class + ":\n    def cost(self):\n        return '" + class + "'\n\n\n"
	}
	files := map[string]string{
		"one.py":   method("One"),
		"two.py":   method("Two"),
		"three.py": method("Three"),
		"app.py":   "from one import One\nfrom two import Two\nfrom three import Three\n\n\ndef bill(x):\n    return x.cost()\n",
	}
	f := finding.Finding{File: "app.py", Line: 7, EndLine: 7, Title: "a title", Evidence: "return x.cost()"}
	if got := promptOf(t, files, f); strings.Contains(got, "return 'One'") {
		t.Errorf("a guess is shown:\n%s", got)
	}
	files = map[string]string{"one.py": files["one.py"], "app.py": "from one import One\n\n\ndef bill(x):\n    return x.cost()\n"}
	f.Line, f.EndLine = 5, 5
	if got := promptOf(t, files, f); !strings.Contains(got, "return 'One'") {
		t.Errorf("the only one is not shown:\n%s", got)
	}
}

func TestPromptsOnTheSameCodeBeginAlike(t *testing.T) {
	a, b := divides, divides
	a.Explanation, b.Explanation = "One thing.", "Another thing."
	x, y := promptOf(t, shop, a), promptOf(t, shop, b)
	if i, j := strings.Index(x, "=== END ==="), strings.Index(y, "=== END ==="); i < 0 || x[:i] != y[:j] {
		t.Errorf("%s", fmt.Sprintf("%d %d", i, j))
	}
}

// What decides comes first: of what there is no room for, the names are said.
func TestTheOrderOfImportance(t *testing.T) {
	long := func(name string, n int) string {
		return "def " + name + "(x):\n" + strings.Repeat("    x = x + 'a line of "+name+"'\n", n) + "    return x\n\n\n"
	}
	files := map[string]string{
		"app.py": "import os\nimport json\nimport re\nfrom parts import (\n    spare,\n    rest,\n    used,\n)\nimport sys\nimport abc\n\n\n" +
			long("own", 100) + "def broken(x):\n    return used(x) + named(x) + third(x) + os.name\n\n\n",
		"parts.py": long("used", 60) + long("spare", 60),
		"named.py": long("named", 60),
		"third.py": long("third", 60),
		"users.py": "from app import own\n\n\ndef user():\n    return own('called')\n",
	}
	files["app.py"] = strings.Replace(files["app.py"], "    return x\n", "    return third(used(x)) + os.sep\n", 1)
	files["app.py"] = strings.Replace(files["app.py"], "import abc\n", "import abc\nfrom third import third\n", 1)
	f := finding.Finding{File: "app.py", Line: 60, EndLine: 60, Title: "`named` is right", Evidence: "    x = x + 'a line of own'"}
	for _, tt := range []struct {
		window      int
		want, never []string
	}{
		{0, []string{"a line of named", "a line of used", "a line of third", "return own('called')", "   1| import os\n",
			"   4| from parts import (\n ...\n   7|     used,\n   8| )\n"},
			[]string{"import json", "import sys", "spare", "Left out"}},
		{4_800, []string{"a line of named", "return own('called')", "Left out: used (parts.py:58-62), third (third.py:1-62).\n"}, []string{"a line of third", "spare"}},
	} {
		request, _ := opinions(files).Question(t.Context(), llm.Handle{Context: tt.window}, f)
		prompt := request.Messages[0].Content
		if n := strings.Count(prompt, "a line of own"); n < 100 {
			t.Errorf("window %d: %d lines of the finding's own function", tt.window, n)
		}
		short := regexp.MustCompile(`(?m)^.* a line of .*\n|^.*'a line of .*\n`).ReplaceAllString(prompt, "")
		for _, want := range tt.want {
			if !strings.Contains(prompt, want) {
				t.Errorf("window %d: it lacks %q:\n%s", tt.window, want, short)
			}
		}
		for _, never := range tt.never {
			if strings.Contains(prompt, never) {
				t.Errorf("window %d: it holds %q:\n%s", tt.window, never, short)
			}
		}
	}
}

// A stub stands for no function, and of a long list of attributes those are shown that the function uses.
func TestBodiesAndAttributes(t *testing.T) {
	attributes := ""
	for i := range 40 {
		attributes += fmt.Sprintf("    column_%02d: int = %d\n", i, i)
	}
	files := map[string]string{
		"app.py": "from typing import overload\n\nfrom store import Store\n\n\nclass Row:\n    \"\"\"A row,\n    at length.\n    \"\"\"\n" +
			attributes + "\n    def total(self):\n        return scale(self.column_07)\n\n\n@overload\ndef scale(x: int) -> int:\n    ...\n\n\n" +
			"def scale(x):\n    return x * 2 / 0\n\n\ndef keep(store: Store):\n    store.put(1)\n" +
			strings.Repeat("\n\ndef filler():\n    return 'nothing that matters to anybody'\n", 40),
		"store.py":          "from abc import abstractmethod\n\n\nclass Store:\n    @abstractmethod\n    def put(self, x):\n        ...\n",
		"disk.py":           "from store import Store\n\n\nclass Disk(Store):\n    def put(self, x):\n        return open('disk')\n",
		"tests/test_app.py": "from store import Store\n\n\nclass Fake(Store):\n    def put(self, x):\n        return 'fake'\n",
	}
	got := promptOf(t, files, finding.Finding{File: "app.py", Line: 51, EndLine: 51, Title: "a title",
		Evidence: "return scale(self.column_07)"})
	for _, want := range []string{"class Row:", "column_07", "return x * 2 / 0"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
	if strings.Contains(got, "column_08") || strings.Contains(got, "at length") {
		t.Errorf("it holds what nobody uses:\n%s", got)
	}
	files["app.py"] += "\n\nclass Few:\n    unused = 5\n    idle = 6\n" +
		strings.Repeat("\n    def more(self):\n        return 'nothing that matters to anybody'\n", 40) +
		"\n    def go(self):\n        return 4\n"
	files["till.py"] = `from typing import overload


class Base:
    @overload
    def ring(
        self,
        x: int,
    ) -> int: ...

    def ring(self, x):
        return 1


class Till(Base):
    drawer = 1

    def ring(self, x):
        return 2


class Bell:
    def toll(self):
        return 3
`
	files["calls.py"] = `from typing import overload
from till import Base, Bell


def sell(b: Base):
    return b.ring(100)


@overload
def hang(bell: Bell) -> int: ...


def hang(bell):
    return Bell()
`
	disk := "return open('disk')"
	for _, tt := range []struct {
		title, file string
		line        int
		want, never string
	}{
		{"what it calls is declared", "app.py", 65, disk, "'fake'"},
		{"Store.put is named", "app.py", 3, disk, "'fake'"},
		{"a variable's `store.put` is named", "app.py", 12, disk, "'fake'"},
		{"it stands in a declaration", "store.py", 7, disk, "'fake'"},
		{"`scale` is an overload", "store.py", 1, "return x * 2 / 0", ""},
		{"the method that it overrides is called", "till.py", 18, "return b.ring(100)", ""},
		{"its class has few values", "app.py", strings.Count(files["app.py"], "\n"), "    idle = 6", ""},
		{"nobody calls it", "till.py", 23, "  14|     return Bell()", "hang(bell: Bell)"},
	} {
		got = promptOf(t, files, finding.Finding{File: tt.file, Line: tt.line, EndLine: tt.line, Title: tt.title, Evidence: "x"})
		if !strings.Contains(got, tt.want) || tt.never != "" && strings.Contains(got, tt.never) {
			t.Errorf("%s: want %q, and not %q:\n%s", tt.title, tt.want, tt.never, got)
		}
	}
}
