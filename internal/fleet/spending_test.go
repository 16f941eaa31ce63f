package fleet_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A status says what runs spend: those that spent last, which a coordinator may ask for.
func TestAStatusSaysWhatRunsSpend(t *testing.T) {
	h := start(t, time.Minute)
	workers, coordinator := dial(t, h, hub.RoleWorker), dial(t, h, hub.RoleCoordinator)
	status, err := coordinator.Status(t.Context())
	if err != nil || status.Runs == nil || len(status.Runs) != 0 {
		t.Fatalf("%+v, %v", status.Runs, err)
	}
	for i := range 25 {
		if _, err := coordinator.OpenPurse(t.Context(), fmt.Sprintf("old-%d", i), new(money.USD(1000)), 0, nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := coordinator.OpenPurse(t.Context(), "run", new(money.USD(1000)), 300, nil); err != nil {
		t.Fatal(err)
	}
	_, from, err := fleet.PurseOf(t.Context(), workers, "run", "item", "one")
	if err != nil {
		t.Fatal(err)
	}
	lent, err := from.Lend(t.Context(), 50, false)
	if err != nil {
		t.Fatal(err)
	}
	status, err = coordinator.Status(t.Context())
	if err != nil || len(status.Runs) != 20 {
		t.Fatalf("%d runs, %v", len(status.Runs), err)
	}
	want := fleet.RunMoney{Run: "run", Cap: 1000, Spent: 300, Leased: lent, Items: 1}
	if diff := cmp.Diff(want, status.Runs[0], cmpopts.IgnoreTypes(time.Time{})); diff != "" || status.Runs[0].At.IsZero() {
		t.Errorf("at %v (-want +got):\n%s", status.Runs[0].At, diff)
	}
}
