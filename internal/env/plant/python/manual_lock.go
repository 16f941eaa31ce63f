package python

import (
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// manualLock takes a lock by hand and lets go of it in finally.
func manualLock() plant.Operator {
	class := func(lines ...string) string {
		return code("import threading", "", "", "class Counts:", "    def __init__(self, lock=None):", "        self._lock = lock or threading.Lock()", "        self._n = {}", "") + code(lines...)
	}
	proof := code(`from app import Counts`, `c = Counts()`, `c.add("k")`, `c.add("k")`, `assert c._n == {"k": 2} and not c._lock.locked()`)
	return plant.Operator{
		Name: "python/manual-lock", Language: "python", Split: train, Category: "concurrency", CWE: "CWE-667", Severity: "medium", Decoy: true, Hint: "with ",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, w := range s.nodes("with_statement") {
				lock := onlyItem(w)
				stmts := statements(body(w))
				indent, ok := s.indent(w)
				if !ok || !lockName.MatchString(lock.Text()) || !named(lock) || len(stmts) == 0 || stmts[0].Line() == w.Line() {
					continue
				}
				inner, _ := s.indent(stmts[0])
				text, ok := s.moved(stmts[0], stmts[len(stmts)-1], inner)
				text = indent + lock.Text() + ".acquire()\n" + indent + "try:\n" + text + "\n" + indent + "finally:\n" + inner + lock.Text() + ".release()"
				if !ok || lines(text) > 6 {
					continue
				}
				all = append(all, plant.Site{Edits: []plant.Edit{s.edit(s.lineStart(w.Start()), stmts[len(stmts)-1].End(), text)}, Description: say(
					"%s takes %s by hand and lets go of it in finally, so it is held for just as long as with a with statement.", where(w), lock.Text())})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(class("    def add(self, key):", "        with self._lock:", "            self._n[key] = self._n.get(key, 0) + 1"), class("    def add(self, key):", "        self._lock.acquire()", "        try:", "            self._n[key] = self._n.get(key, 0) + 1", "        finally:", "            self._lock.release()"), proof),
			sample(class("    def add(self, key):", "      with (self._lock):  # short", "        n = self._n.get(key, 0)", "        self._n[key] = n + 1", "      return key"), class("    def add(self, key):", "      self._lock.acquire()", "      try:", "        n = self._n.get(key, 0)", "        self._n[key] = n + 1", "      finally:", "        self._lock.release()", "      return key"), proof),
		},
		Never: []string{class("    def add(self, key):", "        self._n[key] = 1"), code("def f(path):", "    with open(path) as clock:", "        return clock.read()")},
	}
}
