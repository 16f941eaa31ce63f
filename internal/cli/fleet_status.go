package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

func (a *app) fleetStatus() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:   "status",
		Short: "What a fleet does: workers, queues, the oldest item, dead ones",
		Long: `Ask a hub who works for it, what waits, what runs, and what nobody could finish. An item that was handed out three times
without a result is dead; it counts as a fault of the fleet, never as a result.`,
		Example: `  deeprepo fleet status --fleet nats://127.0.0.1:4222
  watch deeprepo fleet status          # with fleet and fleet_key in deeprepo.toml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			conn, err := a.dialFleet(cmd.Context(), url, "status", func(string) {})
			if err != nil {
				return err
			}
			s, err := conn.Status(cmd.Context())
			if err != nil {
				return exitError{exitOutside, err}
			}
			return a.print(s, func(w io.Writer) error { return writeFleet(w, s) })
		},
	}
	fleetFlag(cmd, &url, "the hub to ask")
	return cmd
}

// writeFleet shows a status. Names and reasons come from other machines.
func writeFleet(w io.Writer, s fleet.Status) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if len(s.Workers) == 0 {
		fmt.Fprintln(w, "no worker is there: deeprepo fleet work --fleet URL starts one")
	} else {
		fmt.Fprintln(t, "WORKER\tSLOTS\tRUNNING\tDONE\tFAULTS\tUP\tSEEN")
	}
	for _, m := range s.Workers {
		name := termtext.Inline(m.Name)
		if m.Draining {
			name += " (draining)"
		}
		up := time.Duration(m.UpSeconds) * time.Second
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%s\t%s\n", name, m.Slots, m.Running, m.Done, m.Faults, up, ago(s.At, m.Seen))
	}
	fmt.Fprintln(t, "\nQUEUE\tWAITING\tRUNNING\tAGAIN\tDEAD\tOLDEST")
	for _, q := range s.Queues {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%.1fs\n", q.Kind, q.Waiting, q.Running, q.Again, q.Dead, q.OldestSeconds)
	}
	if len(s.Runs) > 0 {
		fmt.Fprintln(t, "\nRUN\tBUDGET\tSPENT\tLEASED\tITEMS\tCHANGED")
	}
	for _, r := range s.Runs {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%s\n", termtext.Inline(r.Run), r.Cap, r.Spent, r.Leased, r.Items, ago(s.At, r.At))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range s.Dead {
		fmt.Fprintf(w, "\ndead: %s %s, %s, by %s: %s\n", termtext.Inline(string(d.Kind)), termtext.Inline(d.Key), ago(s.At, d.At),
			termtext.Inline(d.Worker), termtext.Inline(d.Reason))
	}
	return nil
}

func ago(now, then time.Time) string {
	return max(0, now.Sub(then)).Round(time.Second).String() + " ago"
}

func (a *app) fleetDrain() *cobra.Command {
	var url string
	cmd := &cobra.Command{
		Use:     "drain WORKER",
		Short:   "Tell a worker to finish what it has and end",
		Long:    `Tell a worker to take no more items; it ends, with exit code 0, once those that it has are done.`,
		Example: `  deeprepo fleet drain big-machine --fleet nats://127.0.0.1:4222`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("one worker is needed, not %d", len(args)), "deeprepo fleet status names them"}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			conn, err := a.dialFleet(cmd.Context(), url, "drain", func(string) {})
			if err != nil {
				return err
			}
			if err := conn.Drain(cmd.Context(), args[0]); err != nil {
				return exitError{exitOutside, err}
			}
			a.say(args[0] + " was told to drain")
			return nil
		},
	}
	fleetFlag(cmd, &url, "its hub")
	return cmd
}
