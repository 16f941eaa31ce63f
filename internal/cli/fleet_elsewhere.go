package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/reviews"
	"github.com/deeprepo/deeprepo/internal/fleet/rollout"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// onTheFleet is how many items a coordinator has under way at once: enough for what hundreds of slots do meanwhile.
const onTheFleet = 512

// coordinator is the side of a fleet that sends items of a kind.
type coordinator struct {
	*fleet.Conn
	app   *app
	url   string
	kind  fleet.Kind
	slots int // for such items, when it connected
}

// coordinate connects to the fleet that a flag or the configuration names; nil where none is named.
func (a *app) coordinate(ctx context.Context, named string, kind fleet.Kind, say func(string)) (*coordinator, error) {
	url, err := a.fleetURL(named)
	if err != nil || url == "" {
		return nil, err
	}
	conn, err := a.awaitFleet(ctx, url, "coordinator", say, 3*time.Second)
	if err != nil {
		return nil, err
	}
	slots, err := conn.Slots(ctx, kind)
	switch {
	case err != nil:
		return nil, exitError{exitOutside, fmt.Errorf("the fleet at %s: %w", url, err)}
	case slots == 0:
		say(fmt.Sprintf("no worker for items of kind %s is there yet: they wait until deeprepo fleet work is started somewhere", kind))
	default:
		say(fmt.Sprintf("the fleet at %s does items of kind %s, %d at once", url, kind, slots))
	}
	return &coordinator{conn, a, url, kind, slots}, nil
}

// carries has a pool's items count as the command's.
func (c *coordinator) carries(p *fleet.Pool) { c.app.onFleet(c.url, c.kind, p) }

// playedElsewhere has the rollouts of an eval played by a fleet, nil where none is named.
func (a *app) playedElsewhere(ctx context.Context, named string, say func(string)) (*rollout.Evals, error) {
	c, err := a.coordinate(ctx, named, fleet.KindRollout, say)
	if c == nil {
		return nil, err
	}
	evals := rollout.NewEvals(c.Conn, c.carries)
	a.closeLater(evals.Close)
	return evals, nil
}

// trainedElsewhere has a training's rollouts played by a fleet, nil where none is named. data is what its environment is opened with.
func (a *app) trainedElsewhere(ctx context.Context, named, data string, say func(string)) (*grpo.Machines, error) {
	c, err := a.coordinate(ctx, named, fleet.KindRollout, say)
	if c == nil {
		return nil, err
	}
	t, err := rollout.NewTrainings(ctx, c.Conn, data)
	if err != nil {
		return nil, exitError{exitOutside, err}
	}
	c.carries(t.Pool())
	a.closeLater(t.Close)
	return t.Machines(), nil
}

// reviewedElsewhere has reviews performed by a fleet, and says how many at once; nil where none is named.
func (a *app) reviewedElsewhere(ctx context.Context, named string, say func(string)) (review.Elsewhere, int, error) {
	c, err := a.coordinate(ctx, named, fleet.KindReview, say)
	if c == nil {
		return nil, 0, err
	}
	return reviews.Coordinator{Conn: c.Conn, Opened: c.carries}.Perform, max(2, c.slots), nil
}

// executor opens what runs programs, a fleet or the sandbox of this machine, and says how many it takes at once: workers, where
// that is not 0.
func (a *app) executor(ctx context.Context, named string, say func(string), workers int) (executor, int, error) {
	c, err := a.coordinate(ctx, named, fleet.KindJudge, say)
	switch {
	case err != nil:
		return nil, 0, err
	case c == nil:
		return a.programs(say, judges(workers)), judges(workers), nil
	}
	judge, err := c.Judge()
	if err != nil {
		return nil, 0, exitError{exitOutside, err}
	}
	c.carries(judge.Pool())
	a.closeLater(judge.Close)
	return judge, cmp.Or(workers, onTheFleet), nil
}
