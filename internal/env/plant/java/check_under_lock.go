package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// CheckUnderLock asks and changes in two steps where a lock already keeps other threads out.
func (operators) CheckUnderLock(f file) []plant.Site {
	var found []plant.Site
	for call := range f.root.Find("method_invocation") {
		if called(call) != "computeIfAbsent" || !locked(call) {
			continue
		}
		if e, more, ok := split(f, call); ok {
			found = append(found, plant.Site{Edits: append([]plant.Edit{e}, more...),
				Description: fmt.Sprintf("%s looks into %s and changes it while it holds the lock: no other thread gets between the two steps", methodName(call), receiver(call).Text())})
		}
	}
	return found
}
