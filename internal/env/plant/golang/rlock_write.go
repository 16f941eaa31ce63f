package golang

import "strings"

// RlockWrite lets a method write to a map while it holds the lock for readers.
func (*operators) RlockWrite(s *source) {
	for _, fn := range s.kinds["method_declaration"] {
		lock, unlock := locked(fn, "Lock")
		field := changedMap(s, fn)
		if !lock.Valid() || field == "" || !s.hasRWMutex(receiverType(fn), strings.TrimSuffix(lock.Text(), ".Lock()"), receiver(fn)) {
			continue
		}
		text := strings.Replace(s.Text[lock.Start():unlock.Start()], ".Lock()", ".RLock()", 1) +
			strings.Replace(unlock.Text(), ".Unlock()", ".RUnlock()", 1)
		s.Report(s.Edit(lock.Start(), unlock.End(), text),
			"%s writes to the map %s under the lock for readers, which several callers hold at once: they race.", nameOf(fn), field)
	}
}

// hasRWMutex says whether x, the receiver self of a type or a field of it, is a sync.RWMutex.
func (s *source) hasRWMutex(t, x, self string) bool {
	for _, spec := range s.kinds["type_spec"] {
		if spec.ChildByField("name").Text() != t {
			continue
		}
		for f := range spec.Find("field_declaration") {
			if strings.TrimPrefix(f.ChildByField("type").Text(), "*") != "sync.RWMutex" {
				continue
			}
			named := false
			for c := range f.Children() {
				if c.Field() == "name" {
					named = true
					if self+"."+c.Text() == x {
						return true
					}
				}
			}
			if !named && (x == self || x == self+".RWMutex") {
				return true
			}
		}
	}
	return false
}
