package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/telemetry"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// Main runs the program and returns its exit code.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) > 1 && args[1] == sandboxWorker {
		if err := sandbox.WorkerMain(stdin, stdout); err != nil {
			return exitOutside
		}
		return exitOK
	}
	ctx, stop := interruptible(stderr)
	defer stop()
	a := &app{stdout: stdout, stderr: stderr, getenv: os.Getenv}
	defer telemetry.Start(version(), a.say)()
	root := a.rootCommand()
	root.SetArgs(args[1:])
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	a.close()
	a.endSpan(err)
	if err == nil {
		return exitOK
	}
	if code, ok := errors.AsType[exitError](err); ok && code.err == nil {
		return code.code
	}
	a.complain(err)
	if (a.json || slices.Contains(args, "--json")) && !a.printed { // a flag's own error may come before --json is read
		a.printError(err)
	}
	return exitCode(err)
}

// sandboxWorker is the hidden command that the sandbox runs in its worker processes.
const sandboxWorker = "sandbox-worker"

// app is what the commands share.
type app struct {
	stdout, stderr io.Writer
	getenv         func(string) string
	configFile     string
	waiting        waiting
	settling       sync.Mutex
	settled        *config        // what the files say; nil before they are read
	span           oteltrace.Span // the command's; nil before it began
	json, printed  bool           // printed: the command's JSON, or part of it, is on stdout
	quiet, verbose bool
	pricing        sync.Once
	priceTable     *llm.Prices
	priceErr       error
	private        sync.Once
	privateDir     string
	parsing        sync.Once
	syntax         *syntax.Parser
	syntaxErr      error
	flows          flow.Memory

	fleetAccount fleetAccount

	mu      sync.Mutex
	closers []func() error
	judge   *lazySandbox // of programs, see there
}

// closeLater has the program call c before it ends. Rollouts that run side by side open things, too.
func (a *app) closeLater(c func() error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closers = append(a.closers, c)
}

// close calls them, the last one first; one may add others.
func (a *app) close() {
	for {
		a.mu.Lock()
		n := len(a.closers)
		if n == 0 {
			a.mu.Unlock()
			return
		}
		c := a.closers[n-1]
		a.closers = a.closers[:n-1]
		a.mu.Unlock()
		_ = c() // the program ends: nothing is left to act on it
	}
}

func (a *app) rootCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deeprepo",
		Short: "Review whole codebases with a recursive language model",
		Long: `deeprepo reviews whole codebases with a recursive language model: a root model sees only the
file tree, writes Python in a sandbox, and hands the reading to cheap worker models.

Without a key everything runs here, offline: a scripted root, and static rules as workers.`,
		Example: `  deeprepo analyze .                                   # offline, no key needed
  deeprepo analyze . --dry-run                         # files, tokens, cost: nothing is spent
  deeprepo analyze . --root anthropic/claude-sonnet-4-5 --worker openrouter/minimax/minimax-m2.5 --budget 2
  deeprepo analyze . --fail-on high                    # exit code 1 when something serious is found
  deeprepo resume runs/myrepo-20261121-101500          # continue after Ctrl-C, a crash or an empty budget
  deeprepo show runs/myrepo-20261121-101500            # what to do first; with a finding's ID, all about it
  deeprepo history                                     # all reviews of the repository here: new, fixed, cost
  deeprepo locate . "cookies are lost on redirect"     # where an issue belongs, without a model
  deeprepo models                                      # what is reachable from here, and what it costs
  deeprepo ui                                          # look at the runs below this directory, in a browser`,
		Version: version(), SilenceErrors: true, SilenceUsage: true,
	}
	cmd.SetVersionTemplate("deeprepo {{.Version}}\n")
	cmd.PersistentFlags().StringVar(&a.configFile, "config", "", "configuration file, in place of those that deeprepo config finds")
	cmd.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON on stdout")
	cmd.SetFlagErrorFunc(flagFault)
	cmd.PersistentPreRun = func(cmd *cobra.Command, _ []string) { a.beginSpan(cmd) }
	group(cmd, a.initCommand(), a.analyzeCommand(), a.resumeCommand(), a.showCommand(), a.diffCommand(), a.historyCommand(),
		a.triageCommand(), a.rulesCommand(), a.locateCommand(), a.baselineCommand(), a.modelsCommand(), a.envCommand(), a.evalCommand(),
		a.benchCommand(), a.codeCommand(), a.pairsCommand(), a.trainCommand(), a.uiCommand(), a.mcpCommand(), a.fleetCommand(),
		a.sandboxCommand(), a.configCommand(),
		a.versionCommand())
	arrange(cmd)
	return cmd
}

// flagError says what is wrong with a flag's value, in our own words instead of the parser's.
func flagError(err error) error {
	bad, ok := errors.AsType[*pflag.InvalidValueError](err)
	if !ok {
		return err
	}
	wanted := map[string]string{
		"int": "a whole number", "uint": "a whole number, not negative", "int64": "a whole number", "uint64": "a whole number, not negative",
		"float64": "a number", "duration": "a duration, as 30s or 2m", "bool": "true or false", "intSlice": "whole numbers separated by commas",
	}[bad.GetFlag().Value.Type()]
	if wanted == "" {
		return err
	}
	if errors.Is(err, strconv.ErrRange) {
		wanted += ", but not that large"
	}
	return fmt.Errorf("--%s takes %s: %q", bad.GetFlag().Name, wanted, bad.GetValue())
}

// interruptible gives a context that the first Ctrl-C ends, so that what was done is saved; the second ends the program.
func interruptible(stderr io.Writer) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP) // a terminal that closes must not lose the report
	done := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-done:
			return
		}
		fmt.Fprintln(stderr, "\ndeeprepo: stopping and saving; press Ctrl-C again to stop at once")
		cancel()
		select {
		case <-signals:
			os.Exit(exitOutside)
		case <-done:
		}
	}()
	return ctx, func() { signal.Stop(signals); close(done); cancel() }
}

// usageError is the user's mistake.
type usageError struct {
	error
	hint string
}

func (e usageError) Unwrap() error { return e.error }
func (e usageError) Hint() string  { return e.hint }

// exitError carries an exit code; err is nil when everything was said already.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}
func (e exitError) Unwrap() error { return e.err }

func exitCode(err error) int {
	if code, ok := errors.AsType[exitError](err); ok {
		return code.code
	}
	if call, ok := errors.AsType[*llm.Error](err); ok {
		switch call.Kind {
		case llm.KindUnknownModel, llm.KindUnknownProvider, llm.KindPrice, llm.KindBadRequest:
			return exitUsage
		}
		return exitOutside
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return exitOutside
	case errors.As(err, new(usageError)):
		return exitUsage
	case errors.As(err, new(*trace.CorruptError)), errors.As(err, new(*sandbox.Error)), errors.As(err, new(*dataset.FetchError)):
		return exitOutside
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR): // a file's name where a directory's belongs
		return exitUsage
	case errors.As(err, new(*fs.PathError)) && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist):
		return exitOutside
	}
	return exitUsage
}

// complain prints an error and what helps against it.
func (a *app) complain(err error) {
	if errors.Is(err, context.Canceled) && strings.HasSuffix(err.Error(), context.Canceled.Error()) {
		err = usageError{errors.New("interrupted"), "the same command starts over"} // a run that can be continued says so itself
	}
	if err.Error() != "" {
		fmt.Fprintf(a.stderr, "deeprepo: error: %s\n", termtext.Masked(err.Error()))
	}
	if advice := hint.Of(err); advice != "" {
		fmt.Fprintf(a.stderr, "deeprepo: hint: %s\n", termtext.Masked(advice))
	}
}
