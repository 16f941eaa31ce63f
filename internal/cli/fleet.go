package cli

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/reviews"
	"github.com/deeprepo/deeprepo/internal/fleet/rollout"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
	"github.com/spf13/cobra"
)

// The variables that say who speaks to a fleet. Credentials are never taken from a command line, which everybody can read.
const (
	envFleetKey = "DEEPREPO_FLEET_KEY"
	envFleetCA  = "DEEPREPO_FLEET_CA"
)

func (a *app) fleetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet",
		Short: "Many machines: a hub, workers that take its items, what they do",
		Long: `Spread work over machines. A hub holds the queues, workers take items out of them, and the same commands as ever send
them: code verify, code eval, code rescore, pairs build and pairs audit with --fleet. What comes out is what one machine
would have given.

The hub makes a key for each role at its first start. Copy worker.nk to the machines that work and coordinator.nk to those
that send, and name the file there: ` + envFleetKey + `, or fleet_key in deeprepo.toml. It never goes on a command line.`,
		Example: `  deeprepo fleet hub --store hub                       # prints its address
  DEEPREPO_FLEET_KEY=hub/keys/worker.nk deeprepo fleet work --fleet nats://127.0.0.1:4222
  DEEPREPO_FLEET_KEY=hub/keys/coordinator.nk deeprepo code verify humaneval --samples s.jsonl --fleet nats://127.0.0.1:4222
  DEEPREPO_FLEET_KEY=hub/keys/coordinator.nk deeprepo fleet status --fleet nats://127.0.0.1:4222`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(a.fleetHub(), a.fleetKey(), a.fleetWork(), a.fleetStatus(), a.fleetDrain())
	return cmd
}

// fleetFlag adds --fleet.
func fleetFlag(cmd *cobra.Command, url *string, what string) {
	cmd.Flags().StringVar(url, "fleet", "",
		what+": nats://HOST:PORT as fleet hub prints it (default: the configuration's, else this machine alone)")
}

// fleetURL is the fleet that was named, "" for none.
func (a *app) fleetURL(named string) (string, error) {
	c, err := readConfig(a.configFile)
	return cmp.Or(named, c.Fleet), err
}

// dialFleet connects to the fleet at url until the program ends.
func (a *app) dialFleet(ctx context.Context, url, name string, say func(string)) (*fleet.Conn, error) {
	conn, err := a.connectFleet(ctx, url, name, say)
	if err == nil {
		a.closeLater(func() error { conn.Close(); return nil })
	}
	return conn, err
}

// connectFleet is dialFleet for who closes the connection.
func (a *app) connectFleet(ctx context.Context, url, name string, say func(string)) (*fleet.Conn, error) {
	c, err := readConfig(a.configFile)
	if err != nil {
		return nil, err
	}
	if url = cmp.Or(url, c.Fleet); url == "" {
		return nil, usageError{errors.New("no fleet is named"), "--fleet nats://HOST:PORT, or fleet in deeprepo.toml"}
	}
	build, err := fleetBuild()
	if err != nil {
		return nil, err
	}
	conn, err := fleet.Dial(ctx, fleet.Options{
		URL: url, KeyFile: cmp.Or(a.getenv(envFleetKey), c.FleetKey), CAFile: cmp.Or(a.getenv(envFleetCA), c.FleetCA),
		Name: "deeprepo " + name, Build: build, Version: version(), Trouble: say,
	})
	if err != nil {
		return nil, exitError{exitOutside, err}
	}
	return conn, nil
}

// awaitFleet is dialFleet for who can wait for a hub that starts or restarts.
func (a *app) awaitFleet(ctx context.Context, url, name string, say func(string), patience time.Duration) (*fleet.Conn, error) {
	began, told := time.Now(), time.Time{}
	for {
		conn, err := a.dialFleet(ctx, url, name, say)
		if !errors.Is(err, fleet.ErrAway) || time.Since(began) > patience {
			return conn, err
		}
		if time.Since(told) > time.Minute {
			say(err.Error() + "; waiting for it")
			told = time.Now()
		}
		select {
		case <-time.After(500 * time.Millisecond):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// fleetBuild says which program this is, so that only like works with like: a release by its name, any other build by the
// program's own bytes.
func fleetBuild() (string, error) {
	if v := version(); strings.HasPrefix(v, "v") && !strings.ContainsAny(v, "-+") {
		return v, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("which build this is: %w", err)
	}
	f, err := os.Open(exe)
	if err != nil {
		return "", fmt.Errorf("which build this is: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("which build this is: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// onTheFleet is how many programs a coordinator has under way at once: enough for what hundreds of slots do meanwhile.
const onTheFleet = 512

// coordinate connects to a fleet as who sends items of a kind.
func (a *app) coordinate(ctx context.Context, url string, kind fleet.Kind, say func(string)) (*fleet.Conn, error) {
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
	return conn, nil
}

// playedElsewhere has an eval's rollouts played by the fleet at url, nil where none is named.
func (a *app) playedElsewhere(ctx context.Context, url string, say func(string)) (*rollout.Evals, error) {
	url, err := a.fleetURL(url)
	if err != nil || url == "" {
		return nil, err
	}
	conn, err := a.coordinate(ctx, url, fleet.KindRollout, say)
	if err != nil {
		return nil, err
	}
	evals := rollout.NewEvals(conn, func(p *fleet.Pool) { a.onFleet(url, fleet.KindRollout, p) })
	a.closeLater(evals.Close)
	return evals, nil
}

// trainedElsewhere has a training's rollouts played by the fleet at url, nil where none is named.
func (a *app) trainedElsewhere(ctx context.Context, url string, say func(string)) (*grpo.Machines, error) {
	url, err := a.fleetURL(url)
	if err != nil || url == "" {
		return nil, err
	}
	conn, err := a.coordinate(ctx, url, fleet.KindRollout, say)
	if err != nil {
		return nil, err
	}
	t, err := rollout.NewTrainings(conn)
	if err != nil {
		return nil, exitError{exitOutside, err}
	}
	a.onFleet(url, fleet.KindRollout, t.Pool())
	a.closeLater(t.Close)
	return t.Machines(), nil
}

// reviewedElsewhere has reviews performed by the fleet at url, and says how many at once; nil where none is named.
func (a *app) reviewedElsewhere(ctx context.Context, url string, say func(string)) (review.Elsewhere, int, error) {
	url, err := a.fleetURL(url)
	if err != nil || url == "" {
		return nil, 0, err
	}
	conn, err := a.coordinate(ctx, url, fleet.KindReview, say)
	if err != nil {
		return nil, 0, err
	}
	slots, err := conn.Slots(ctx, fleet.KindReview)
	opened := func(p *fleet.Pool) { a.onFleet(url, fleet.KindReview, p) }
	return reviews.Coordinator{Conn: conn, Opened: opened}.Perform, max(2, slots), err
}

// executor opens what runs programs, the fleet at url or the sandbox of this machine, and says how many it takes at once:
// workers, where that is not 0.
func (a *app) executor(ctx context.Context, url string, say func(string), workers int) (executor, int, error) {
	url, err := a.fleetURL(url)
	if err != nil || url == "" {
		return a.programs(say, judges(workers)), judges(workers), err
	}
	conn, err := a.coordinate(ctx, url, fleet.KindJudge, say)
	if err != nil {
		return nil, 0, err
	}
	judge, err := conn.Judge()
	if err != nil {
		return nil, 0, exitError{exitOutside, err}
	}
	a.onFleet(url, fleet.KindJudge, judge.Pool())
	a.closeLater(judge.Close)
	return judge, cmp.Or(workers, onTheFleet), nil
}
