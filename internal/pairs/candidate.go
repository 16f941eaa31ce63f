package pairs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Kinds of sources.
const (
	fromSamples   = "samples"
	fromMutants   = "mutants"
	fromRejects   = "dataset"
	fromReference = "reference"
)

// candidate is a program of a task, judged or to be judged.
type candidate struct {
	task   int // in the set
	code   string
	kind   string
	origin runfile.PairOrigin
	// parent is the chosen program that a mutant was made of.
	parent *candidate
	result *Scored
}

// Scored is what all tests of a task said about a program.
type Scored runfile.PairOutcome

// score is the weighted share of tests passed. A task without a kind of tests is scored by the others.
func (s *Scored) score(w runfile.PairWeights) float64 {
	sum, of := 0.0, 0.0
	for _, part := range []struct {
		outcomes string
		weight   float64
	}{{s.Public, w.Public}, {s.Hidden, w.Hidden}, {s.Mutated, w.Mutated}} {
		if part.outcomes == "" {
			continue
		}
		sum += part.weight * float64(ones(part.outcomes)) / float64(len(part.outcomes))
		of += part.weight
	}
	if of == 0 {
		return 0
	}
	return sum / of
}

// given reports a program that passes all tests of the dataset, and all one that passes the mutated ones, too.
func (s *Scored) given() bool {
	return ones(s.Public) == len(s.Public) && ones(s.Hidden) == len(s.Hidden) && len(s.Public)+len(s.Hidden) > 0
}
func (s *Scored) all() bool { return s.given() && ones(s.Mutated) == len(s.Mutated) }

// shapeless reports a program that fails before any test can say anything about what it computes.
func (s *Scored) shapeless() bool {
	switch s.Verdict {
	case sandbox.SyntaxError, sandbox.NoEntryPoint, sandbox.Empty:
		return true
	}
	return false
}

func ones(outcomes string) int {
	n := 0
	for i := range len(outcomes) {
		n += int(outcomes[i] - '0')
	}
	return n
}

// testHash identifies what judges a task.
func testHash(t dataset.Task) string {
	b, err := json.Marshal([]any{t.Entry, t.Names, t.Setup, t.Judge, t.Tests, t.Cases})
	if err != nil {
		panic(err) // plain data
	}
	return hash(string(b))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
