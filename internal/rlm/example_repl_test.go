package rlm_test

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/trace"
	"golang.org/x/tools/txtar"
)

// shop is the codebase of the examples.
func shop(t *testing.T) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile("testdata/shop.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.Files {
		files[f.Name] = string(f.Data)
	}
	return files
}

// agreeing is a second opinion that any finding stands.
type agreeing struct{}

func (agreeing) Check(context.Context, finding.Finding) (v runfile.Verification, decided bool) {
	return v, false
}

func (agreeing) Again(context.Context, llm.Handle, finding.Finding, string) (request llm.Request, shown []string, ok bool) {
	return request, nil, false
}

func (agreeing) Question(_ context.Context, _ llm.Handle, f finding.Finding) (llm.Request, []string) {
	return llm.Request{Messages: []llm.Message{{Role: llm.RoleUser, Content: "Does it stand? " + f.Title}}}, []string{f.File}
}

func (agreeing) Weigh(context.Context, finding.Finding, []string, string) runfile.Verification {
	return runfile.Verification{Status: finding.Stands, Reason: "It does."}
}

// TestTheExamplesOfTheREPL runs every example of docs/repl.md: none fails, and each shows what its text says.
func TestTheExamplesOfTheREPL(t *testing.T) {
	page, err := os.ReadFile("../../docs/repl.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples []string
	for _, m := range regexp.MustCompile("(?s)```python\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		examples = append(examples, m[1])
	}
	files := shop(t)
	worker := func(_ context.Context, r llm.Request) (llm.Response, error) {
		text := "No: checkout() passes on what the request holds, shop/api.py:8."
		if r.Schema != nil {
			text = `{"summary": "A cart.", "findings": [{"file": "shop/api.py", "line": 8, "end_line": 8, "severity": "medium",
				"category": "logic", "cwe": "", "title": "Items are not checked", "evidence": "        cart.add(item)",
				"explanation": "A request with a negative quantity is taken as it is.", "suggestion": "Check it.", "confidence": 0.8},
				{"file": "shop/money.py", "line": 5, "end_line": 5, "severity": "low", "category": "logic", "cwe": "", "title": "Floats",
				"evidence": "    return f\"{cents / 100:.2f}\"", "explanation": "Large amounts are rounded.", "suggestion": "", "confidence": 0.3}]}`
		}
		return llm.Response{Text: text, Finish: llm.FinishStop, Cost: new(money.USD)}, nil
	}
	var replies []string
	for _, code := range examples {
		replies = append(replies, cells(code))
	}
	dir := t.TempDir()
	res, err := play(t, t.Context(), setup{files: files, worker: worker, root: &runtest.Script{Replies: replies}, dir: dir,
		change: func(c *rlm.Config) {
			c.Graph = graph.Lazily(codebase.FromMap(files), graph.Options{Parser: runtest.OpenParser})
			c.Opinion, c.MaxTurns = agreeing{}, len(examples)
		}})
	if err != nil || res.Metrics.CellErrors != 0 || res.StopReason != trace.StopAnswer {
		t.Errorf("%d cell errors, %s, %v", res.Metrics.CellErrors, res.StopReason, err)
	}
	shown := map[string]string{}
	for _, e := range events(t, dir) {
		if e.Kind == trace.KindCell {
			shown[strings.TrimSpace(e.Cell.Code)] = e.Cell.Output
		}
	}
	for code, want := range map[string]string{
		"hits = grep":                    "shop/cart.py:5:     def total(self):",
		`print("x" * 20000)`:             "more(3) prints on",
		"more()":                         "characters of cell 3 are left: more(3) prints on]",
		"more(3)":                        "xxx",
		`symbols("shop/cart.py")`:        "method Cart.total",
		`definition("Cart.total")`:       "shop/cart.py:5-10 method Cart.total",
		`callers("total")`:               "shop/api.py:9 in checkout",
		`callees("checkout")`:            "Cart.add shop/cart.py:12",
		`imports("shop/api.py")`:         "-> shop/cart.py",
		`importers("shop/cart.py")`:      "shop/api.py",
		`related("shop/cart.py")`:        "shop/api.py: ",
		`variants(["shop/codecs"])`:      "decode, 1 of 5: shop/codecs/tab.py:9\n    - comma.py:9 if len(line) > LIMIT:\n    + 9 if len(line) >= LIMIT:",
		"outliers()":                     "shop/codecs/tab.py",
		"localise(":                      "shop/cart.py ",
		"search(":                        "",
		`review(["shop"]`:                "findings, 2 of them new",
		"ask(pack(":                      "shop/api.py:8",
		"findings()":                     "medium shop/api.py:8 [logic] Items are not checked",
		"mine = add_finding":             "accepted as ",
		"regrade(mine":                   ": stands\n    It does.",
		"others = [":                     "merged 2 findings: ",
		"about = finding(mine)":          "\nverdict: stands, by test/worker: It does.\n",
		`print(coverage()["fraction"]`:   "1 1",
		`set_answer("# Report`:           "the run has ended",
		`print(len(codebase), metadata[`: "9 ",
	} {
		found := false
		for cell, output := range shown {
			if strings.HasPrefix(cell, code) {
				found = true
				if !strings.Contains(output, want) {
					t.Errorf("%s\nshows %s\nwant %q in it", cell, output, want)
				}
			}
		}
		if !found {
			t.Errorf("no example begins with %s", code)
		}
	}
	if len(res.Dismissed) != 1 || len(res.Findings) != 1 || res.Dismissed[0].Reason != "Documented in shop/api.py" {
		t.Errorf("findings %v, dismissed %v", res.Findings, res.Dismissed)
	}
}

// What code uses from elsewhere comes along with it: functions before constants, and nothing that is shown already.
func TestCompanions(t *testing.T) {
	files := shop(t)
	withGraph := func(c *rlm.Config) {
		c.Graph = graph.Lazily(codebase.FromMap(files), graph.Options{Parser: runtest.OpenParser})
	}
	got, _ := outputs(t, setup{files: files, change: withGraph}, `print(pack(["shop/api.py", "shop/cart.py"], "Why?")[0])`,
		`print(pack(["shop/api.py", "shop/money.py", "shop/cart.py"], "Why?")[0])`)
	const want = "Definitions from elsewhere that this code uses:\n=== FILE: shop/money.py (lines 4-5 of 5) ===\n   4| def as_text(cents):\n" +
		"   5|     return f\"{cents / 100:.2f}\"\n" +
		"=== FILE: shop/money.py (lines 1-1 of 5) ===\n   1| MAX_TOTAL = 1_000_000\n=== END ===\n\nWhy?\n"
	if !strings.HasSuffix(got[0]+"\n", want) {
		t.Errorf("the prompt ends\n%s\nwant\n%s", got[0][max(0, len(got[0])-600):], want)
	}
	if strings.Contains(got[1], "from elsewhere") {
		t.Errorf("what is shown comes twice:\n%s", got[1])
	}
}
