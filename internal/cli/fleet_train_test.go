//go:build unix

package cli

import (
	"encoding/json"
	"testing"

	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// A training whose rollouts a fleet plays leaves the weights of one machine's, and its directory says who played them:
// in generated codebases, and in those of a file.
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

	// The file with the codebases travels: a worker is not told its path.
	p.write("codebases.json", `[{"name": "two", "codebase": {"a.py": "import b\n\ndef f(x):\n    return eval(x)\n", "b.py": "y = 1\n"},
		"file_tree": "a.py\nb.py", "metadata": {"total_files": 2, "total_chars": 50, "entry_points": ["a.py"]},
		"ground_truth_findings": ["eval of what comes in", "y is never used"]}]`)
	data := []string{"--env", "orchestration-v1", "--data", "codebases.json"}
	p.must(training(append(data, "--out", "alone-data")...)...)
	p.end(p.begin(p.fleetCommand("coordinator", training(append(data, "--out", "fleet-data", "--fleet", p.url)...)...)))
	p.sameWeights("alone-data", "fleet-data")
	p.onWorker("fleet-data", "one", "rollout")

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
