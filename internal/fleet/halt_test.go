package fleet_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
)

// TestARunThatIsStoppedUpsetsNoOther: a run is stopped while its item and one of another run are under way. More is done, and then
// the worker of the other one falls silent: its item is handed to somebody else. (A purge of the queue by subject makes the server
// 2.15.2 forget it.)
func TestARunThatIsStoppedUpsetsNoOther(t *testing.T) {
	h := start(t, time.Second)
	begun, end, handed := make(chan string, 4), make(chan struct{}), make(chan string, 4)
	defer close(end)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	var frozen atomic.Pointer[fleet.Item]
	handle := func(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
		switch payload := string(i.Payload); payload {
		case "frozen":
			if frozen.CompareAndSwap(nil, i) {
				begun <- payload
				<-end
			} else {
				handed <- payload
			}
		case "stopped":
			begun <- payload
			<-ctx.Done()
			return fleet.Output{}, ctx.Err()
		}
		return fleet.Output{Settled: true}, nil
	}
	other, stopped, more := resumable(t, h, "other"), resumable(t, h, "stopped"), resumable(t, h, "more")
	defer more.Close()
	offer(t, h, "one", handle)
	go func() { _, _ = other.Do(ctx, []byte("frozen")) }()
	<-begun
	offer(t, h, "two", handle)
	go func() { _, _ = stopped.Do(ctx, []byte("stopped")) }()
	<-begun
	if err := stopped.Close(); err != nil {
		t.Fatal(err)
	}
	status, err := dial(t, h, hub.RoleCoordinator).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range status.Queues {
		if q.Kind == fleet.KindRollout && q.Waiting+uint64(q.Running) != 1 {
			t.Errorf("%d wait and %d run, where one item is left", q.Waiting, q.Running)
		}
	}
	for _, payload := range []string{"a", "b", "c"} {
		if _, err := more.Do(t.Context(), []byte(payload)); err != nil {
			t.Fatal(err)
		}
	}
	fleet.Silence(frozen.Load())
	select {
	case <-handed:
	case <-time.After(10 * time.Second):
		t.Error("the item that was under way is handed to nobody")
	}
}
