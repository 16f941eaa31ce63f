package sandbox

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// step is a setup or a cell, with what is needed to run it again to the same effect.
type step struct {
	op       int
	number   int
	data     []byte
	calls    []hostCall
	halt     int64 // the step count at which it was stopped, 0 if it was not
	why      trace.CellStop
	complete bool
	hostWall time.Duration
	ran      time.Duration // seen from here, host calls excluded
}

// hostCall is a host call and its reply.
type hostCall struct {
	name    string
	payload uint64 // hash
	reply   []byte
	refused string // text of the error, "" for a reply
	failed  bool
}

// drive runs a step in the session's process and serves its host calls: first those on record, then, when live, by the
// host. It returns errKilled when the step passed its limit so far that the worker had to be killed for it, an error
// that is errLost when the worker ended for another reason.
func (s *Session) drive(ctx context.Context, st *step, live bool) (outcome, []byte, error) {
	q := runRequest{Op: st.op, Number: st.number, Steps: s.cfg.Limits.Steps, Wall: s.cfg.Limits.Wall, Output: s.cfg.Limits.OutputBytes,
		Halt: st.halt, Why: st.why}
	q.Watch = live && st.op == opCell && s.cfg.Watch
	limit := q.Wall + killGrace
	if !live {
		// The same work on a machine that may be busier now.
		q.Wall, limit = 0, 3*limit+5*time.Second
	}
	p, id := s.p, s.id
	late := make(chan struct{})
	w := newWatch(limit, func() { p.kill(s); close(late) })
	defer func() { st.ran = w.end() }()
	cancel := sync.OnceFunc(func() {
		// The watch first: the worker may be too busy to read.
		w.cancel()
		_ = p.send(frame{kind: kindCancel, session: id})
	})
	defer context.AfterFunc(ctx, cancel)()
	if err := p.sendMessage(kindRun, id, q, st.data); err != nil {
		return outcome{}, nil, s.lost(err)
	}
	for served := 0; ; served++ {
		var f frame
		select {
		case f = <-s.frames:
		case <-p.dead:
			return outcome{}, nil, s.lost(p.err)
		case <-late:
			// The process may take a while to go; it is not waited for.
			return outcome{}, nil, errKilled
		}
		switch f.kind {
		case kindDone:
			o, err := decodeOutcome(f.meta)
			if err != nil {
				p.kill(nil)
				return outcome{}, nil, fmt.Errorf("unreadable outcome: %w", err)
			}
			return o, f.blob, nil
		case kindCall:
		default:
			p.kill(nil)
			return outcome{}, nil, fmt.Errorf("frame of kind %d where a call or an outcome was due", f.kind)
		}
		w.pause()
		c, err := s.serve(ctx, st, served, f, live)
		if err != nil {
			p.kill(nil)
			return outcome{}, nil, err
		}
		reply := frame{kind: kindReply, session: id, blob: c.reply}
		if c.failed {
			reply.kind, reply.blob = kindRefuse, []byte(c.refused)
		}
		if ctx.Err() != nil {
			cancel() // before the reply, or the cell might end with the host's error as if nobody had cancelled it
		}
		const perByte = 50 * time.Nanosecond
		w.resume(time.Duration(len(reply.blob)) * perByte)
		if err := p.send(reply); err != nil {
			return outcome{}, nil, s.lost(err)
		}
	}
}

// serve answers the step's host call number i.
func (s *Session) serve(ctx context.Context, st *step, i int, f frame, live bool) (hostCall, error) {
	name, sum := string(f.meta), maphash.Bytes(s.e.seed, f.blob)
	if i < len(st.calls) {
		c := st.calls[i]
		if c.name != name || c.payload != sum {
			return c, fmt.Errorf("cell %d made another host call when it was run again", st.number)
		}
		return c, nil
	}
	if !live {
		return hostCall{}, fmt.Errorf("cell %d made more host calls when it was run again", st.number)
	}
	t := time.Now()
	reply, err := s.cfg.Host(ctx, name, f.blob)
	st.hostWall += time.Since(t)
	c := hostCall{name: name, payload: sum, reply: reply}
	if err == nil && len(reply) > maxBlob {
		err = fmt.Errorf("the reply has %d bytes, more than %d", len(reply), maxBlob)
	}
	if err != nil {
		c.reply, c.failed, c.refused = nil, true, text(err.Error(), 100_000)
	}
	st.calls = append(st.calls, c)
	return c, nil
}
