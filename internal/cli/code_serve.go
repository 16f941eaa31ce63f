package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/web/runcode"
	"github.com/spf13/cobra"
)

// codeServeFlags are the flags of code serve.
type codeServeFlags struct {
	serveFlags
	backend, python           string
	languages                 []string
	strict                    bool
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

With --backend native or auto, programs in C++, Go, Java, JavaScript, Rust and shell are compiled and run in jails as well,
where this machine has their tools. Some are prepared once, which takes up to a minute before the server starts.

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
	backendFlags(cmd, &f.backend, &f.python)
	f.serveFlags.add(cmd, "127.0.0.1:8080", "clients")
	fl := cmd.Flags()
	fl.IntVar(&f.workers, "workers", 0, "programs that run at once (default: the number of processors)")
	fl.IntVar(&f.queue, "queue", 0, "further programs that may wait (default 4096)")
	fl.DurationVar(&f.wait, "wait", 0, "how long a program may wait for its turn (default: its compile_timeout and 8s)")
	fl.DurationVar(&f.runTime, "max-time", 0, "maximum run_timeout; longer ones are reduced to it (default 10m)")
	fl.IntVar(&f.memoryMiB, "max-memory", 0, "maximum memory_limit_MB; larger ones are reduced to it (default 1024)")
	fl.StringSliceVar(&f.languages, "languages", nil, "languages beside Python, of "+strings.Join(native.Languages(), ", ")+
		" (default with --backend native and auto: those whose tools are here)")
	fl.BoolVar(&f.strict, "strict", false, "count an exit before a program's end as a failure, even with code 0")
	return cmd
}

func (a *app) serveCode(cmd *cobra.Command, f codeServeFlags) error {
	ctx := cmd.Context()
	if f.workers < 0 || f.queue < 0 || f.memoryMiB < 0 || f.wait < 0 || f.runTime < 0 {
		return usageError{errors.New("--workers, --queue, --wait, --max-time and --max-memory cannot be negative"), ""}
	}
	if f.memoryMiB > 4095 {
		return usageError{fmt.Errorf("--max-memory %d: a program can have at most 4095 MiB", f.memoryMiB), ""}
	}
	f.workers = cmp.Or(f.workers, runtime.NumCPU())
	token, err := f.accessToken(a.getenv)
	if err != nil {
		return err
	}
	box, _, err := a.backend(ctx, f.backend, f.python, "", a.say, f.workers)
	if err != nil {
		return err
	}
	box, languages, err := a.serveLanguages(ctx, f, box)
	if err != nil {
		return err
	}
	server, err := runcode.New(runcode.Config{
		Executor: box, Languages: languages, Proper: native.Proper, Token: token, Hosts: f.hosts,
		Workers: f.workers, Queue: f.queue, Wait: f.wait, RunTime: f.runTime,
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
	return a.listen(cmd, f.serveFlags, server, token, "/run_code", func(_ string, on net.Addr) {
		a.say(fmt.Sprintf("programs run on %s, %d at once; Ctrl-C ends it", on, f.workers))
	})
}

// serveLanguages has the languages judged that the flags name, or else those that are here. What the latter lack is said.
func (a *app) serveLanguages(ctx context.Context, f codeServeFlags, python executor) (executor, []string, error) {
	wanted, named := native.Found(), len(f.languages) > 0
	if named {
		wanted = nil
		for _, word := range f.languages {
			name := native.Proper(word)
			if name == "" {
				return nil, nil, usageError{fmt.Errorf("unknown language %q", word), strings.Join(native.Languages(), ", ")}
			}
			wanted = append(wanted, name)
		}
	} else if f.backend == backendWasm {
		return python, nil, nil
	}
	all, err := a.polyglot(ctx, python, f.backend, a.say, f.workers)
	if err != nil {
		if named || ctx.Err() != nil {
			return nil, nil, err
		}
		a.say("only Python is served: " + termtext.OneLine(err.Error()))
		return python, nil, nil
	}
	var languages, tools []string
	for _, name := range wanted {
		tool, err := all.Tool(ctx, name)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil && named:
			return nil, nil, exitError{exitOutside, err}
		case err != nil:
			a.say(termtext.OneLine(err.Error()))
		default:
			languages, tools = append(languages, name), append(tools, name+" by "+tool)
		}
	}
	if len(tools) > 0 {
		a.say("beside Python there are " + strings.Join(tools, ", "))
	}
	return all, languages, nil
}
