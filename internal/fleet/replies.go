package fleet

import (
	"context"
	"time"
)

// Reply is an entry of the fleet's cache of models' replies: it implements llm.Replies.
func (c *Conn) Reply(ctx context.Context, hash string) ([]byte, bool) {
	ctx, cancel := c.within(ctx, 2*time.Second)
	defer cancel()
	if !plainName(hash) {
		return nil, false
	}
	m, err := c.last(ctx, replyStream, replySubject+hash)
	if err != nil {
		return nil, false
	}
	return m.Data, true
}

// KeepReply gives a reply to all workers, where it is not too large for a message. It is not waited for: a reply that the hub
// does not get is asked for again.
func (c *Conn) KeepReply(_ context.Context, hash string, entry []byte) {
	if plainName(hash) && len(entry) <= mostInline {
		_ = c.nc.Publish(replySubject+hash, entry)
	}
}
