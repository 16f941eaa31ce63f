package access

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Serve has a server answer on l until ctx ends. Then end is called, which is to end what would otherwise go on for ever;
// who does not have their answer after the grace is cut off. The error is what failed before that. It closes l.
func Serve(ctx context.Context, server *http.Server, l net.Listener, grace time.Duration, end func()) error {
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	end()
	closing, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(closing)
	if err != nil {
		err = server.Close()
	}
	if why := <-failed; !errors.Is(why, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", why)
	}
	return err
}
