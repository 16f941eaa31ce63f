package sandbox

import (
	"context"
	"errors"
)

// persist repeats work whose worker ended under it: however often that was killed for the sake of others, but only once
// where it died by itself. ready, which may be nil, prepares each attempt; its errors are final.
func persist(ctx context.Context, ready, work func() error) error {
	for deaths := 0; ; {
		if ready != nil {
			if err := ready(); err != nil {
				return err
			}
		}
		err := work()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, errDied):
			if deaths++; deaths == 2 {
				return err
			}
		case !errors.Is(err, errLost):
			return err
		}
	}
}
