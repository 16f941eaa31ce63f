package taxonomy

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	all := Categories()
	const shown = "injection path-traversal xss ssrf weak-crypto secrets deserialization auth csrf redirect xxe error-handling " +
		"resource-leak concurrency memory-safety null-dereference off-by-one comparison api-misuse data-loss dead-code test-quality " +
		"performance configuration logic privacy maintainability other"
	if got := strings.Join(all, " "); got != shown {
		t.Errorf("workers are shown %s, want %s", got, shown)
	}
	if About("bug").Word != Other {
		t.Error("a word that is none is not other")
	}
	if slices.Sort(all); len(slices.Compact(all)) != 28 || !IsCategory("xxe") || !IsCategory(Other) || IsCategory("bug") {
		t.Errorf("categories %q", all)
	}
	rules := slices.DeleteFunc(all, func(word string) bool { return !About(word).Rule })
	if len(rules) != 26 || slices.Contains(rules, Other) || slices.Contains(rules, "maintainability") {
		t.Errorf("a rule's categories: %q", rules)
	}
	for i, s := range Severities() {
		milder := Severities()[min(i+1, 4)]
		if Rank(s) != 5-i || Milder(s) != milder {
			t.Errorf("%s: rank %d, below it %s; want %d, %s", s, Rank(s), Milder(s), 5-i, milder)
		}
	}
	if Rank("grave") != 0 || Milder("grave") != "grave" {
		t.Error("a word that is none has a rank")
	}
	Severities()[0], Categories()[0] = "x", "x"
	if Severities()[0] != Critical || Categories()[0] != "injection" {
		t.Error("a caller can change the list")
	}
}

func TestAttackable(t *testing.T) {
	for _, tt := range []struct {
		category, cwe string
		want          bool
	}{
		{"injection", "", true}, {"performance", "CWE-1333", true}, {"performance", "CWE-407", false}, {"logic", "", false},
	} {
		if got := Attackable(tt.category, tt.cwe); got != tt.want {
			t.Errorf("%s %s: %v", tt.category, tt.cwe, got)
		}
	}
}
