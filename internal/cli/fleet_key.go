package cli

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/fleet/hub"
	"github.com/spf13/cobra"
)

func (a *app) fleetKey() *cobra.Command {
	var store, tenant string
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Give a worker a key of its own, and take it back",
		Long: `Add, list and remove keys of single workers, on the hub's machine. The hub takes them up within seconds, without a restart. Who
has a key that was removed is disconnected, and its results count no more. The key that all workers may have, worker.nk, stays.`,
		Example: `  deeprepo fleet key add worker alice --store hub      # prints the file
  deeprepo fleet key list worker --store hub
  deeprepo fleet key remove worker alice --store hub`,
		Args: cobra.NoArgs,
	}
	fl := cmd.PersistentFlags()
	fl.StringVar(&store, "store", "deeprepo-hub", "the hub's directory")
	fl.StringVar(&tenant, "tenant", "", "the tenant whose worker it is, where the hub has tenants")
	add := &cobra.Command{Use: "add worker NAME", Short: "Make a worker's key", Args: cobra.ExactArgs(2),
		RunE: ofWorker(func(name string) error {
			file, err := hub.AddWorker(store, tenant, name)
			if err == nil {
				fmt.Fprintln(a.stdout, file)
			}
			return err
		})}
	list := &cobra.Command{Use: "list worker", Short: "List workers that have a key of their own", Args: cobra.ExactArgs(1),
		RunE: ofWorker(func(string) error {
			all, err := hub.Workers(store, tenant)
			for _, name := range slices.Sorted(maps.Keys(all)) {
				fmt.Fprintln(a.stdout, name+"\t"+all[name])
			}
			return err
		})}
	remove := &cobra.Command{Use: "remove worker NAME", Short: "Remove a worker's key", Args: cobra.ExactArgs(2),
		RunE: ofWorker(func(name string) error { return hub.RemoveWorker(store, tenant, name) })}
	cmd.AddCommand(add, list, remove)
	return cmd
}

// ofWorker does something about a worker that the last argument names.
func ofWorker(do func(name string) error) func(*cobra.Command, []string) error {
	return func(_ *cobra.Command, args []string) error {
		if args[0] != "worker" {
			return usageError{fmt.Errorf("%q has no keys of single ones", args[0]), "worker, and then its name"}
		}
		if err := do(args[len(args)-1]); err != nil {
			return exitError{exitOutside, err}
		}
		return nil
	}
}
