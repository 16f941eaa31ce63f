package rundir

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Stopped is a command over many parts (an eval's rollouts, a bench's runs) that did not come to its end. What was done
// is saved in Dir.
type Stopped struct {
	What        string // "eval"
	Parts       string // what it consists of: "rollouts"
	Dir         string
	Why         string
	Done, Total int // parts
	// Budget says that the money ran out.
	Budget bool
	Cause  error
}

func (s *Stopped) Error() string {
	return fmt.Sprintf("the %s is not complete, %d of %d %s are done: %s", s.What, s.Done, s.Total, s.Parts, s.Why)
}

func (s *Stopped) Unwrap() error { return s.Cause }

// Hint says how to continue.
func (s *Stopped) Hint() string {
	if s.Budget {
		return fmt.Sprintf("deeprepo resume %s --budget USD continues with a larger budget", s.Dir)
	}
	next := fmt.Sprintf("deeprepo resume %s continues from here; finished %s are not repeated and nothing is paid for twice", s.Dir, s.Parts)
	if s.Done == 0 {
		next = fmt.Sprintf("deeprepo resume %s begins with the first of the %s", s.Dir, s.Parts)
	}
	return hint.Then(s.Cause, next)
}
