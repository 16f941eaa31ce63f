package fleet_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/hint"
)

// A role that does another's work is told so, and soon: NATS leaves a question that it does not allow without an answer.
func TestTheWrongKeyIsNamed(t *testing.T) {
	h := start(t, 0)
	as := func(role hub.Role) *fleet.Conn { return dial(t, h, role) }
	for name, do := range map[string]func() error{
		"a worker asks for the status": func() error {
			_, err := as(hub.RoleWorker).Status(t.Context())
			return err
		},
		"a worker sends an item": func() error {
			pool, err := as(hub.RoleWorker).Pool(fleet.KindJudge)
			if err != nil {
				return err
			}
			_, err = pool.Do(t.Context(), []byte("item"))
			return err
		},
		"a worker has others drain": func() error {
			work(t, h, "one", 1, echo)
			time.Sleep(100 * time.Millisecond)
			return as(hub.RoleWorker).Drain(t.Context(), "one")
		},
		"a coordinator works": func() error {
			return as(hub.RoleCoordinator).Work(t.Context(), fleet.Work{Name: "two", Slots: 1,
				Handlers: map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(boxFunc(echo))}})
		},
	} {
		began := time.Now()
		err := do()
		if err == nil || !strings.Contains(err.Error(), ".nk may not") ||
			!strings.Contains(hint.Of(err), "every other command keys/coordinator.nk") {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: only after %v", name, took)
		}
	}
}

func TestNoFleetIsThere(t *testing.T) {
	began := time.Now()
	for _, url := range []string{"nats://127.0.0.1:1", "nats://no-such-hub.invalid:4222"} {
		_, err := fleet.Dial(t.Context(), fleet.Options{URL: url, Build: build})
		if !errors.Is(err, fleet.ErrAway) || hint.Of(err) == "" || !strings.Contains(err.Error(), url) {
			t.Errorf("%v", err)
		}
	}
	h := start(t, 0)
	_, err := fleet.Dial(t.Context(), fleet.Options{URL: h.URL(), Build: build})
	if err == nil || errors.Is(err, fleet.ErrAway) || !strings.Contains(err.Error(), "wants a key") {
		t.Errorf("a hub that wants a key is there: %v", err)
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("only after %v", took)
	}
}
