package sandbox

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// hello is the first frame a worker gets; its environment is empty, so everything it must know is here.
type hello struct {
	Cache string `json:"cache"` // folder for the compiled interpreter and the unpacked snapshot, "" for none
}

// openRequest asks for a session with the memory image of a prelude that was prepared before.
type openRequest struct {
	Prelude string  `json:"prelude"` // key of the prelude, "" for none
	Memory  int64   `json:"memory"`
	Frozen  *frozen `json:"frozen,omitempty"`
}

// operations of the guest's enter function, see cpython/boot.py.
const (
	opPrelude = 0
	opSetup   = 1
	opCell    = 2
	opTidy    = 3
)

// runRequest asks for one step of a session.
type runRequest struct {
	Op     int           `json:"op"`
	Number int           `json:"number"`
	Steps  int64         `json:"steps"`
	Wall   time.Duration `json:"wall"` // 0 means no limit: a replay
	Output int           `json:"output"`
	// Halt makes the step stop, for the reason Why, at the very count where it was stopped the first time.
	Halt int64          `json:"halt,omitempty"`
	Why  trace.CellStop `json:"why,omitempty"`
	// Watch asks for what became of the variables.
	Watch bool `json:"watch,omitempty"`
}

// stopCancel is a stop that never leaves the package.
const stopCancel trace.CellStop = "cancel"

// outcome is what a worker says about one step.
type outcome struct {
	Stop   trace.CellStop `json:"stop,omitempty"`
	Halt   int64          `json:"halt,omitempty"` // the count at which a stop was ordered
	Error  *PyError       `json:"error,omitempty"`
	Total  int            `json:"total"`
	Steps  int64          `json:"steps"`
	Wall   time.Duration  `json:"wall"`
	Memory int64          `json:"memory"`
	Lost   string         `json:"lost,omitempty"` // why the instance is gone, "" when it lives
	Vars   []heap.Change  `json:"vars,omitempty"`
	Varied int            `json:"varied,omitempty"` // of how many variables Vars are the first
}
