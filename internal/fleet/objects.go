package fleet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go"
)

// lay puts a payload that does not fit a message aside and returns its name there, "" for one that fits.
func (c *Conn) lay(ctx context.Context, name string, payload []byte) (string, error) {
	switch {
	case len(payload) > mostPayload:
		return "", fmt.Errorf("a payload of %d bytes: at most %d", len(payload), mostPayload)
	case len(payload) <= mostInline:
		return "", nil
	}
	return name, c.put(ctx, name, payload)
}

// put keeps an object, however long a server is away.
func (c *Conn) put(ctx context.Context, name string, content []byte) error {
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		once, cancel := c.within(ctx, time.Minute)
		_, err := c.objects.PutBytes(once, name, content)
		cancel()
		if err == nil {
			return nil
		}
		if c.denied.Err() != nil || c.nc.IsClosed() || !pause(ctx, wait) {
			return c.why(err)
		}
	}
}

// payload is what a message carries, itself or by name.
func (c *Conn) payload(ctx context.Context, h nats.Header, data []byte) ([]byte, error) {
	name := h.Get(headObject)
	if name == "" {
		return data, nil
	}
	return c.object(ctx, name)
}

// object is what was put aside under a name.
func (c *Conn) object(ctx context.Context, name string) ([]byte, error) {
	object, err := c.objects.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	var b bytes.Buffer
	n, err := io.Copy(&b, io.LimitReader(object, mostPayload+1))
	if err == nil && n > mostPayload {
		err = fmt.Errorf("a payload of more than %d bytes", mostPayload)
	}
	return b.Bytes(), err
}
