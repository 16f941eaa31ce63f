//go:build unix

package cli

import (
	"encoding/json"
	"testing"

	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// A training whose rollouts a fleet plays leaves the weights of one machine's, and its directory says who played them.
func TestATrainingOnAFleet(t *testing.T) {
	p := newFleet(t)
	p.must(training("--out", "alone")...)
	p.hub()
	p.worker("one")
	p.end(p.begin(p.fleetCommand("coordinator", training("--out", "fleet", "--fleet", p.url)...)))
	p.sameWeights("alone", "fleet")

	if items := p.onWorker("fleet", "one", "rollout"); items != 5 { // a task in each of three steps, and one before and after
		t.Errorf("%d items", items)
	}
	if shown := string(p.must("show", "fleet")); shown != "items of the fleet by worker: one 5\n" {
		t.Errorf("show says %q", shown)
	}
	run, err := view.Open(p.path("fleet"))
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	header, err := run.Get("")
	if err != nil {
		t.Fatal(err)
	}
	if h := header.(doc.Header); h.Kind != doc.Training || h.Fleet == nil || len(h.Fleet.Workers) != 1 {
		text, _ := json.Marshal(h)
		t.Errorf("the page says %s", text)
	}
}
