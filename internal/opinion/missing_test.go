package opinion_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

func lacking(names ...any) string {
	return said("unsure", "", 0, "", "missing", names)
}

func TestAgain(t *testing.T) {
	files := pad(shop, "shop/cart.py")
	files["shop/tax.py"] = "RATE = 2\n\n\ndef tax(x):\n    \"\"\"Said at length,\n    in two lines.\n    \"\"\"\n    return x * RATE\n" +
		"\n\ndef untaxed(x):\n    return x\n\n\nclass Till:\n    def ring(self):\n        return 3\n"
	files["a/twice.py"], files["b/twice.py"] = "A = 1\n", "B = 2\n"
	for i := range 4 {
		files["many/"+string(rune('a'+i))+".py"] = "def often():\n    return 1\n"
	}
	o := opinions(files)
	const taxes = "   8|     return x * RATE\n"
	tests := []struct {
		name, reply string
		want        string // in the second prompt, "" where nobody is asked again
		never       string
	}{
		{"a file, by the end of its path", lacking("tax.py"), "  11| def untaxed(x):", ""},
		{"a function", lacking("tax()"), taxes, "def untaxed"},
		{"in quotes, among others that mean nothing", lacking("the proxy's settings", "`tax`"), taxes, "proxy"},
		{"a line of a file", lacking("shop/tax.py:8"), taxes, "def untaxed"},
		{"a method", lacking("Till.ring"), "  17|         return 3\n", "def untaxed"},
		{"it says what it is shown for", lacking("tax", "Cart.mean"), "what a verifier lacked, shown above now: tax (shop/tax.py:4-8)\n", "Cart.mean ("},
		{"what was shown", lacking("Cart.mean", "price.py"), "", ""},
		{"what is in no file", lacking("the proxy's settings", "nginx.conf", ""), "", ""},
		{"what may be one of two files", lacking("twice.py"), "", ""},
		{"what may be one of many definitions", lacking("often"), "", ""},
		{"not unsure", said("stands", "shop/cart.py", 22, "return total(self.items)", "missing", []string{"tax"}), "", ""},
		{"no verdict", "tax", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			request, shown, ok := o.Again(t.Context(), llm.Handle{}, divides, tt.reply)
			if ok != (tt.want != "") {
				t.Fatalf("asked again: %v", ok)
			}
			if !ok {
				return
			}
			prompt := request.Messages[0].Content
			if !strings.Contains(prompt, tt.want) || tt.never != "" && strings.Contains(prompt, tt.never) {
				t.Errorf("want %q, and not %q:\n%s", tt.want, tt.never, prompt)
			}
			if !strings.Contains(prompt, "  22|         return total(self.items) / len(self.items)") || request.Schema == nil {
				t.Errorf("it is not the question that was asked:\n%s", prompt)
			}
			for _, f := range shown {
				if !strings.Contains(prompt, "=== FILE: "+f+" ") {
					t.Errorf("%s is not shown", f)
				}
			}
		})
	}
}

// What is missing keeps to the limit, too; nobody is asked again where there is no room for any of it.
func TestAgainKeepsToTheLimit(t *testing.T) {
	files := pad(shop, "shop/cart.py")
	files["shop/tax.py"] = "def tax(x):\n    return '" + strings.Repeat("x", 400) + "'\n" + strings.Repeat("    x += 1\n", 20_000)
	o := opinions(files)
	for window, room := range map[int]bool{1_200: false, 2_400: true, 8_000: true, 200_000: true} {
		request, _, ok := o.Again(t.Context(), llm.Handle{Context: window}, divides, lacking("tax"))
		if ok != room {
			t.Fatalf("window %d: asked again: %v", window, ok)
		}
		if !ok {
			continue
		}
		prompt := request.Messages[0].Content
		if most := min(4*window, 40_000); len(prompt) > most || !strings.Contains(prompt, "   1| def tax(x):") {
			t.Errorf("window %d: %d characters of %d:\n%s", window, len(prompt), most, prompt[:min(len(prompt), 3000)])
		}
	}
}

// A finding at several places is one question: each place is shown, and each counts for what is quoted.
func TestPlaces(t *testing.T) {
	files := pad(shop, "shop/cart.py")
	files["shop/other.py"] = "def halve(items):\n    x = 1\n    y = 2\n    z = 3\n    w = 4\n    v = 5\n    return 1 / len(items)\n"
	files["shop/third.py"] = "import os\n\nTHIRD = 1 / os.cpu_count()\n"
	f := divides
	f.Explanation = "It fails."
	f.Places = []runfile.Place{{File: f.File, Line: f.Line, EndLine: f.EndLine}, {File: "shop/other.py", Line: 7, EndLine: 7},
		{File: "shop/third.py", Line: 3, EndLine: 3}}
	o := opinions(files)
	request, shown := o.Question(t.Context(), llm.Handle{}, f)
	prompt := request.Messages[0].Content
	for _, want := range []string{"   1| def halve(items):\n ...\n   4|     z = 3\n", "   7|     return 1 / len(items)\n", "   3| THIRD",
		"\nalso at: shop/other.py:7, shop/third.py:3\n"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("%q is missing:\n%s", want, prompt)
		}
	}
	for reply, want := range map[string]string{
		said("stands", "shop/third.py", 3, "THIRD = 1 / os.cpu_count()"):                   finding.Stands,
		said("refuted", "shop/third.py", 3, "THIRD = 1 / os.cpu_count()"):                  finding.Unsure, // its own line
		said("refuted", "shop/other.py", 1, "def halve(items):\n    x = 1"):                finding.Refuted,
		said("partly", "shop/other.py", 7, "    return 1 / len(items)", "severity", "low"): finding.Partly,
	} {
		if v := o.Weigh(t.Context(), f, shown, reply); v.Status != want || v.Severity != "" {
			t.Errorf("%s: %+v", reply, v)
		}
	}
	one := f
	one.Places = nil
	elsewhere := said("stands", "shop/third.py", 3, "THIRD = 1 / os.cpu_count()")
	if v := o.Weigh(t.Context(), one, shown, elsewhere); v.Status != finding.Unverified {
		t.Errorf("%+v", v)
	}
	for range 100 {
		f.Places = append(f.Places, runfile.Place{File: "shop/other.py", Line: 2, EndLine: 2})
	}
	request, _ = o.Question(t.Context(), llm.Handle{}, f)
	if prompt := request.Messages[0].Content; !strings.Contains(prompt, ", and 90 more\n") {
		t.Errorf("its places:\n%s", prompt[strings.Index(prompt, "also at"):])
	}
}
