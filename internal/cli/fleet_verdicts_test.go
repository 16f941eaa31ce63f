//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// timed are the seconds of each program of a run that no clock ended, by its text.
func (p *fleetProgram) timed(run string) map[string]float64 {
	p.t.Helper()
	text, err := os.ReadFile(p.path(run, codeeval.ResultsName))
	if err != nil {
		p.t.Fatal(err)
	}
	took := map[string]float64{}
	for line := range bytes.Lines(text) {
		var r runfile.CodeResult
		if err := json.Unmarshal(line, &r); err != nil {
			p.t.Fatal(err)
		}
		if !r.Clock && r.Completion != nil {
			took[*r.Completion] = r.Seconds
		}
	}
	return took
}

// A file that is verified again, in another order and so in other batches, on another worker, has the verdicts of one machine, most of
// them without a run: no two runs of a program take the same nanoseconds. When the hub has forgotten them they are found again.
func TestAFleetRemembersVerdicts(t *testing.T) {
	p := newFleet(t)
	hub := p.hub()
	first := p.worker("first")
	p.end(p.verify())
	p.sameAsAlone()
	before := p.timed("fleet")

	p.interrupt(first)
	p.worker("second")
	text, err := os.ReadFile(p.path("samples.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.Collect(bytes.Lines(text))
	slices.Reverse(lines)
	p.write("samples.jsonl", string(bytes.Join(lines, nil)))
	again := func() (known int) {
		t.Helper()
		for _, run := range []string{"fleet", "alone"} {
			if err := os.RemoveAll(p.path(run)); err != nil {
				t.Fatal(err)
			}
		}
		p.end(p.verify())
		p.sameAsAlone()
		for code, took := range p.timed("fleet") {
			if before[code] == took {
				known++
			}
		}
		return known
	}
	if n := again(); n < len(before)*9/10 {
		t.Errorf("%d of %d verdicts were known", n, len(before))
	}

	p.interrupt(hub)
	if err := os.RemoveAll(p.path("hub", "jetstream", "jetstream", "$G", "streams", "deeprepo_verdicts")); err != nil {
		t.Fatal(err)
	}
	var even, odd [][]byte // other batches, once more
	for i, line := range lines {
		if i%2 == 0 {
			even = append(even, line)
		} else {
			odd = append(odd, line)
		}
	}
	p.write("samples.jsonl", string(bytes.Join(append(even, odd...), nil)))
	p.hub()
	if n := again(); n > len(before)/10 {
		t.Errorf("%d of %d verdicts are known that were forgotten", n, len(before))
	}
}
