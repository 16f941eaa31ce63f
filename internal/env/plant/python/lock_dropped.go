package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var lockName = regexp.MustCompile(`(?i)(^|[._])\w*(lock|mutex|guard)$`)

// lockDropped takes the lock away from around a change.
func lockDropped() plant.Operator {
	class := func(lines ...string) string {
		return code("import threading", "", "", "class Counts:", "    def __init__(self, lock=None):", "        self._lock = lock or threading.Lock()", "        self._n = {}", "") + code(lines...)
	}
	proof := code(`from app import Counts`, `class Lock:`, `    entered = 0`, `    def __enter__(self):`, `        Lock.entered += 1`, `    def __exit__(self, *error):`, `        pass`, `Counts(Lock()).add("k")`, `assert Lock.entered == 1`)
	return plant.Operator{
		Name: "python/lock-dropped", Language: "python", Split: train, Category: "concurrency", CWE: "CWE-362", Severity: "high", Hint: "with ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, w := range s.nodes("with_statement") {
				lock := onlyItem(w)
				if !lockName.MatchString(lock.Text()) || lock.Kind() != "attribute" && lock.Kind() != "identifier" {
					continue
				}
				block := body(w)
				stmts := statements(block)
				changed := writesShared(block)
				indent, ok := s.indent(w)
				if !ok || len(stmts) == 0 || changed == "" || !inSteps(stmts, changed) || !s.alone(w) {
					continue
				}
				text, ok := s.moved(stmts[0], stmts[len(stmts)-1], indent)
				if !ok || lines(text) > 6 || stmts[0].Line() == w.Line() {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.edit(s.lineStart(w.Start()), stmts[len(stmts)-1].End(), text)}, Description: say(
					"%s changes %s without holding %s: two threads at once lose an update or see a half-made one.", where(w), changed, lock.Text())})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(class("    def add(self, key):", "        with self._lock:", "            self._n[key] = self._n.get(key, 0) + 1"),
				class("    def add(self, key):", "        self._n[key] = self._n.get(key, 0) + 1"), proof),
			sample(class("    def add(self, key):", "        with (", "            self._lock", "        ):  # short", "            self._n.setdefault(key, 0)", "", "            self._n[key] += 1", "        return key"),
				class("    def add(self, key):", "        self._n.setdefault(key, 0)", "", "        self._n[key] += 1", "        return key"), proof),
		},
		Never: []string{
			class("    def add(self, key):", "        self._n[key] = 1"),
			class("    def drop(self, key):", "        with self._lock:", "            self._n.pop(key, None)"),
			class("    def read(self, key):", "        with self._lock:", "            return self._n[key]"),
			code("def save(path, d):", "    with open(path) as blocks:", "        d.x = blocks.read()"),
		},
	}
}

// onlyItem is the expression of a with statement that has one, and no name for it.
func onlyItem(w syntax.Node) syntax.Node {
	clause := w.NamedChild(0)
	if clause.Kind() != "with_clause" || clause.NumNamed() != 1 {
		return syntax.Node{}
	}
	value := clause.NamedChild(0).ChildByField("value")
	for value.Kind() == "parenthesized_expression" && value.NumNamed() == 1 {
		value = value.NamedChild(0)
	}
	return value
}

// inSteps tells whether what happens to an attribute takes several steps, between which another thread may come.
func inSteps(stmts []syntax.Node, attribute string) bool {
	if len(stmts) > 1 {
		return true
	}
	for n := range stmts[0].Find("augmented_assignment", "assignment") {
		if n.Kind() == "augmented_assignment" || strings.Contains(n.ChildByField("right").Text(), attribute) {
			return true
		}
	}
	return stmts[0].Kind() != "expression_statement" && stmts[0].Kind() != "delete_statement"
}

var changers = regexp.MustCompile(`^(append|add|pop|popitem|popleft|appendleft|update|setdefault|clear|remove|discard|extend|insert|move_to_end)$`)

// writesShared names the attribute of self that a block changes, "" if none.
func writesShared(block syntax.Node) string {
	for n := range block.Find("assignment", "augmented_assignment", "call", "delete_statement") {
		var target syntax.Node
		switch n.Kind() {
		case "call":
			if changers.MatchString(method(n)) {
				target = object(n)
			}
		case "delete_statement":
			target = n.NamedChild(0)
		default:
			target = n.ChildByField("left")
		}
		for target.Kind() == "subscript" {
			target = target.ChildByField("value")
		}
		if target.Kind() == "attribute" && target.ChildByField("object").Text() == "self" {
			return target.Text()
		}
	}
	return ""
}
