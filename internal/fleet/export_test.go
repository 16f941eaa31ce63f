package fleet

import (
	"context"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"
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

// Silence has an item's worker say nothing of it any more, as one that is paused does.
func Silence(i *Item) { i.silent() }

// PurseOf is an item's, as its worker has it.
func PurseOf(ctx context.Context, c *Conn, run, key string) (money.USD, llm.Lender, error) {
	return (&Item{c: c, run: run, Key: key}).Purse(ctx)
}
