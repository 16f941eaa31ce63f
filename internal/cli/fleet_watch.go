package cli

import (
	"context"
	"errors"
	"sync"

	"github.com/deeprepo/deeprepo/internal/fleet"
)

// fleetWatch asks a fleet what it does, again and again, however often its hub goes and comes.
type fleetWatch struct {
	a   *app
	url string

	mu   sync.Mutex
	conn *fleet.Conn
}

// watchFleet begins to watch the fleet that was named on the command line, or else in the configuration; nil where none is.
// A hub that is away is waited for. One that was named on the command line and refuses is an error.
func (a *app) watchFleet(ctx context.Context, named string) (*fleetWatch, error) {
	url, err := a.fleetURL(named)
	if err != nil || url == "" {
		return nil, err
	}
	w := &fleetWatch{a: a, url: url}
	a.closeLater(func() error { w.close(); return nil })
	if _, err := w.status(ctx); err != nil {
		if named != "" && !errors.Is(err, fleet.ErrAway) {
			return nil, exitError{exitOutside, err}
		}
		a.say("the page of the fleet has nothing to show yet: " + err.Error())
	}
	return w, nil
}

// status is what the fleet does. After an error it connects anew: the hub may be another one by then.
func (w *fleetWatch) status(ctx context.Context) (fleet.Status, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn == nil {
		conn, err := w.a.connectFleet(ctx, w.url, "ui", func(string) {})
		if err != nil {
			return fleet.Status{}, err
		}
		w.conn = conn
	}
	s, err := w.conn.Status(ctx)
	if err != nil {
		w.conn.Close()
		w.conn = nil
	}
	return s, err
}

func (w *fleetWatch) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.conn != nil {
		w.conn.Close()
	}
}
