package fleet

import "time"

// Meter is told what a worker does, by many slots at once.
type Meter interface {
	// Begun and Ended go around an item, whatever came of it; took includes storing the result.
	Begun(k Kind)
	Ended(k Kind, took time.Duration)
	// Done says that the hub has an item's result, Fault that this machine failed and another one gets the item.
	Done(k Kind)
	Fault(k Kind)
}

type noMeter struct{}

func (noMeter) Begun(Kind)                {}
func (noMeter) Ended(Kind, time.Duration) {}
func (noMeter) Done(Kind)                 {}
func (noMeter) Fault(Kind)                {}
