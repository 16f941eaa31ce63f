package runfile_test

import (
	"fmt"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

// TestBackendComparison counts programs by both verdicts, whichever of them counts, and lists those that differ, up to a bound.
func TestBackendComparison(t *testing.T) {
	var c runfile.BackendComparison
	add := func(id string, counts, other runfile.OtherVerdict) {
		c.Add(runfile.Difference{TaskID: id, Program: "canonical", Counts: counts, Other: other})
	}
	wasm := func(v runfile.Verdict, why string) runfile.OtherVerdict {
		return runfile.OtherVerdict{Backend: "wasm", Verdict: v, Error: why}
	}
	jailed := func(v runfile.Verdict, why string) runfile.OtherVerdict {
		return runfile.OtherVerdict{Backend: "native", Verdict: v, Error: why}
	}
	add("a", wasm("passed", ""), jailed("passed", ""))
	add("b", wasm("failed", "ImportError: x"), jailed("passed", ""))
	add("c", jailed("passed", ""), wasm("failed", "ImportError: y"))
	add("d", jailed("failed", "E"), wasm("failed", "F"))
	want := runfile.BackendComparison{Programs: 4, Alike: 2, Verdicts: []runfile.VerdictPair{
		{Wasm: "failed", Native: "failed", Programs: 1}, {Wasm: "failed", Native: "passed", Programs: 2},
		{Wasm: "passed", Native: "passed", Programs: 1},
	}}
	want.Differences = c.Differences
	if diff := cmp.Diff(want, c); diff != "" || c.Differing() != 2 || len(c.Differences) != 2 {
		t.Errorf("%d of %+v: %s", c.Differing(), c.Differences, diff)
	}
	if got := c.Differences[1].String(); got != "c canonical: native passed, which counts; wasm failed (ImportError: y)" {
		t.Error(got)
	}
	for i := range runfile.MostDifferences {
		add(fmt.Sprint(i), wasm("no_entry_point", ""), jailed("passed", ""))
	}
	if c.Differing() != runfile.MostDifferences+2 || len(c.Differences) != runfile.MostDifferences {
		t.Errorf("%d differ, %d are listed", c.Differing(), len(c.Differences))
	}
	if (*runfile.BackendComparison)(nil).Differing() != 0 {
		t.Error("no comparison, but differences")
	}
}
