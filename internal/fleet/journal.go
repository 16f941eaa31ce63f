package fleet

import (
	"bytes"
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

// errShut is of a journal that the item's coordinator has taken: the item is done, or stopped.
var errShut = fmt.Errorf("%w: its coordinator", ErrFenced)

// errDamaged is a journal that no worker of this build wrote.
var errDamaged = errors.New("a damaged journal")

// Headers of a journal's messages.
const (
	headHolder = "Deeprepo-Holder" // who wrote it
	headOffset = "Deeprepo-Offset" // where its bytes begin; what stood from there on is void
	headShut   = "Deeprepo-Shut"   // its coordinator has taken it, and nobody may write until it says so
)

// Journal is what is written down of an item while it is worked on: the file that a trace.Writer stands on, kept by the hub.
// What was flushed outlives the worker. It has one holder: each write names the message that it follows, so the first write
// of a new holder fences off the old one, whatever that believes (the fencing token is the message's number in the stream).
// The last holder is the coordinator: it shuts a journal whose result it takes, or whose item it has stopped.
type Journal struct {
	c       *Conn
	ctx     context.Context
	name    string
	subject string
	holder  string

	mu   sync.Mutex
	turn uint64 // which holder's it is: later ones have larger numbers
	seq  uint64 // of the last message on the subject
	all  []byte
	kept int // bytes of all that the hub has
	err  error
}

// openJournal takes a journal over, with what earlier holders left in it.
func (c *Conn) openJournal(ctx context.Context, kind Kind, name string) (*Journal, error) {
	j := &Journal{c: c, ctx: ctx, name: name, subject: journalSubject + string(kind) + "." + name, holder: rand.Text()}
	for {
		is, err := c.readJournal(ctx, j.subject)
		if err == nil && is.shut {
			err = errShut
		}
		if err != nil {
			return nil, fmt.Errorf("read the item's journal: %w", err)
		}
		j.all, j.seq, j.kept = is.all, is.last, len(is.all)
		err = j.publish(nil) // from now on it is ours
		if !errors.Is(err, ErrFenced) {
			j.turn = j.seq
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
		if err := j.publish(chunk); err != nil {
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
	return j.publish(nil)
}

// end says that the holder has nothing more to write, and that it still was the holder then. It returns the whole's digest.
func (j *Journal) end() (string, error) {
	for {
		if err := j.Flush(); err != nil {
			return "", err
		}
		j.mu.Lock()
		err := j.publish(nil)
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
func (j *Journal) publish(chunk []byte) error {
	m := nats.NewMsg(j.subject)
	m.Data = chunk
	m.Header.Set(headHolder, j.holder)
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
			switch ours, lost, err := j.arrived(m); {
			case err != nil: // asked again below
			case ours:
				j.kept += len(chunk)
				return nil
			case lost: // all of it is written again
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

// arrived finds out whether an earlier attempt at a write arrived although its acknowledgement did not, or the hub lost what
// it had.
func (j *Journal) arrived(m *nats.Msg) (ours, lost bool, err error) {
	ctx, cancel := context.WithTimeout(j.ctx, 5*time.Second)
	defer cancel()
	last, err := j.c.last(ctx, journalStream, j.subject)
	if errors.Is(err, errNoResult) {
		j.seq, j.kept = 0, 0
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	if last.Header.Get(headHolder) == j.holder && last.Header.Get(headOffset) == m.Header.Get(headOffset) && bytes.Equal(last.Data, m.Data) {
		j.seq = last.Sequence
		return true, false, nil
	}
	return false, false, nil
}

// written is what the hub has of a journal.
type written struct {
	all  []byte
	last uint64 // number of its last message, 0 where there is none
	shut bool
}

func (c *Conn) readJournal(ctx context.Context, subject string) (is written, err error) {
	stream, err := c.stream(ctx, journalStream)
	if err != nil {
		return is, err
	}
	for {
		m, err := stream.GetMsg(ctx, is.last+1, jetstream.WithGetMsgSubject(subject))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return is, nil
		}
		if err != nil {
			return is, err
		}
		is.last, is.shut = m.Sequence, m.Header.Get(headShut) != ""
		offset, err := strconv.Atoi(m.Header.Get(headOffset))
		if err != nil || offset < 0 || offset > len(is.all) {
			return is, fmt.Errorf("%w: a gap before message %d", errDamaged, is.last)
		}
		if is.all = append(is.all[:offset], m.Data...); len(is.all) > mostPayload {
			return is, fmt.Errorf("%w: more than %d bytes", errDamaged, mostPayload)
		}
	}
}

// digest names a journal's content.
func digest(journal []byte) string {
	sum := sha256.Sum256(journal)
	return hex.EncodeToString(sum[:])
}
