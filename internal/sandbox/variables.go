package sandbox

import (
	"errors"
	"maps"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox/heap"
)

// findLandmarks asks a fresh interpreter where its types are. All instances continue from its image, so reported
// objects do not move.
func (in *interpreter) findLandmarks() (heap.Landmarks, error) {
	base, err := in.base()
	if err != nil {
		return heap.Landmarks{}, err
	}
	g, err := in.instantiate(base, 0)
	if err != nil {
		return heap.Landmarks{}, err
	}
	defer g.close()
	limits := Limits{Wall: time.Minute}.withDefaults()
	o, out := g.run(runRequest{Op: opCell, Number: 1, Steps: limits.Steps, Wall: limits.Wall, Output: limits.OutputBytes},
		[]byte(heap.LandmarkCell))
	if o.Lost != "" || o.Error != nil || o.Stop != "" {
		return heap.Landmarks{}, errors.New("the interpreter did not say where its types are")
	}
	return heap.ParseLandmarks(string(out))
}

// look gives the variables as they are before a step, and forgets them: the step may change them.
func (g *instance) look(q runRequest) (before map[string]heap.Mark, err error) {
	before, g.seen = g.seen, nil
	if q.Watch && before == nil {
		before, err = g.marks()
	}
	return before, err
}

func (g *instance) marks() (map[string]heap.Mark, error) {
	landmarks, err := g.landmarks()
	if err != nil {
		return nil, err
	}
	return landmarks.Look(g.memory()), nil
}

// memory is the guest's, as long as it does not run.
func (g *instance) memory() []byte {
	mem, _ := g.mod.Memory().Read(0, g.mod.Memory().Size())
	return mem
}

// compare puts what a step changed into its outcome.
func (g *instance) compare(before map[string]heap.Mark, o *outcome) {
	after, err := g.marks()
	if err != nil {
		return
	}
	landmarks, _ := g.landmarks() // they are known: after was made with them
	if g.seen = after; !maps.Equal(before, after) {
		o.Vars, o.Varied = landmarks.Changes(g.memory(), before, after, maxChanges)
	}
}
