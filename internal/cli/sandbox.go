package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/deeprepo/deeprepo/internal/termtext"
	"github.com/spf13/cobra"
)

type sandboxFlags struct {
	stdin, tests, entry string
	backend, python     string
	timeout             time.Duration
	memoryMiB           int64
	steps               int64
}

func (a *app) sandboxCommand() *cobra.Command {
	var f sandboxFlags
	cmd := &cobra.Command{
		Use:   "sandbox FILE",
		Short: "Run a Python program in the sandbox, or judge it by tests",
		Long: `Run the Python program FILE (- reads it from standard input) in the sandbox: CPython 3.13 in WebAssembly, without files,
network, processes or the environment of this machine, with limits. Its standard output and error are passed through
(on a terminal, with control characters made visible); the last line of stderr is the verdict.

Without --tests the program runs as __main__ and passes when it reaches its end; an exception, sys.exit or a limit is a
failure. With --tests TESTS.py --entry NAME the program is loaded as a module, and TESTS.py runs in a second interpreter
where NAME stands for the program's function. Its results are compared there, as plain data: a program cannot reach its
judge.

With --backend native or auto, this machine's Python runs it in a jail, with its packages, and FILE may be in C++, Go, Java,
JavaScript, Rust or shell, by its ending: such a program passes when it exits with 0, which is its own word.

The verdicts are passed, failed, timeout (steps or time), memory, syntax_error, no_entry_point, empty and infra_error.
The same program takes the same steps everywhere; a step is a backward jump, a call or an iteration. The exit code is 0
for passed, 3 for infra_error and 1 for all others.`,
		Example: `  deeprepo sandbox script.py
  echo 'print(6 * 7)' | deeprepo sandbox -
  deeprepo sandbox solution.py --stdin input.txt --timeout 2s --memory 128
  deeprepo sandbox solution.py --tests checks.py --entry solve --json
  deeprepo sandbox plot.py --backend auto --python science
  deeprepo sandbox main.cpp --backend native --stdin input.txt`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{fmt.Errorf("one program is needed, not %d", len(args)), "deeprepo sandbox FILE.py, or - for standard input"}
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{"py"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.runSandbox(cmd, args[0], f) },
	}
	fl := cmd.Flags()
	backendFlags(cmd, &f.backend, &f.python)
	cmd.AddCommand(a.sandboxEnvCommand())
	fl.StringVar(&f.stdin, "stdin", "", "file for the program's standard input (default: empty)")
	fl.StringVar(&f.tests, "tests", "", "Python file that judges the program; it passes when it runs to its end")
	fl.StringVar(&f.entry, "entry", "", "function of the program that --tests calls")
	fl.DurationVar(&f.timeout, "timeout", 0, "how long the program may run (default 10s)")
	fl.Int64Var(&f.memoryMiB, "memory", 0, "MiB of memory, including 18 for the interpreter (default 512)")
	fl.Int64Var(&f.steps, "steps", 0, "interpreter steps, about ten million a second (default 200,000,000)")
	return cmd
}

func (a *app) runSandbox(cmd *cobra.Command, file string, f sandboxFlags) error {
	p, err := f.program(cmd, file)
	if err != nil {
		return err
	}
	var box executor = a.programs(a.say, 1) // never a fleet's
	if f.backend != backendWasm || f.python != "" {
		box, _, err = a.backend(cmd.Context(), f.backend, f.python, "", a.say, 1)
	}
	if err == nil && p.Language != "" {
		box, err = a.polyglot(cmd.Context(), box, f.backend, a.say, 1)
	}
	if err != nil {
		return err
	}
	j, err := box.Exec(cmd.Context(), p)
	if err != nil {
		return exitError{exitOutside, err}
	}
	if !a.json {
		a.showJudgement(j, len(p.Tests) > 0)
	} else if err := a.printJudgement(j); err != nil {
		return err
	}
	switch j.Verdict {
	case sandbox.Passed:
		return nil
	case sandbox.InfraError:
		return exitError{code: exitOutside}
	}
	return exitError{code: exitNo}
}

// program is what the flags ask for.
func (f sandboxFlags) program(cmd *cobra.Command, file string) (p sandbox.Program, err error) {
	switch {
	case f.timeout < 0 || f.memoryMiB < 0 || f.steps < 0:
		return p, usageError{errors.New("--timeout, --memory and --steps cannot be negative"), "omit them for the defaults"}
	case f.tests == "" && f.entry != "":
		return p, usageError{errors.New("--entry needs --tests"), "--entry names the function that the tests call"}
	case f.tests != "" && f.entry == "":
		return p, usageError{errors.New("--tests needs --entry"), "name the function of the program that the tests call"}
	case f.tests != "" && f.stdin != "":
		return p, usageError{errors.New("--stdin cannot be used with --tests"), "tests pass their input in calls"}
	case file == "-" && f.stdin == "-":
		return p, usageError{errors.New("standard input cannot be both the program and its input"), ""}
	}
	if word := strings.TrimPrefix(filepath.Ext(file), "."); word != "" {
		p.Language = native.Proper(language.OfExtension(word))
	}
	if p.Language != "" && f.tests != "" {
		return p, usageError{fmt.Errorf("--tests are for programs in Python, not in %s", p.Language), "put them behind the program"}
	}
	p.Limits = sandbox.Limits{Wall: f.timeout, MemoryBytes: f.memoryMiB << 20, Steps: f.steps}
	if p.Code, err = readSource(cmd, file); err != nil {
		return p, err
	}
	if f.stdin != "" {
		if p.Stdin, err = readSource(cmd, f.stdin); err != nil {
			return p, err
		}
	}
	if f.tests != "" {
		code, err := readSource(cmd, f.tests)
		if err != nil {
			return p, err
		}
		p.Entry, p.Tests = f.entry, []sandbox.Test{{Name: f.tests, Code: code}}
	}
	return p, nil
}

// maxSource bounds a program, its input or its tests, in bytes.
const maxSource = 64 << 20

func readSource(cmd *cobra.Command, file string) (string, error) {
	if file == "-" {
		b, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), maxSource+1))
		if err == nil && len(b) > maxSource {
			err = fmt.Errorf("standard input %w", &bounded.SizeError{Most: maxSource})
		}
		return string(b), err
	}
	b, err := bounded.ReadFile(file, maxSource)
	return strings.TrimPrefix(string(b), "\ufeff"), err // as Python reads files
}

func (a *app) printJudgement(j sandbox.Judgement) error {
	return a.printJSON(struct {
		Verdict     sandbox.Verdict  `json:"verdict"`
		Stdout      string           `json:"stdout"`
		Stderr      string           `json:"stderr"`
		Error       *sandbox.PyError `json:"error"`
		Steps       int64            `json:"steps"`
		Seconds     float64          `json:"seconds"`
		MemoryBytes int64            `json:"memory_bytes"`
	}{j.Verdict, j.Stdout, j.Stderr, j.Error, j.Steps, j.Wall.Seconds(), j.MemoryBytes})
}

func (a *app) showJudgement(j sandbox.Judgement, tests bool) {
	show := func(w io.Writer, s string, total int) {
		if isTerminal(w) {
			s = termtext.Masked(s)
		}
		_, _ = io.WriteString(w, s) // a closed pipe is the reader's wish
		if cut := total - len(s); cut > 0 && isTerminal(w) {
			fmt.Fprintf(w, "\n... [%d more bytes]\n", cut)
		}
	}
	show(a.stdout, j.Stdout, j.StdoutBytes)
	show(a.stderr, j.Stderr, j.StderrBytes)
	why := ""
	if e := j.Error; e != nil {
		if e.Traceback != "" {
			fmt.Fprint(a.stderr, termtext.Masked(e.Traceback))
		}
		line, _, _ := strings.Cut(e.Error(), "\n")
		why = ": " + termtext.Masked(line)
	}
	if tests && j.Verdict == sandbox.NoEntryPoint {
		why = ": the program does not define the function that the tests call"
	}
	fmt.Fprintf(a.stderr, "deeprepo: %s%s (%d steps, %.3f s, %d MiB)\n", j.Verdict, why, j.Steps, j.Wall.Seconds(), j.MemoryBytes>>20)
}
