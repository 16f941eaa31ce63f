package fleet

import (
	"bytes"
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
	"go.opentelemetry.io/otel/trace"
)

// Sealed is a result of an item as whoever has that token and that key would make it.
func Sealed(t *testing.T, item *nats.Msg, body []byte, token string, key nkeys.KeyPair) *nats.Msg {
	t.Helper()
	m, err := result{key: item.Header.Get(headKey), worker: "somebody", status: statusDone, settled: true, body: body}.seal("", token, key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Opened reads a result as a coordinator does.
func Opened(h nats.Header, body []byte, signers []string) error {
	_, _, err := opened(h, body, signers)
	return err
}

// WorkSpan is the span of a worker's item that came with that trace.
func WorkSpan(ctx context.Context, header string) trace.Span {
	_, span := (&worker{Work: Work{Name: "one"}}).workSpan(ctx, nats.Header{headTrace: {header}}, KindJudge, "key", 1)
	return span
}

// Silence has an item's worker say nothing of it any more, as one that is paused does.
func Silence(i *Item) { i.silent() }

var turns atomic.Uint64

// PurseOf is what an item has leased, and who lends it more.
func PurseOf(ctx context.Context, c *Conn, run, key, worker string) (money.USD, llm.Lender, error) {
	l := &lender{c: c, run: run, key: key, worker: worker, turn: turns.Add(1)}
	held, _, err := l.take(ctx)
	return held, l, err
}

// Past is what a journal holds.
func (j *Journal) Past() []byte { return bytes.Clone(j.all) }

// Verdict is a verdict on a program as a worker of that build with that key would keep it.
func Verdict(t testing.TB, build string, p sandbox.Program, body []byte, key nkeys.KeyPair) *nats.Msg {
	t.Helper()
	r := result{key: (&Conn{state: state{Build: build}}).verdictKey(p), worker: "somebody", status: statusDone, settled: true, body: body}
	m, err := r.seal(verdictSubject+r.key, "", key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// VerdictOf reads a verdict as a worker does.
func VerdictOf(h nats.Header, data []byte, signers []string) (string, sandbox.Judgement, bool) {
	return verdictOf(h, data, signers)
}

// FrozenAtStore is a connection of a worker that freezes when it stores a result first, until wake is closed.
func FrozenAtStore(c *Conn, frozen chan<- struct{}, wake <-chan struct{}) *Conn {
	c.key = &freezing{KeyPair: c.key, frozen: frozen, wake: wake}
	return c
}

type freezing struct {
	nkeys.KeyPair
	once   sync.Once
	frozen chan<- struct{}
	wake   <-chan struct{}
}

// Sign signs what is stored.
func (f *freezing) Sign(input []byte) ([]byte, error) {
	f.once.Do(func() {
		close(f.frozen)
		<-f.wake
	})
	return f.KeyPair.Sign(input)
}

// OpenLate opens the journal of a rollout as who found it empty, and was frozen while others did what they did.
func OpenLate(ctx context.Context, c *Conn, name string) error {
	j := &Journal{c: c, ctx: ctx, name: name, subject: journalSubject + string(KindRollout) + "." + name, holder: "late"}
	return j.publish(nil)
}
