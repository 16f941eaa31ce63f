package cli

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/openenv"
	"github.com/spf13/cobra"
)

// envServeFlags are the flags of env serve.
type envServeFlags struct {
	taskFlags
	serveFlags
	worker, traceDir               string
	capacity, maxTurns, messageMiB int
	idle                           time.Duration
}

func newEnvServe(a *app) *cobra.Command {
	var f envServeFlags
	cmd := &cobra.Command{
		Use:   "serve ENV",
		Short: "Serve an environment to OpenEnv clients: TRL, verifiers, prime-rl",
		Long: `Serve an environment over OpenEnv's protocol (WebSocket, and HTTP), many episodes at once. An action is the policy's
whole reply, {"message": "..."}; the reward comes with the last step. A reset may give seed, index, rollout, split,
language, difficulty, files and episode_id; these flags supply the rest, and without index and seed every reset gets
the next task.

The first line of stdout is the base URL; pass it to clients as it is. It holds a token in its path, since OpenEnv's
clients send no headers; Authorization: Bearer TOKEN works as well. ` + envServeToken + ` fixes the token, --no-token leaves it
out and is refused unless the address is this machine's own. Requests from other web pages are refused, and so are Host
headers with names that --host does not list.

Ctrl-C notifies every client and ends all episodes; a disconnect ends the client's own episode.`,
		Example: `  deeprepo env serve orchestration
  deeprepo env serve orchestration --addr 127.0.0.1:0 --split train --difficulty medium --seed 7
  deeprepo env serve orchestration --addr 0.0.0.0:8000 --host trainer-env --capacity 512 --trace-dir traces
  deeprepo env serve orchestration --worker local/qwen3-4b        # real workers instead of simulated ones`,
		Args: oneEnvironment(), ValidArgsFunction: completeEnvironment,
		RunE: func(cmd *cobra.Command, args []string) error { return a.envServe(cmd, args[0], f) },
	}
	f.taskFlags.add(cmd)
	f.serveFlags.add(cmd, "127.0.0.1:8000", "clients")
	a.waiting.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.worker, "worker", env.WorkerSim, "the workers: sim (the environment's own), rules, or provider/model")
	fl.StringVar(&f.traceDir, "trace-dir", "", "directory for every episode's trace")
	fl.IntVar(&f.capacity, "capacity", 0, "concurrent clients; others get CAPACITY_REACHED (default 1024)")
	fl.IntVar(&f.maxTurns, "max-turns", 0, "maximum turns of the policy (default: the environment's own)")
	fl.IntVar(&f.messageMiB, "max-message", 0, "maximum size of a message, in MiB (default 32)")
	fl.DurationVar(&f.idle, "idle", 0, "how long a client may be silent on its turn (default 30m)")
	complete(cmd, "worker", env.WorkerSim, env.WorkerRules)
	return cmd
}

func (a *app) envServe(cmd *cobra.Command, name string, f envServeFlags) error {
	c, err := a.configuration()
	if err != nil {
		return err
	}
	selection, err := f.selection()
	if err != nil {
		return err
	}
	if f.capacity < 0 || f.maxTurns < 0 || f.messageMiB < 0 || f.idle < 0 {
		return usageError{errors.New("--capacity, --max-turns, --max-message and --idle cannot be negative"), ""}
	}
	token, err := f.accessToken(a.getenv)
	if err != nil {
		return err
	}
	e, err := a.chosen(cmd, name, f.taskFlags)
	if err != nil {
		return err
	}
	if f.traceDir != "" {
		if err := os.MkdirAll(f.traceDir, 0o755); err != nil {
			return usageError{fmt.Errorf("--trace-dir: %w", err), "give a writable directory"}
		}
	}
	config := openenv.Config{
		Environment: e, Sandbox: &lazySandbox{app: a, say: a.say, workers: runtime.NumCPU()}, Selection: selection, MaxTurns: f.maxTurns,
		Luck: eval.RolloutSeed, Token: token, Hosts: f.hosts, Capacity: f.capacity, MessageBytes: int64(f.messageMiB) << 20, Idle: f.idle,
		TraceDir: f.traceDir, Version: version(), Log: slog.New(slog.NewTextHandler(a.stderr, nil)),
	}
	worker := f.worker
	if worker == env.WorkerRules {
		worker = rules.Name
	}
	if worker != env.WorkerSim {
		registry, err := a.registry(c)
		if err != nil {
			return err
		}
		models := llm.NewOpener(llm.OpenerConfig{Registry: registry, Root: offline.Name, Worker: worker, Run: "eval", Say: a.say})
		if _, err := models.Worker("", nil); err != nil {
			return err
		}
		config.Worker = models.Worker
	}
	// A sandbox that does not start should be known before the first client comes, and compiling it takes seconds.
	session, err := config.Sandbox.NewSession(cmd.Context(), sandbox.SessionConfig{})
	if err != nil {
		return err
	}
	session.Close()
	server, err := openenv.New(config)
	if err != nil {
		return err
	}
	defer server.Close()
	return a.listen(cmd, f.serveFlags, server, token, "", func(_ string, on net.Addr) {
		a.say(fmt.Sprintf("serving %s on %s; Ctrl-C stops it", name, on))
	})
}
