package java

// CheckUnderLock asks and changes in two steps where a lock already keeps other threads out.
func (*operators) CheckUnderLock(f file) {
	for call := range f.Root.Find("method_invocation") {
		if called(call) != "computeIfAbsent" || !locked(call) {
			continue
		}
		if e, more, ok := split(f, call); ok {
			f.ReportAll(e.And(more...), "%s looks into %s and changes it while it holds the lock: no other thread gets between the two steps",
				methodName(call), receiver(call).Text())
		}
	}
}
