package runfile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// OtherVerdict is what the backend found out whose verdict does not count, where both judged a program.
type OtherVerdict struct {
	// Backend is its name: wasm or native.
	Backend string  `json:"backend"`
	Verdict Verdict `json:"verdict"`
	// Error is the exception that decided, in words.
	Error string `json:"error,omitempty"`
}

func (v OtherVerdict) String() string {
	text := v.Backend + " " + strings.ReplaceAll(string(v.Verdict), "_", " ")
	if v.Error != "" {
		text += " (" + v.Error + ")"
	}
	return text
}

// Difference is a program on which the backends differ.
type Difference struct {
	TaskID string `json:"task_id"`
	// Program is the control's name, and Sample the sample's number; one of them is there.
	Program string `json:"program,omitempty"`
	Sample  *int   `json:"sample,omitempty"`
	// Counts is the verdict that counts, Other the other one.
	Counts OtherVerdict `json:"counts"`
	Other  OtherVerdict `json:"other"`
}

func (d Difference) String() string {
	name := d.Program
	if d.Sample != nil {
		name = fmt.Sprintf("#%d", *d.Sample)
	}
	return fmt.Sprintf("%s %s: %v, which counts; %v", d.TaskID, name, d.Counts, d.Other)
}

// VerdictPair says how many programs got these verdicts.
type VerdictPair struct {
	Wasm     Verdict `json:"wasm"`
	Native   Verdict `json:"native"`
	Programs int     `json:"programs"`
}

// MostDifferences is how many differences a BackendComparison lists: programs that are judged are any number.
const MostDifferences = 10_000

// BackendComparison says on which programs two backends differ. Its zero value has seen none.
type BackendComparison struct {
	// Programs counts those that both judged, Alike those that got one verdict of both.
	Programs int `json:"programs"`
	Alike    int `json:"alike"`
	// Verdicts counts the programs by both verdicts.
	Verdicts []VerdictPair `json:"verdicts"`
	// Differences are the first MostDifferences of those that are not alike.
	Differences []Difference `json:"differences"`
}

// Add counts a program that both judged.
func (c *BackendComparison) Add(d Difference) {
	pair := VerdictPair{Wasm: d.Counts.Verdict, Native: d.Other.Verdict}
	if d.Other.Backend == "wasm" {
		pair.Wasm, pair.Native = pair.Native, pair.Wasm
	}
	order := func(a, b VerdictPair) int {
		return cmp.Or(cmp.Compare(a.Wasm, b.Wasm), cmp.Compare(a.Native, b.Native))
	}
	at, ok := slices.BinarySearchFunc(c.Verdicts, pair, order)
	if !ok {
		c.Verdicts = slices.Insert(c.Verdicts, at, pair)
	}
	c.Verdicts[at].Programs++
	c.Programs++
	if pair.Wasm == pair.Native {
		c.Alike++
	} else if len(c.Differences) < MostDifferences {
		c.Differences = append(c.Differences, d)
	}
}

// Differing counts the programs with two verdicts. A nil one has none.
func (c *BackendComparison) Differing() int {
	if c == nil {
		return 0
	}
	return c.Programs - c.Alike
}
