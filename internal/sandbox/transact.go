package sandbox

import (
	"errors"
	"fmt"
)

// transact enters the harness in the guest with an order of the host ('h') or a message of the other side ('s') and
// returns its answer. It may be called again while the guest waits for a host call. Steps and time add up in the meter,
// which must have been started and paused. An exception that the harness itself did not survive is a *PyError.
func (g *instance) transact(from byte, message []byte) (reply []byte, err error) {
	const maxDepth = 40
	if g.depth >= maxDepth {
		return nil, errors.New("calls back and forth are nested too deeply")
	}
	whole := false // the guest has returned from everything it was asked
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("interpreter fault: %v", r)
		}
		g.torn = g.torn || !whole
	}()
	f := g.functions
	if g.depth > 0 {
		f = exported(g.mod) // a function object runs once at a time
		used, err := g.call(f.getFuel)
		if err != nil {
			return nil, err
		}
		g.meter.steps += int64(used)
		defer func() {
			if err == nil {
				_, err = g.call(f.setFuel, uint64(g.meter.grant()))
			}
		}()
	}
	g.depth++
	g.meter.resume()
	defer func() { g.depth--; g.meter.pause() }()
	p, err := g.call(f.alloc, uint64(len(message)+2))
	if err != nil {
		return nil, err
	}
	if mem := g.mod.Memory(); uint32(p) == 0 || !mem.WriteByte(uint32(p), from) || !mem.Write(uint32(p)+1, message) {
		g.mem.refused, whole = true, true
		return nil, &PyError{Type: "MemoryError"}
	}
	if _, err := g.call(f.setFuel, uint64(g.meter.grant())); err != nil {
		return nil, err
	}
	g.fields = [5]string{}
	if _, err := g.call(f.enter, opSetup, 0, p, uint64(len(message)+1)); err != nil {
		return nil, err
	}
	answer, failed, said := g.fields[0], g.fields[1], g.fields[2]
	g.fields = [5]string{}
	rest, err := g.call(f.getFuel)
	if err != nil {
		return nil, err
	}
	g.meter.steps += int64(rest)
	if _, err := g.call(f.free, p); err != nil {
		return nil, err
	}
	whole = true
	if failed != "" {
		return nil, &PyError{Type: text(failed, 200), Message: text(said, 4000)}
	}
	return []byte(answer), nil
}
