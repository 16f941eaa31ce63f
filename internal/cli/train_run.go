package cli

import (
	"errors"
	"runtime"
	"time"

	"github.com/spf13/cobra"

	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/recipe"
)

// train trains by a recipe, or goes on with it.
func (a *app) train(cmd *cobra.Command, o recipe.Options, out string) error {
	ctx := cmd.Context()
	if out == "" {
		var err error
		if out, err = train.Fresh(o.Method, time.Now()); err != nil {
			return err
		}
	}
	p := newTrainProgress(a.stderr)
	defer p.close()
	c := recipe.Config{Sandbox: &lazySandbox{app: a, say: p.say, workers: runtime.NumCPU()}, Out: out, Version: version(), Observe: p.observe, Say: p.say}
	var err error
	if c.Environment, err = a.environment(ctx, o.Environment, o.Data, ""); err != nil {
		return err
	}
	if c.Measured, err = a.environment(ctx, o.Measure.Environment, "", ""); err != nil {
		return err
	}
	if c.Demonstrated, err = a.environment(ctx, recipe.DefaultEnvironment, "", ""); err != nil {
		return err
	}
	s, err := recipe.Run(ctx, o, c)
	p.close()
	if err = a.finishTrain(s, err); errors.As(err, new(*rundir.Stopped)) {
		return exitError{exitOutside, err}
	}
	return err
}

// resumeTrain goes on with a training.
func (a *app) resumeTrain(cmd *cobra.Command, dir string) error {
	o, err := recipe.ReadPlan(dir)
	if err != nil {
		return err
	}
	return a.train(cmd, o, dir)
}
