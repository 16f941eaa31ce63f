package sandbox

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A checkpoint saves a session the replay of expensive cells: the pages of its memory that differ from the image it was
// opened from, kept by the engine. What a checkpoint does not hold are files of the standard library that the program
// keeps open; reading them after a rebuild fails.

const (
	// checkpointAfter is the running time since the last checkpoint that is worth a new one.
	checkpointAfter = 250 * time.Millisecond
	// maxCheckpoint bounds what the engine keeps for one session; a larger one is rebuilt by replay.
	maxCheckpoint = 64 << 20
	pageBytes     = 4096
)

// frozen describes a checkpoint; the pages travel beside it.
type frozen struct {
	Size  int64  `json:"size"` // of the memory
	Clock int64  `json:"clock"`
	Rand  []byte `json:"rand"`
}

type checkpoint struct {
	state frozen
	pages []byte
}

// diff encodes the pages of mem that differ from base, which stands for a memory padded with zeros: runs of a first
// page, a count (both little-endian uint32) and the pages. It returns nil when they are more than limit bytes.
func diff(mem, base []byte, limit int) []byte {
	out := []byte{}
	var zero [pageBytes]byte
	run := -1 // offset of the run's header in out
	for i := 0; i < len(mem); i += pageBytes {
		page, old := mem[i:min(i+pageBytes, len(mem))], zero[:]
		if i < len(base) {
			old = base[i:min(i+pageBytes, len(base))]
		}
		if bytes.Equal(page, old[:min(len(old), len(page))]) {
			run = -1
			continue
		}
		if len(out)+len(page) > limit {
			return nil
		}
		if run < 0 {
			run = len(out)
			out = binary.LittleEndian.AppendUint32(out, uint32(i/pageBytes))
			out = binary.LittleEndian.AppendUint32(out, 0)
		}
		out = append(out, page...)
		n := binary.LittleEndian.Uint32(out[run+4:])
		binary.LittleEndian.PutUint32(out[run+4:], n+1)
	}
	return out
}

var errPages = errors.New("damaged checkpoint")

// patch writes the pages that diff encoded into mem.
func patch(mem, pages []byte) error {
	for len(pages) > 0 {
		if len(pages) < 8 {
			return errPages
		}
		at := uint64(binary.LittleEndian.Uint32(pages)) * pageBytes
		n := uint64(binary.LittleEndian.Uint32(pages[4:])) * pageBytes
		pages = pages[8:]
		if n == 0 || n > uint64(len(pages)) || at+n > uint64(len(mem)) {
			return errPages
		}
		copy(mem[at:], pages[:n])
		pages = pages[n:]
	}
	return nil
}

// freeze makes a checkpoint of an instance that is not running.
func (g *instance) freeze() (frozen, []byte, error) {
	mem := g.memory()
	base, err := g.from.image.bytes()
	if err != nil {
		return frozen{}, nil, err
	}
	pages := diff(mem, base, maxCheckpoint)
	if pages == nil {
		return frozen{}, nil, errors.New("the memory differs too much")
	}
	state, err := g.random.MarshalBinary()
	return frozen{Size: int64(len(mem)), Clock: g.clock, Rand: state}, pages, err
}

// thaw puts a checkpoint into a new instance of the same image.
func (g *instance) thaw(f frozen, pages []byte) error {
	if !g.grow(int(f.Size)) {
		return errors.New("memory could not grow to the checkpoint's size")
	}
	g.clock = f.Clock
	return errors.Join(patch(g.memory(), pages), g.random.UnmarshalBinary(f.Rand))
}

// saving is a session's checkpoint and the one that is being made.
type saving struct {
	last *checkpoint
	done chan struct{} // closed when the one being made is ready or has failed; nil when none is
}

// wait returns when no checkpoint is being made.
func (v *saving) wait(ctx context.Context) error {
	if v.done == nil {
		return nil
	}
	select {
	case <-v.done:
		v.done = nil
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// save begins to replace the session's history by a checkpoint when running it again would take long. The caller's
// result does not wait for it, the next cell does.
func (s *Session) save() {
	if s.debt < s.worth || s.p == nil {
		return
	}
	done := make(chan struct{})
	if s.e.background(func() { defer close(done); s.checkpoint() }) {
		s.saved.done = done
	}
}

// checkpoint makes a checkpoint. Without one, nothing is lost but time.
func (s *Session) checkpoint() {
	if s.p.send(frame{kind: kindFreeze, session: s.id}) != nil {
		return
	}
	f, err := s.next(s.life)
	if err != nil {
		// The answer may still come: this place in the worker cannot be used any more.
		s.detach()
		return
	}
	var state frozen
	if f.kind != kindFrozen || len(f.meta) == 0 || json.Unmarshal(f.meta, &state) != nil {
		s.worth *= 2
		return
	}
	s.saved.last = &checkpoint{state: state, pages: f.blob}
	s.done, s.debt, s.worth = nil, 0, checkpointAfter
}

func (g *guest) freeze(in *instance) frame {
	answer := frame{kind: kindFrozen, session: g.id}
	if in == nil {
		return answer
	}
	state, pages, err := in.freeze()
	if err != nil {
		return answer
	}
	if answer.meta, err = json.Marshal(state); err == nil {
		answer.blob = pages
	}
	return answer
}

// thaw puts the checkpoint of an open request, if it has one, into its instance.
func (q openRequest) thaw(in *instance, pages []byte) error {
	if q.Frozen == nil {
		return nil
	}
	if err := in.thaw(*q.Frozen, pages); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	return nil
}
