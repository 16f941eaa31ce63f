package access

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Limits are what a server's clients may take.
type Limits struct {
	// Connections is how many may be open at once. When there are more, those without an admitted request are closed.
	Connections int
	// ReadTimeout is how long a request may take to arrive, with its body. Defaults to what the handler allows.
	ReadTimeout time.Duration
	// Grace is how long clients have for reading their answers when the server ends.
	Grace time.Duration
}

// Serve has a handler answer on l until ctx ends. Then end is called, which is to end what would otherwise go on for ever;
// clients that do not have their answer after the grace are cut off. The error is what failed before that. It closes l.
func Serve(ctx context.Context, l net.Listener, handler http.Handler, limits Limits, end func()) error {
	open := bound(l, limits.Connections)
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: limits.ReadTimeout, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, ConnState: note,
		ConnContext: func(ctx context.Context, c net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, c)
		},
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(open) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	end()
	open.closeIdle()
	closing, cancel := context.WithTimeout(context.Background(), limits.Grace)
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
