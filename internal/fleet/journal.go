package fleet

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ErrFenced says that somebody else took an item over: what its former holder still says of it does not count.
var ErrFenced = errors.New("another worker has taken the item over")

// errForgotten is of an item that is done: its coordinator has all that its journal said.
var errForgotten = fmt.Errorf("%w, and it is done", ErrFenced)

// errDamaged is a journal that no worker of this build wrote.
var errDamaged = errors.New("a damaged journal")

// Headers of a journal's messages.
const (
	headHolder = "Deeprepo-Holder" // who wrote it
	headOffset = "Deeprepo-Offset" // where its bytes begin; what stood from there on is void
	headEnd    = "Deeprepo-End"    // the holder had nothing more to write
)

// Journal is what is written down of an item while it is worked on: the file that a trace.Writer stands on, kept by the hub.
// What was flushed outlives the worker. It has one holder: each write names the message that it follows, so the first write
// of a new holder fences off the old one, whatever that believes (the fencing token is the message's number in the stream).
type Journal struct {
	c       *Conn
	ctx     context.Context
	name    string
	subject string
	holder  string

	mu   sync.Mutex
	seq  uint64 // of the last message on the subject
	all  []byte
	kept int // bytes of all that the hub has
	err  error
}

// openJournal takes a journal over, with what earlier holders left in it.
func (c *Conn) openJournal(ctx context.Context, kind Kind, name string) (*Journal, error) {
	j := &Journal{c: c, ctx: ctx, name: name, subject: journalSubject + string(kind) + "." + name, holder: rand.Text()}
	for {
		var err error
		if j.all, j.seq, err = c.readJournal(ctx, j.subject); err != nil {
			return nil, fmt.Errorf("read the item's journal: %w", err)
		}
		j.kept, j.err = len(j.all), nil
		err = j.publish(nil, false) // from now on it is ours
		if !errors.Is(err, ErrFenced) {
			j.ctx = context.WithoutCancel(ctx) // what was paid for is written down after an end, too
			return j, err
		}
		if !pause(ctx, 50*time.Millisecond) { // somebody wrote meanwhile
			return nil, ctx.Err()
		}
	}
}

// Trace reads the journal as a trace, cuts a torn end off, and returns the events. past is what the run's coordinator has
// of it, which stands in where it goes further: the run may have gone on without the fleet.
func (j *Journal) Trace(past []byte) ([]trace.Event, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(past) > len(j.all) && bytes.HasPrefix(past, j.all) {
		j.all = bytes.Clone(past)
	}
	events, good, err := trace.Read(bytes.NewReader(j.all))
	if err != nil {
		return nil, fmt.Errorf("the item's journal: %w", err)
	}
	j.all = j.all[:good]
	j.kept = min(j.kept, len(j.all))
	return events, nil
}

// Write adds to the journal; the hub has it after the next Flush or Sync.
func (j *Journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return 0, j.err
	}
	j.all = append(j.all, p...)
	return len(p), nil
}

// Flush returns when the hub has everything. Its error is ErrFenced when the item is somebody else's, and then for good.
func (j *Journal) Flush() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for j.err == nil && j.kept < len(j.all) {
		chunk := j.all[j.kept:min(len(j.all), j.kept+mostInline)]
		if err := j.publish(chunk, false); err != nil {
			j.err = err
		}
	}
	return j.err
}

// Sync is Flush: what the hub has is on its disk when its operating system writes it.
func (j *Journal) Sync() error { return j.Flush() }

// Close flushes.
func (j *Journal) Close() error { return j.Flush() }

// still asks whether the holder still is it: the error is ErrFenced where somebody else is.
func (j *Journal) still() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.publish(nil, false)
}

// end says that the holder has nothing more to write, and that it still was the holder then. It returns the whole's digest.
func (j *Journal) end() (string, error) {
	for {
		if err := j.Flush(); err != nil {
			return "", err
		}
		j.mu.Lock()
		err := j.publish(nil, true)
		whole, sum := j.kept == len(j.all), digest(j.all) // not whole: the hub had lost it
		j.mu.Unlock()
		if err != nil || whole {
			return sum, err
		}
	}
}

// mostAway is how long a journal waits for a hub.
const mostAway = 10 * time.Minute

// publish writes one message behind the last one, however long the hub is away. It needs the lock, once others have the
// journal.
func (j *Journal) publish(chunk []byte, end bool) error {
	m := nats.NewMsg(j.subject)
	m.Data = chunk
	m.Header.Set(headHolder, j.holder)
	if end {
		m.Header.Set(headEnd, "1")
	}
	began := time.Now()
	for wait := 50 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		m.Header.Set(headOffset, strconv.Itoa(j.kept))
		ctx, cancel := j.c.within(j.ctx, 5*time.Second)
		ack, err := j.c.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequencePerSubject(j.seq))
		cancel()
		if err == nil {
			j.seq, j.kept = ack.Sequence, j.kept+len(chunk)
			return nil
		}
		if overtaken(err) {
			switch ours, err := j.arrived(m); {
			case err != nil: // asked again below
			case ours:
				j.kept += len(chunk)
				return nil
			case j.seq == 0 && j.kept == 0: // the hub lost what it had: all of it is written again
				return nil
			default:
				return ErrFenced
			}
		}
		if j.c.denied.Err() != nil {
			return j.c.why(err)
		}
		if time.Since(began) > mostAway || j.c.nc.IsClosed() || !pause(j.ctx, wait) {
			return fmt.Errorf("the item's journal cannot be written: %w", err)
		}
	}
}

// overtaken reports that another message stands where ours was to follow.
func overtaken(err error) bool {
	refused, ok := errors.AsType[*jetstream.APIError](err)
	return ok && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// arrived finds out whether an earlier attempt at a write arrived although its acknowledgement did not.
func (j *Journal) arrived(m *nats.Msg) (bool, error) {
	ctx, cancel := context.WithTimeout(j.ctx, 5*time.Second)
	defer cancel()
	last, err := j.c.last(ctx, journalStream, j.subject)
	if errors.Is(err, errNoResult) {
		j.seq, j.kept = 0, 0
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if last.Header.Get(headHolder) == j.holder && last.Header.Get(headOffset) == m.Header.Get(headOffset) && bytes.Equal(last.Data, m.Data) {
		j.seq = last.Sequence
		return true, nil
	}
	return false, nil
}

// readJournal reads a journal, and the number of its last message, 0 where there is none. Its error is errForgotten where
// only the end was kept.
func (c *Conn) readJournal(ctx context.Context, subject string) (all []byte, last uint64, err error) {
	stream, err := c.stream(ctx, journalStream)
	if err != nil {
		return nil, 0, err
	}
	for {
		m, err := stream.GetMsg(ctx, last+1, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return all, last, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if last == 0 && m.Header.Get(headEnd) != "" {
			return nil, 0, errForgotten
		}
		last = m.Sequence
		offset, err := strconv.Atoi(m.Header.Get(headOffset))
		if err != nil || offset < 0 || offset > len(all) {
			return nil, 0, fmt.Errorf("%w: a gap before message %d", errDamaged, last)
		}
		if all = append(all[:offset], m.Data...); len(all) > mostPayload {
			return nil, 0, fmt.Errorf("%w: more than %d bytes", errDamaged, mostPayload)
		}
	}
}

// Journaled has an item done and returns its result, with the journal of that name that it left. A journal of that name
// that was forgotten begins anew.
func (p *Pool) Journaled(ctx context.Context, payload []byte, name string) (body, journal []byte, err error) {
	subject := journalSubject + string(p.kind) + "." + name
	if _, _, err := p.c.readJournal(ctx, subject); errors.Is(err, errForgotten) {
		if err := p.c.purge(ctx, journalStream, subject); err != nil {
			return nil, nil, err
		}
	}
	w, err := p.do(ctx, payload)
	if err == nil {
		err = w.err
	}
	if err != nil || w.journal == "" {
		return nil, nil, cmp.Or(err, errors.New("the item left no journal"))
	}
	for { // the hub may have gone behind its notice
		journal, _, err = p.c.readJournal(ctx, subject)
		if final := err == nil || errors.Is(err, errDamaged) || errors.Is(err, errForgotten); final || p.c.denied.Err() != nil ||
			p.c.nc.IsClosed() || !pause(ctx, 500*time.Millisecond) {
			break
		}
	}
	if err == nil && digest(journal) != w.journal {
		err = errors.New("the item's journal is not what its worker signed")
	}
	return w.body, journal, err
}

// SoFar has all items of the run stopped, and returns a journal as far as it got. It waits a few seconds for the
// worker to write down what it had.
func (p *Pool) SoFar(ctx context.Context, name string) ([]byte, error) {
	_ = p.halt()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	var all []byte
	for last, same := uint64(0), 0; ; {
		journal, seq, err := p.c.readJournal(ctx, journalSubject+string(p.kind)+"."+name)
		if err != nil {
			return all, err
		}
		all = journal
		if same++; seq != last {
			last, same = seq, 0
		}
		if same == 2 || !pause(ctx, 300*time.Millisecond) {
			return all, nil
		}
	}
}

// Forget removes a journal, once what it says is written down elsewhere. Its end stays, so that a former holder that wakes
// later learns of it.
func (p *Pool) Forget(ctx context.Context, name string) error {
	return p.c.purge(ctx, journalStream, journalSubject+string(p.kind)+"."+name, jetstream.WithPurgeKeep(1))
}

// purge removes what a stream holds on a subject.
func (c *Conn) purge(ctx context.Context, stream, subject string, but ...jetstream.StreamPurgeOpt) error {
	s, err := c.stream(ctx, stream)
	if err != nil {
		return err
	}
	return s.Purge(ctx, append(but, jetstream.WithPurgeSubject(subject))...)
}

// digest names a journal's content.
func digest(journal []byte) string {
	sum := sha256.Sum256(journal)
	return hex.EncodeToString(sum[:])
}
