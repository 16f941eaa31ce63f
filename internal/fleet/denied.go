package fleet

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/nats-io/nats.go"
)

// ErrAway is in the error of [Dial] where no fleet answers yet: to wait may help.
var ErrAway = errors.New("no fleet answers")

// awayError is an ErrAway in other words.
type awayError struct{ error }

func (e awayError) Unwrap() error      { return e.error }
func (awayError) Is(target error) bool { return target == ErrAway }

// onDenial is told by NATS what this key may not do. It says so beside the answer, which then never comes.
func (c *Conn) onDenial(o Options) nats.ErrHandler {
	return func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if !errors.Is(err, nats.ErrPermissionViolation) {
			return
		}
		who := "without a key nobody may"
		if o.KeyFile != "" {
			who = "the key in " + o.KeyFile + " may not"
		}
		c.deny(hint.Wrap(fmt.Errorf("%s do this at the fleet: %w", who, err),
			"fleet work needs the hub's keys/worker.nk, every other command keys/coordinator.nk: name it in DEEPREPO_FLEET_KEY or fleet_key"))
	}
}

// onClose is told that the connection is over for good: by Close, or because the hub does not know the key any more.
func (c *Conn) onClose(o Options) nats.ConnHandler {
	return func(nc *nats.Conn) {
		if err := nc.LastError(); errors.Is(err, nats.ErrAuthorization) {
			err = refused(o, err)
			c.deny(err)
			c.lose(err)
		}
	}
}

// within bounds a question to the hub: it ends with ctx, after d, or when the hub does not allow it.
func (c *Conn) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	stop := context.AfterFunc(c.denied, cancel)
	return ctx, func() { stop(); cancel() }
}

// why is the better reason for err: that the hub does not allow it, if it said so.
func (c *Conn) why(err error) error {
	if denied := context.Cause(c.denied); err != nil && denied != nil {
		return denied
	}
	return err
}
