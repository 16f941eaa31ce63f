package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/fleet/metrics"
	"github.com/deeprepo/deeprepo/internal/fleet/reviews"
	"github.com/deeprepo/deeprepo/internal/fleet/rollout"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/spf13/cobra"
)

// fleetWorkFlags are the flags of fleet work.
type fleetWorkFlags struct {
	url, name, metrics string
	slots              int
	kinds              []string
}

func (a *app) fleetWork() *cobra.Command {
	var f fleetWorkFlags
	cmd := &cobra.Command{
		Use:   "work",
		Short: "Take items from a hub and do them, until Ctrl-C or fleet drain",
		Long: `Do a fleet's items on this machine. Ctrl-C or fleet drain lets the running items end and takes no more; a second Ctrl-C
ends at once, and other workers get what was running. Where no hub answers yet, it waits for one.

Rollouts and reviews ask models with the keys of this machine, which never leave it. They mostly wait for replies: give
them more slots than processors.`,
		Example: `  DEEPREPO_FLEET_KEY=worker.nk deeprepo fleet work --fleet nats://hub:4222
  deeprepo fleet work --fleet tls://hub:4222 --slots 4 --name big-machine`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runFleetWork(cmd, f) },
	}
	var kinds []string
	for _, k := range fleet.Kinds() {
		kinds = append(kinds, string(k))
	}
	fleetFlag(cmd, &f.url, "the hub to work for")
	fl := cmd.Flags()
	fl.IntVar(&f.slots, "slots", 0, "items of each kind done at once (default: one per processor)")
	fl.StringVar(&f.name, "name", "", "this worker's name, unique in the fleet (default: the host's name and a random end)")
	fl.StringSliceVar(&f.kinds, "kinds", kinds, "kinds of items to do")
	complete(cmd, "kinds", kinds...)
	metricsFlag(cmd, &f.metrics)
	return cmd
}

func (a *app) runFleetWork(cmd *cobra.Command, f fleetWorkFlags) error {
	switch {
	case f.slots < 0:
		return usageError{errors.New("--slots cannot be negative"), ""}
	case f.slots == 0:
		f.slots = runtime.NumCPU()
	}
	if f.name == "" {
		f.name = workerName()
	}
	box := a.programs(a.say, min(f.slots, 2*runtime.NumCPU()))
	dir, err := os.MkdirTemp("", "deeprepo-worker-")
	if err != nil {
		return err
	}
	a.closeLater(func() error { return os.RemoveAll(dir) })
	all, err := a.fleetHandlers(box, dir)
	if err != nil {
		return err
	}
	handlers := map[fleet.Kind]fleet.Handler{}
	for _, k := range f.kinds {
		if !slices.Contains(fleet.Kinds(), fleet.Kind(k)) {
			return usageError{fmt.Errorf("unknown kind of items %q", k), "kinds: " + fmt.Sprint(fleet.Kinds())}
		}
		handlers[fleet.Kind(k)] = all[fleet.Kind(k)]
	}
	log := slog.New(slog.NewTextHandler(a.stderr, nil))
	work := fleet.Work{Name: f.name, Slots: f.slots, Handlers: handlers, Log: log}
	if f.metrics != "" {
		meter := metrics.NewWorker(f.name, version(), f.slots, slices.Collect(maps.Keys(handlers)))
		if err := a.serveMetrics(cmd.Context(), f.metrics, meter.Page()); err != nil {
			return err
		}
		work.Meter = meter
	}
	conn, err := a.awaitFleet(cmd.Context(), f.url, "worker "+f.name, func(s string) { log.Warn(s) }, math.MaxInt64)
	switch {
	case cmd.Context().Err() != nil:
		return nil // told to end before there was anything to do
	case err != nil:
		return err
	}
	// A sandbox that does not start should be known before the first item comes, and compiling it takes seconds.
	if err := startSandbox(cmd.Context(), box); err != nil {
		return exitError{exitOutside, err}
	}
	a.say(fmt.Sprintf("%s works for the fleet, %d at once; Ctrl-C lets running items end", f.name, f.slots))
	if err := conn.Work(cmd.Context(), work); err != nil {
		return exitError{exitOutside, err}
	}
	return nil
}

// fleetHandlers are what a worker can do. dir is where contents are unpacked that travel.
func (a *app) fleetHandlers(box *lazySandbox, dir string) (map[fleet.Kind]fleet.Handler, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	player := &rollout.Player{Dir: dir, Open: func(ctx context.Context, o eval.Options) (eval.Config, error) {
		return a.evalModels(ctx, o, c, box, a.say)
	}, Sandbox: box, Environment: func(ctx context.Context, name, data string) (env.Environment, error) {
		return a.environment(ctx, name, data, "")
	}}
	a.closeLater(func() error { player.Close(); return nil })
	reviewer := &reviews.Reviewer{Env: sync.OnceValues(func() (review.Env, error) {
		_, registry, err := a.open()
		if err != nil {
			return review.Env{}, err
		}
		registerPolicies(registry)
		return a.reviewEnv(registry, box, a.say), nil
	})}
	return map[fleet.Kind]fleet.Handler{fleet.KindJudge: fleet.JudgeWith(box), fleet.KindRollout: player.Handle,
		fleet.KindReview: reviewer.Handle}, nil
}

func startSandbox(ctx context.Context, box executor) error {
	_, err := box.Exec(ctx, sandbox.Program{Code: "pass"})
	return err
}

// workerName is this host's, with an end of its own.
func workerName() string {
	host, _ := os.Hostname()
	host = strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, host)
	return host[:min(len(host), 40)] + "-" + strings.ToLower(rand.Text()[:6])
}
