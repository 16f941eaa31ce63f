package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
	"github.com/spf13/cobra"
)

// mcpFlags are the flags of mcp.
type mcpFlags struct {
	serveFlags
	runs, budget string
	allowWrite   bool
}

func (a *app) mcpCommand() *cobra.Command {
	var f mcpFlags
	cmd := &cobra.Command{
		Use:   "mcp [DIR...]",
		Short: "Serve reviews, findings, the code graph and the sandbox to agents, over the Model Context Protocol",
		Long: `Serve tools to an agent or editor over the Model Context Protocol: review, findings, show, dismiss, graph, locate,
coverage, run_program and judge; reports are resources. Tools take paths in and below each DIR (default: here), narrowed by the
client's own roots where it has some; links that lead out of them are refused.

The client talks over standard input and output. With --http it is a server instead: the first line of stdout is its URL,
which holds a token; ` + envServeToken + ` fixes the token, --no-token leaves it out and is refused unless the address is this
machine's own. Requests from web pages of others are refused.

Nothing is written into a codebase without --allow-write, and nothing is spent without --budget, which all reviews of
the server's life share. Runs are kept in --runs, where deeprepo show and deeprepo ui find them.`,
		Example: `  deeprepo mcp                                  # in an agent's configuration: "command": "deeprepo", "args": ["mcp", "DIR"]
  deeprepo mcp /src/app /src/lib --runs ~/runs
  deeprepo mcp --http 127.0.0.1:8000            # URL/mcp, for clients over HTTP
  deeprepo mcp --budget 5 --allow-write         # models may be asked for up to $5; decisions may be written`,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.mcp(cmd, args, f) },
		ValidArgsFunction: completeDir,
	}
	f.add(cmd, "", "clients")
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "http", "", "serve over HTTP on HOST:PORT instead of standard input and output; port 0 picks a free one")
	_ = fl.MarkHidden("addr")
	fl.StringVar(&f.runs, "runs", "", "directory for the runs (default: mcp in the user's cache of deeprepo)")
	fl.StringVar(&f.budget, "budget", "", "most that all reviews together may cost, in USD (default: no model that costs money is asked)")
	fl.BoolVar(&f.allowWrite, "allow-write", false, "let clients write decisions into "+triage.Name+" of a codebase")
	trustConfigFlag(cmd)
	return cmd
}

func (a *app) mcp(cmd *cobra.Command, dirs []string, f mcpFlags) error {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	if f.addr == "" && (f.noToken || f.untilEOF || len(f.hosts) > 0) {
		return usageError{errors.New("--no-token, --host and --until-eof are for --http"), "--http 127.0.0.1:0"}
	}
	c, err := a.mcpConfig(cmd, f)
	if err != nil {
		return err
	}
	c.Roots = dirs
	if f.addr != "" {
		if c.Token, err = f.accessToken(a.getenv); err != nil {
			return err
		}
		c.Hosts = f.hosts
	}
	server, err := mcp.New(c)
	if err != nil {
		return usageError{err, "give directories that are there"}
	}
	a.printed = true // stdout is the client's
	if f.addr == "" {
		return server.Pipe(cmd.Context(), cmd.InOrStdin(), a.stdout)
	}
	return a.listen(cmd, f.serveFlags, server, c.Token, mcp.Path, func(_ string, on net.Addr) {
		a.say(fmt.Sprintf("answering agents about %s on %s; Ctrl-C stops the server", listed(dirs), on))
	})
}

// mcpConfig is what the server does with what this program has.
func (a *app) mcpConfig(cmd *cobra.Command, f mcpFlags) (mcp.Config, error) {
	set, registry, err := a.open()
	if err != nil {
		return mcp.Config{}, err
	}
	c := mcp.Config{
		Runs: f.runs, Parser: a.parser, GraphDir: a.graphDir(), Version: version(),
		Log: slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	if c.Runs == "" {
		c.Runs = filepath.Join(a.cacheDir(), "mcp")
	}
	c.Runs = absolute(c.Runs)
	if c.Budget, err = budget(f.budget, nil); err != nil {
		return c, err
	}
	if f.allowWrite {
		c.Dismiss = dismiss
	}
	box := a.programs(a.say, 0)
	c.Programs = box
	c.Options = func(asked mcp.Asked) (review.Options, error) { return a.mcpReview(cmd, set, asked) }
	c.Env = func(observe func(rlm.Progress)) review.Env {
		env := a.reviewEnv(registry, box, a.say)
		env.Observe = observe
		return env
	}
	c.Judge = func(ctx context.Context, j mcp.Judging, observe func(codeeval.Progress)) (runfile.CodeSummary, error) {
		o := codeeval.VerifyOptions{Dataset: j.Dataset, Data: j.Data, Samples: j.Samples, Repeat: 1, StepsFactor: 20}
		vc, err := a.judging(ctx, o, &progress{w: a.stderr})
		if err != nil {
			return runfile.CodeSummary{}, err
		}
		vc.Observe = observe
		out, err := codeeval.Verify(ctx, o, vc)
		return out.Summary, err
	}
	return c, nil
}

// mcpReview makes a review's options of the configuration and of what a client asks for.
func (a *app) mcpReview(cmd *cobra.Command, set config, asked mcp.Asked) (review.Options, error) {
	if !trustsConfig(cmd) {
		if err := set.trusted(asked.Path); err != nil {
			return review.Options{}, err
		}
	}
	flags := reviewFlags{offline: asked.Offline, preset: cmp.Or(asked.Preset, set.text("preset")),
		change: changeFlags{base: asked.Base, head: asked.Head}}
	if !asked.Offline {
		flags.Root, flags.Worker = set.text("root"), set.text("worker")
	}
	return a.options(asked.Path, flags)
}

// dismiss writes a client's decision.
func dismiss(dir string, d mcp.Decision) (string, error) {
	if !slices.Contains(triage.States(), d.State) {
		return "", hint.New(fmt.Sprintf("%q is not a state of a finding", d.State), "use "+strings.Join(triage.States(), ", "))
	}
	if strings.TrimSpace(d.Reason) == "" {
		return "", hint.New("a decision needs its reason", "say why, for who reads it")
	}
	f := triageFlags{reason: d.Reason, by: d.By}
	name, _, _, _, err := f.decide(dir, []string{d.ID}, d.State)
	return name, err
}
