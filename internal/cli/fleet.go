package cli

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
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
	}
	return group(cmd, a.fleetHub(), a.fleetKey(), a.fleetWork(), a.fleetStatus(), a.fleetDrain())
}

// fleetFlag adds --fleet.
func fleetFlag(cmd *cobra.Command, url *string, what string) {
	cmd.Flags().StringVar(url, "fleet", "",
		what+": nats://HOST:PORT as fleet hub prints it (default: the configuration's, else this machine alone)")
}

// fleetURL is the fleet that was named, "" for none.
func (a *app) fleetURL(named string) (string, error) {
	c, err := a.configuration()
	return cmp.Or(named, c.text("fleet")), err
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
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	if url = cmp.Or(url, c.text("fleet")); url == "" {
		return nil, usageError{errors.New("no fleet is named"), "--fleet nats://HOST:PORT, or fleet in deeprepo.toml"}
	}
	build, err := fleetBuild()
	if err != nil {
		return nil, err
	}
	conn, err := fleet.Dial(ctx, fleet.Options{
		URL: url, KeyFile: cmp.Or(a.getenv(envFleetKey), c.text("fleet_key")), CAFile: cmp.Or(a.getenv(envFleetCA), c.text("fleet_ca")),
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
