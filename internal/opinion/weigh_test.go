package opinion_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/claim"
	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/opinion"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

var shop = map[string]string{
	"shop/cart.py": `from .price import total
from json import dumps

LIMIT = 100


class Base:
    rate = 3

    def __init__(self, items):
        self.items = items

    def save(self):
        return write(self.items)


class Cart(Base):
    """A cart. An empty cart has no total: callers check first."""

    def mean(self):
        # the caller checks
        return total(self.items) / len(self.items)

    def text(self):
        return dumps(self.items)

    def save(self):
        return None


def write(items):
    return items[:LIMIT]
`,
	"shop/price.py": `def total(items):
    """Adds up.

    Long words about it,
    and more of them.
    """
    return sum(i.price for i in items)
`,
	"shop/page.py": `from .cart import Cart


def show(items):
    if not items:
        return "nothing"
    return Cart(items).mean()


def other():
    return 7
`,
	"shop/text.py":       "def dumps(x):\n    return 'not the library'\n",
	"tests/test_cart.py": "import pytest\nfrom shop.cart import Cart\n\n\ndef total(items):\n    return 0\n\n\ndef test_mean():\n    assert Cart([]).mean() == 0\n",
	"docs/cart.md":       "# Carts\n\nAn empty cart has no `mean`: asking for it fails, and that is meant.\n",
}

func opinions(files map[string]string) *opinion.Opinions {
	code := codebase.FromMap(files)
	return opinion.New(code, claim.NewBase(code, runtest.OpenParser, nil), nil)
}

var divides = finding.Finding{ID: "1", File: "shop/cart.py", Line: 22, EndLine: 22, Title: "mean divides by zero", Severity: "high",
	Category: "logic", Confidence: 0.9, Evidence: "        return total(self.items) / len(self.items)",
	Explanation: "An empty cart makes it fail; `show` calls it. See docs/cart.md."}

func said(verdict, file string, line int, quote string, more ...any) string {
	o := map[string]any{"verdict": verdict, "file": file, "line": line, "quote": quote, "reason": "So it is."}
	for i := 0; i+1 < len(more); i += 2 {
		o[fmt.Sprint(more[i])] = more[i+1]
	}
	data, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func TestWeigh(t *testing.T) {
	guard := "    if not items:\n        return \"nothing\"\n    return Cart(items).mean()"
	tests := []struct {
		name, reply, want, why string
		severity               string
		proof                  string // file:line
	}{
		{"stands by its own line", said("stands", "shop/cart.py", 22, "return total(self.items) / len(self.items)"), finding.Stands, "So it is.", "", "shop/cart.py:22"},
		{"stands by a line with its number", said("stands", "shop/page.py", 7, "   7|     return Cart(items).mean()"), finding.Stands, "", "", "shop/page.py:7"},
		{"stands without a quote", said("stands", "shop/cart.py", 22, ""), finding.Unverified, "calls it right, but quotes no code. It says: So it is.", "", ""},
		{"stands by what is not there", said("stands", "shop/cart.py", 22, "return total(self.items) // 0"), finding.Unverified, "does not stand", "", ""},
		{"stands by a comment", said("stands", "shop/cart.py", 21, "# the caller checks"), finding.Unverified, "a comment", "", ""},
		{"stands by something else", said("stands", "shop/page.py", 10, "def other():\n    return 7"), finding.Unverified, "nothing to do", "", ""},
		{"stands by a file that was not shown", said("stands", "tests/test_cart.py", 10, "assert Cart([]).mean() == 0"), finding.Unverified, "not shown", "", ""},
		{"refuted by what the caller checks", said("refuted", "shop/page.py", 5, guard), finding.Refuted, "", "", "shop/page.py:5"},
		{"refuted by its own line", said("refuted", "shop/cart.py", 22, "return total(self.items) / len(self.items)"), finding.Unsure, "itself quotes", "", ""},
		{"overstated", said("partly", "shop/page.py", 5, guard, "severity", "low"), finding.Partly, "", "low", "shop/page.py:5"},
		{"overstated, on its own word", said("partly", "shop/cart.py", 22, "return total(self.items) / len(self.items)", "severity", "low"), finding.Partly, "", "", "shop/cart.py:22"},
		{"understated changes nothing, but is said", said("partly", "shop/page.py", 5, guard, "severity", "critical"), finding.Partly, "So it is. (It would grade it critical.)", "", "shop/page.py:5"},
		{"stands, but is overstated", said("stands", "shop/page.py", 5, guard, "severity", "medium"), finding.Stands, "", "medium", "shop/page.py:5"},
		{"stands, overstated on its own word", said("stands", "shop/cart.py", 22, "return total(self.items) / len(self.items)", "severity", "low"), finding.Stands, "So it is. (It would grade it low.)", "", "shop/cart.py:22"},
		{"refuted has no grade", said("refuted", "shop/page.py", 5, guard, "severity", "low"), finding.Refuted, "", "", "shop/page.py:5"},
		{"partly without a quote", said("partly", "", 0, "", "severity", "low"), finding.Unverified, "partly true, but quotes no code", "", ""},
		{"meant so by a docstring", said("by_design", "shop/cart.py", 18, "\"\"\"A cart. An empty cart has no total: callers check first.\"\"\""), finding.ByDesign, "", "", "shop/cart.py:18"},
		{"meant so by a document", said("by_design", "docs/cart.md", 3, "An empty cart has no `mean`: asking for it fails, and that is meant."), finding.ByDesign, "", "", "docs/cart.md:3"},
		{"meant so by code", said("by_design", "shop/page.py", 5, guard), finding.Unverified, "no documentation", "", ""},
		{"meant so by a document on something else", said("by_design", "docs/cart.md", 1, "# Carts"), finding.Unverified, "nothing to do", "", ""},
		{"unsure, and what decides", said("unsure", "", 0, "", "missing", "Who calls the library."), finding.Unsure, "So it is. What decides and was not shown: Who calls the library.", "", ""},
		{"no verdict", "I like it.", finding.Unverified, "no verdict", "", ""},
	}
	o := opinions(shop)
	_, shown := o.Question(t.Context(), llm.Handle{}, divides)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := o.Weigh(t.Context(), divides, shown, tt.reply)
			proof := ""
			if v.Proof != nil {
				proof = v.Proof.File + ":" + string(rune('0'+v.Proof.Line/10)) + string(rune('0'+v.Proof.Line%10))
				proof = strings.Replace(proof, ":0", ":", 1)
			}
			if v.Status != tt.want || !strings.Contains(v.Reason, tt.why) || v.Severity != tt.severity || proof != tt.proof {
				t.Errorf("%+v, proof %s", v, proof)
			}
		})
	}
}

func TestSettle(t *testing.T) {
	with := func(v runfile.Verification, root bool) finding.Finding {
		f := divides
		f.Verification = &v
		if root {
			f.Severity, f.Regraded = "medium", &runfile.Regraded{From: "high", By: "root"}
		}
		return f
	}
	tests := []struct {
		name       string
		f          finding.Finding
		severity   string
		confidence float64
		by         string
	}{
		{"stands", with(runfile.Verification{Status: finding.Stands}, false), "high", 0.9, ""},
		{"overstated", with(runfile.Verification{Status: finding.Partly, Severity: "low", By: "judge"}, false), "low", 0.9, "judge"},
		{"stands, overstated", with(runfile.Verification{Status: finding.Stands, Severity: "low", By: "judge"}, false), "low", 0.9, "judge"},
		{"overstated, but the root has graded it", with(runfile.Verification{Status: finding.Partly, Severity: "low", By: "judge"}, true), "medium", 0.9, "root"},
		{"meant so", with(runfile.Verification{Status: finding.ByDesign}, false), "high", finding.UnsureConfidence, ""},
		{"doubted", with(runfile.Verification{Status: finding.Unsure}, false), "high", finding.UnsureConfidence, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // twice is once
				before := *tt.f.Verification
				got := opinion.Settle(tt.f)
				if *tt.f.Verification != before {
					t.Error("it changed the verification that it was given")
				}
				if tt.f = got; got.Severity != tt.severity || got.Confidence != tt.confidence || (got.Regraded == nil) != (tt.by == "") ||
					got.Regraded != nil && got.Regraded.By != tt.by || (got.Verification.Claimed != nil) != (tt.confidence < 0.9) {
					t.Errorf("%+v %+v", got, got.Regraded)
				}
			}
		})
	}
}

// What the code itself contradicts needs no model.
func TestCheckDecidesAlone(t *testing.T) {
	o := opinions(shop)
	v, decided := o.Check(t.Context(), finding.Finding{File: "shop/cart.py", Line: 31, EndLine: 31, Title: "`write` is never called",
		Category: "dead-code"})
	if !decided || v.Status != finding.Refuted || v.By != finding.ByCheck || v.Proof == nil || v.Proof.Line != 14 ||
		v.Claims.Contradicted != 1 {
		t.Errorf("%v %+v %+v", decided, v, v.Proof)
	}
	if v, decided := o.Check(t.Context(), divides); decided || v.Status != "" {
		t.Errorf("%+v", v)
	}
}

// A finding on a document is decided by the document: its headings and lists are no comments then.
func TestWeighOnADocument(t *testing.T) {
	o := opinions(shop)
	f := finding.Finding{File: "docs/cart.md", Line: 1, EndLine: 1, Title: "The heading is wrong", Severity: "low", Evidence: "# Carts"}
	_, shown := o.Question(t.Context(), llm.Handle{}, f)
	if v := o.Weigh(t.Context(), f, shown, said("stands", "docs/cart.md", 1, "# Carts")); v.Status != finding.Stands {
		t.Errorf("%+v", v)
	}
	files := maps.Clone(shop)
	files["docs/cart.md"] = "# mean\n"
	v := opinions(files).Weigh(t.Context(), divides, []string{"docs/cart.md"}, said("stands", "docs/cart.md", 1, "# mean"))
	if v.Status != finding.Unverified || !strings.Contains(v.Reason, "a comment") {
		t.Errorf("a document decides a finding on code: %+v", v)
	}
}
