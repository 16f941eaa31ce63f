package cli

import (
	"cmp"
	"errors"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/spf13/cobra"
)

// duration is a flag's or a key's time, above 0.
type duration time.Duration

// Set reads "30s" or "2m".
func (d *duration) Set(text string) error {
	v, err := time.ParseDuration(text)
	if err != nil || v <= 0 {
		return errors.New("a duration above 0 is wanted, as 30s or 2m")
	}
	*d = duration(v)
	return nil
}

// UnmarshalText is Set.
func (d *duration) UnmarshalText(text []byte) error { return d.Set(string(text)) }

// String is the duration as Set reads it, "" for none.
func (d *duration) String() string {
	if *d == 0 {
		return ""
	}
	return time.Duration(*d).String()
}

// Type is what the help calls it.
func (d *duration) Type() string { return "duration" }

// waiting says how long calls to models may take. Every command that makes such calls has its flags.
type waiting struct {
	Timeout  duration `toml:"timeout"`  // of one call
	Patience duration `toml:"patience"` // of a call's waiting, over all its attempts
}

func (w *waiting) add(cmd *cobra.Command) {
	cmd.Flags().Var(&w.Timeout, "timeout", "how long one call to a model may take before it counts as failed (default 10m)")
	cmd.Flags().Var(&w.Patience, "patience",
		"how long a call waits for its provider in all: failed attempts, and the pauses it asks for (default 5m)")
}

// apply has providers keep to the flags, else to the file.
func (w waiting) apply(c *provider.Config, file waiting) {
	c.Limits.Call = time.Duration(cmp.Or(w.Timeout, file.Timeout))
	c.Patience = time.Duration(cmp.Or(w.Patience, file.Patience))
}
