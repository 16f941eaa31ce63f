package orchestration

import "testing"

func TestMover(t *testing.T) {
	move := mover(map[string]string{"a": "one\ntwo\nthree\n", "b": "x\n"}, map[string]string{"a": "new\none\n2\nthree\n", "b": "x\n"})
	for _, c := range []struct {
		file        string
		line, moved int
		there       bool
	}{{"a", 1, 2, true}, {"a", 3, 4, true}, {"a", 2, 3, false}, {"b", 1, 1, true}} {
		if line, end, there := move(c.file, c.line, c.line); line != c.moved || end != c.moved || there != c.there {
			t.Errorf("%s:%d stands at %d-%d (there: %v), want %d (%v)", c.file, c.line, line, end, there, c.moved, c.there)
		}
	}
}
