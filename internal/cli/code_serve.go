package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"runtime"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
	"github.com/spf13/cobra"
)

// codeServeFlags are the flags of code serve.
type codeServeFlags struct {
	backendFlags
	addr                      string
	hosts                     []string
	noToken, untilEOF, strict bool
	workers, queue, memoryMiB int
	runTime, wait             time.Duration
}

func (a *app) codeServe() *cobra.Command {
	var f codeServeFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the sandbox to trainers: SandboxFusion's /run_code for verl, Tinker and others, and /run_batch",
		Long: `Serve the sandbox over SandboxFusion's protocol: POST /run_code runs a Python program and reports what it did, POST
/run_batch runs many, each optionally with its own tests. Every answer also has deeprepo's own verdict, which does not
depend on an exit code.

The first line of stdout is the URL of /run_code; pass it to clients as it is. It holds a token in its path, since such
clients send no headers; Authorization: Bearer TOKEN works as well. ` + envServeToken + ` fixes the token, --no-token
leaves it out and is refused unless the address is this machine's own. Requests from other web pages are refused, and so
are Host headers with names that --host does not list.

Programs beyond --workers wait in a queue. The answer is 503 with Retry-After when the queue is full, and 504 when a
program's turn does not come before the client would hang up. Ctrl-C lets running programs end and refuses the rest.`,
		Example: `  deeprepo code serve
  deeprepo code serve --addr 127.0.0.1:0 --workers 8 --strict
  deeprepo code serve --addr 0.0.0.0:8080 --host sandbox-host
  deeprepo code serve --backend native --python venv/bin/python   # with the packages installed there, such as numpy
  curl -d '{"code": "print(6 * 7)", "language": "python"}' URL`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serveCode(cmd, f) },
	}
	f.backendFlags.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", "127.0.0.1:8080", "HOST:PORT to listen on; port 0 picks a free one")
	fl.IntVar(&f.workers, "workers", 0, "programs that run at once (default: the number of processors)")
	fl.IntVar(&f.queue, "queue", 0, "further programs that may wait (default 4096)")
	fl.DurationVar(&f.wait, "wait", 0, "how long a program may wait for its turn (default: its compile_timeout and 8s)")
	fl.DurationVar(&f.runTime, "max-time", 0, "maximum run_timeout; longer ones are reduced to it (default 10m)")
	fl.IntVar(&f.memoryMiB, "max-memory", 0, "maximum memory_limit_MB; larger ones are reduced to it (default 1024)")
	fl.BoolVar(&f.strict, "strict", false, "count an exit before a program's end as a failure, even with code 0")
	fl.BoolVar(&f.noToken, "no-token", false, "let everyone on this machine in; refused on other addresses")
	fl.StringSliceVar(&f.hosts, "host", nil, "host names of this server that clients may use, besides addresses and localhost")
	fl.BoolVar(&f.untilEOF, "until-eof", false, "stop when standard input closes, for programs that start their own server")
	return cmd
}

func (a *app) serveCode(cmd *cobra.Command, f codeServeFlags) error {
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	if f.workers < 0 || f.queue < 0 || f.memoryMiB < 0 || f.wait < 0 || f.runTime < 0 {
		return usageError{errors.New("--workers, --queue, --wait, --max-time and --max-memory cannot be negative"), ""}
	}
	if f.memoryMiB > 4095 {
		return usageError{fmt.Errorf("--max-memory %d: a program can have at most 4095 MiB", f.memoryMiB), ""}
	}
	if f.workers == 0 {
		f.workers = runtime.NumCPU()
	}
	token, err := a.serveToken(f.addr, "", f.noToken)
	if err != nil {
		return err
	}
	say := func(line string) { fmt.Fprintf(a.stderr, "deeprepo: %s\n", termtext.Masked(line)) }
	box, err := f.open(ctx, a, say, f.workers)
	if err != nil {
		return err
	}
	server, err := runcode.New(runcode.Config{
		Executor: box, Token: token, Hosts: f.hosts, Workers: f.workers, Queue: f.queue, Wait: f.wait, RunTime: f.runTime,
		MemoryBytes: int64(f.memoryMiB) << 20, Strict: f.strict, RealTime: f.backend == backendNative, Version: version(),
		Log: slog.New(slog.NewTextHandler(a.stderr, nil)),
	})
	if err != nil {
		return err
	}
	defer server.Close()
	// A sandbox that does not start should be known before the first client comes, and compiling it takes seconds.
	if _, err := box.Exec(ctx, sandbox.Program{Code: "pass"}); err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", f.addr)
	if err != nil {
		return usageError{fmt.Errorf("--addr %s: %w", f.addr, err), "port 0 picks a free one: --addr 127.0.0.1:0"}
	}
	fmt.Fprintln(a.stdout, access.BaseURL(reachable(listener.Addr()), token)+"/run_code")
	say(fmt.Sprintf("programs run on %s, %d at once; Ctrl-C ends it", listener.Addr(), f.workers))
	if f.untilEOF {
		go func() { // ends with the program: a read of standard input cannot be taken back
			_, _ = io.Copy(io.Discard, cmd.InOrStdin())
			stop()
		}()
	}
	return server.Serve(ctx, listener)
}
