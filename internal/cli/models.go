package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/spf13/cobra"
)

func (a *app) modelsCommand() *cobra.Command {
	var refresh bool
	var from string
	cmd := &cobra.Command{
		Use:   "models",
		Short: "What is reachable from here, with prices and their date",
		Long: `List the providers: which are configured, which variable the others need, which answer, and what their models cost.
Prices come from the provider if it reports them, from deeprepo.toml, from the list that --refresh fetched, or from the
program's own dated snapshot; an unknown price is shown as ?, never as 0. Models on this machine's disk have no list: nano/FILE.gguf
and nano/DIR open them.

With --refresh, fetch OpenRouter's list, or --from a file or an https address (OpenRouter's /models, LiteLLM's model_prices,
or a prices.json), and keep it as prices.json in the user's directory. No key is sent. If that fails the list of before stays.`,
		Example: `  deeprepo models
  deeprepo models --refresh                                          # OpenRouter's prices of today
  deeprepo models --refresh --from model_prices_and_context_window.json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if refresh {
				return a.refreshModels(cmd.Context(), from)
			}
			if from != "" {
				return usageError{errors.New("--from needs --refresh"), "deeprepo models --refresh --from " + from}
			}
			_, registry, err := a.open()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), 10*time.Second)
			defer cancel()
			list := registry.List(ctx)
			return a.print(map[string]any{"providers": list}, func(w io.Writer) error { writeModels(w, list); return nil })
		},
	}
	cmd.Flags().BoolVar(&refresh, "refresh", false, "fetch prices and keep them in the user's directory")
	cmd.Flags().StringVar(&from, "from", "", "with --refresh: a file or an https address (default: OpenRouter's list of models)")
	return cmd
}

func writeModels(w io.Writer, list []llm.Status) {
	for i, s := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		state := "reachable"
		switch {
		case !s.Configured:
			state = "not configured: set " + s.Missing
		case !s.Reachable:
			state = "not reachable: " + s.Problem
		}
		fmt.Fprintf(w, "%s (%s): %s\n", s.Provider, cmp.Or(s.Address, "in this program"), state)
		if len(s.Served) > 0 {
			const most = 12
			fmt.Fprintf(w, "  serves %d models: %s\n", len(s.Served), strings.Join(s.Served[:min(most, len(s.Served))], ", "))
		}
		if len(s.Models) == 0 {
			continue
		}
		t := tabwriter.NewWriter(w, 2, 0, 2, ' ', 0)
		fmt.Fprintln(t, "  model\tinput $/M\tcached\toutput $/M\tcontext\tprice from")
		for _, m := range s.Models {
			in, cached, out, from := "?", "?", "?", "unknown"
			if p := m.Price; p != nil {
				in, out, cached, from = p.Input.Decimal(), p.Output.Decimal(), p.Input.Decimal(), p.Source
				if p.CachedInput != nil {
					cached = p.CachedInput.Decimal()
				}
				if p.Date != "" {
					from += " " + p.Date
				}
			}
			context := "?"
			if m.Context > 0 {
				context = fmt.Sprint(m.Context)
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\t%s\n", m.Name, in, cached, out, context, from)
		}
		t.Flush()
	}
}
