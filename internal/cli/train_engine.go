package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/engine"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// engineFlags hand a training over to another engine. o and c have what a flag sets by itself.
type engineFlags struct {
	o     engine.Options
	c     engine.Config
	write bool
}

func (f *engineFlags) add(cmd *cobra.Command) {
	names := append([]string{recipe.Embedded}, engine.Names()...)
	fl := cmd.Flags()
	fl.StringVar(&f.o.Engine, "engine", recipe.Embedded, strings.Join(names, ", ")+": who trains")
	fl.StringVar(&f.o.Model, "model", "", "other engines: the base model, a directory or a name on Hugging Face's hub")
	fl.BoolVar(&f.write, "write", false, "other engines: only write their files, start nothing")
	fl.StringVar(&f.c.URL, "url", "", "other engines: URL of a served environment (default: one is served during the training)")
	fl.StringVar(&f.c.Endpoint, "endpoint", "", "other engines: URL of the vLLM or llama-server that will serve the adapter")
	fl.StringVar(&f.c.Python, "python", "", "other engines: the Python in which they are installed (default python3)")
	fl.StringVar(&f.c.Home, "home", "", "other engines: the directory to start them in; for prime-rl its checkout")
	fl.StringVar(&f.o.Name, "name", "", "other engines: name of the adapter, as in model:adapter (default deeprepo)")
	fl.StringVar(&f.o.Worker, "worker", "", "other engines: the workers, as for env serve (default sim)")
	fl.IntVar(&f.o.MaxTokens, "max-tokens", 0, "other engines: maximum tokens of a reply (default 2048)")
	fl.IntVar(&f.o.Context, "context", 0, "other engines: maximum tokens of a conversation (default 16384)")
	fl.IntVar(&f.o.GPUs, "gpus", 0, "other engines: number of GPUs for prime-rl and verl (default 2 and 1)")
	complete(cmd, "engine", names...)
}

// onlyOthers are the flags that mean nothing to the embedded engine.
func onlyOthers() []string {
	return []string{"model", "write", "url", "endpoint", "python", "home", "name", "worker", "max-tokens", "context", "gpus"}
}

// chosen reports whether another engine is asked for. both are flags of the command that other engines take, too.
func (f *engineFlags) chosen(cmd *cobra.Command, both ...string) (bool, error) {
	if f.o.Engine == recipe.Embedded {
		for _, name := range onlyOthers() {
			if cmd.Flags().Changed(name) {
				return false, usageError{fmt.Errorf("--%s is not for the embedded engine", name),
					"name one: --engine " + strings.Join(engine.Names(), ", ")}
			}
		}
		return false, nil
	}
	if !slices.Contains(engine.Names(), f.o.Engine) {
		return false, usageError{fmt.Errorf("unknown engine %q", f.o.Engine),
			"use " + recipe.Embedded + ", " + strings.Join(engine.Names(), ", ")}
	}
	both = append(both, onlyOthers()...)
	both = append(both, "engine", "out", "seed", "json", "config")
	var wrong string
	cmd.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(both, flag.Name) {
			wrong = flag.Name
		}
	})
	if wrong != "" {
		return false, usageError{fmt.Errorf("--%s cannot be used with --engine %s", wrong, f.o.Engine), "it is for the embedded engine"}
	}
	if f.o.Model == "" {
		return false, usageError{fmt.Errorf("%s needs a base model", f.o.Engine), "name it: --model DIR or OWNER/NAME"}
	}
	return true, nil
}

// handOver has another engine train.
func (a *app) handOver(cmd *cobra.Command, f engineFlags, out string) error {
	o := f.o
	if out == "" {
		var err error
		if out, err = train.Fresh(o.Engine+"-"+o.Method, time.Now()); err != nil {
			return err
		}
	}
	if f.write {
		return a.writeEngine(o, out)
	}
	p := a.newTrainProgress()
	c := f.c
	c.Out, c.Version, c.Say = out, version(), p.say
	c.Observe = func(s runfile.TrainingStep) {
		p.observe(recipe.Progress{Phase: recipe.PhaseTraining, Done: s.Step, Total: max(o.Steps, s.Step), Step: &s})
	}
	var err error
	if c.Program, err = os.Executable(); err != nil {
		return err
	}
	s, done, err := recipe.HandOver(cmd.Context(), o, c)
	p.close()
	switch {
	case errors.As(err, new(*rundir.Stopped)):
		return exitError{exitOutside, usageError{err, "the same command with --out " + done.Dir + " continues"}}
	case err != nil && done.Dir == "":
		return err
	case err != nil:
		return exitError{exitOutside, err}
	}
	if done.Model != "" {
		a.say("the adapter is served as " + done.Model)
	}
	return a.finishTrain(s, nil)
}

// writeEngine writes an engine's files and starts nothing.
func (a *app) writeEngine(o engine.Options, out string) error {
	files, err := engine.Write(out, o)
	if err != nil {
		return usage(err)
	}
	place := engine.Place{Out: filepath.Join(out, "out"), Dir: out}
	command := engine.Command(o.WithDefaults(), place, "python3")
	return a.print(map[string]any{"engine": o.Engine, "files": files, "command": command}, func(w io.Writer) error {
		a.say("nothing was started; to start it: " + strings.Join(command, " "))
		_, err := fmt.Fprintln(w, strings.Join(files, "\n"))
		return err
	})
}
