package codeeval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/verify"
)

// Outcome is a run, whether or not it came to its end.
type Outcome struct {
	// Dir is the run's directory, "" when nothing is kept.
	Dir     string
	Summary runfile.CodeSummary
}

// Verify judges samples. With an Outcome whose Dir is set, an error is a *rundir.Stopped, a *verify.GateError or a fault
// of the machine: what was judged until then is saved.
func Verify(ctx context.Context, o VerifyOptions, c VerifyConfig) (Outcome, error) {
	c = c.withDefaults()
	selected, err := o.selection(c.Set)
	if err != nil {
		return Outcome{}, err
	}
	src, err := o.source(c.Set, selected)
	if err != nil {
		return Outcome{}, err
	}
	if o.Samples == Stdin {
		file, err := spool(c.Stdin)
		if err != nil {
			return Outcome{}, err
		}
		defer os.Remove(file)
		src = verify.Source{Name: "standard input", Open: func() (io.ReadCloser, error) { return os.Open(file) }}
	}
	inventory, err := verify.Inspect(ctx, src, c.Set, selected)
	if err != nil {
		return Outcome{}, err
	}
	if inventory.Samples == 0 {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s holds no sample of the tasks that count", src.Name),
			"look at the file, and at --ids, --limit and --split")
	}
	if o.Out == "" {
		j := o.judging(c, nil, selected, src, inventory)
		s, err := j.run(ctx)
		return Outcome{Summary: s}, err
	}
	dir, err := rundir.Create(o.Out, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	m := Manifest{Manifest: runfile.Manifest{Schema: rundir.Schema, Command: verifyCommand, Version: c.Version, StartedAt: c.Now().UTC(),
		Fingerprint: o.fingerprint(c.Set)}, Options: o,
		Dropped: inventory.Dropped, Aside: inventory.Aside}
	err = dir.WriteJSON(ManifestName, m)
	if err == nil {
		err = writeSamples(dir, inventory.Of(src))
	}
	if err != nil {
		dir.Discard(SamplesName)
		return Outcome{}, err
	}
	return o.judge(ctx, c, dir, selected, m)
}

// judge judges the samples that the run's directory holds.
func (o VerifyOptions) judge(ctx context.Context, c VerifyConfig, dir *rundir.Dir, selected func(string) bool, m Manifest) (Outcome,
	error) {
	defer c.Opened(dir)()
	src := samplesOf(dir)
	inventory, err := verify.Inspect(ctx, src, c.Set, selected)
	if err != nil {
		return Outcome{}, err
	}
	inventory.Dropped, inventory.Aside = m.Dropped, m.Aside
	j := o.judging(c, dir, selected, src, inventory)
	s, err := j.run(ctx)
	return Outcome{Dir: dir.Path(), Summary: s}, err
}

// ResumeVerify continues the verification in path: samples without a verdict are judged. open gives the dataset and
// the sandbox that the saved options name.
func ResumeVerify(ctx context.Context, path string, open func(VerifyOptions) (VerifyConfig, error)) (Outcome, error) {
	m, err := rundir.ReadManifest[Manifest](path, kind)
	if err != nil {
		return Outcome{}, err
	}
	if m.Command != verifyCommand {
		return Outcome{}, hint.Wrap(fmt.Errorf("%s holds a run of %s, no verification", path, m.Command), "")
	}
	o := m.Options
	o.Out = path
	c, err := open(o)
	if err != nil {
		return Outcome{}, err
	}
	c = c.withDefaults()
	if o.fingerprint(c.Set) != m.Fingerprint {
		return Outcome{}, changed(m.Manifest)
	}
	selected, err := o.selection(c.Set)
	if err != nil {
		return Outcome{}, err
	}
	dir, err := rundir.Open(path, kind)
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	if _, err := dir.Root().Stat(SamplesName); errors.Is(err, os.ErrNotExist) {
		// Killed while the samples were copied: they are where they were.
		dir.Sweep(SamplesName)
		if o.Samples == Stdin {
			return Outcome{}, hint.New("the run was stopped before it had read all samples from standard input",
				"start it again, in another directory")
		}
		src, err := o.source(c.Set, selected)
		if err != nil {
			return Outcome{}, err
		}
		inventory, err := verify.Inspect(ctx, src, c.Set, selected)
		if err != nil {
			return Outcome{}, err
		}
		if err := writeSamples(dir, inventory.Of(src)); err != nil {
			return Outcome{}, err
		}
	}
	return o.judge(ctx, c, dir, selected, m)
}

// judging is what the options ask for, on existing samples.
func (o VerifyOptions) judging(c VerifyConfig, dir *rundir.Dir, selected func(string) bool, src verify.Source,
	inventory verify.Inventory) judging {
	return judging{
		set: c.Set, verifier: o.verifier(c, selected), dir: dir, now: c.Now, observe: c.Observe, inventory: inventory,
		samples: func() iter.Seq2[verify.Sample, error] { return inventory.Of(src) },
		name:    o.Samples, what: "verification", split: o.Split, rescue: o.Rescue, allowInfra: o.AllowInfra,
		python: c.Python, tool: c.Tool,
	}
}

// verifier is the one that the options ask for.
func (o VerifyOptions) verifier(c VerifyConfig, selected func(string) bool) *verify.Verifier {
	started := c.Now()
	return verify.New(verify.Config{
		Box: c.Box, Set: c.Set, Extract: c.Extract, Mode: o.Mode, Override: o.Mode != "", Workers: c.Workers, Repeat: o.Repeat,
		Rescue: o.Rescue, Challenge: o.Challenge, StepsFactor: o.StepsFactor, Selected: selected, Cache: c.Cache, Now: c.Now,
		Observe: func(done, total int) {
			c.Observe(Progress{Phase: PhaseControls, Done: done, Total: total, Elapsed: c.Now().Sub(started)})
		},
	})
}

// samplesOf are the samples that a run's directory holds.
func samplesOf(dir *rundir.Dir) verify.Source {
	open := func() (io.ReadCloser, error) { return bounded.OpenIn(dir.Root(), SamplesName, 0) }
	return verify.Source{Name: dir.File(SamplesName), Open: open}
}

// spool copies a stream, which can be read only once, to a file.
func spool(r io.Reader) (string, error) {
	f, err := os.CreateTemp("", "deeprepo-samples-*.jsonl")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, r)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("read standard input: %w", err)
	}
	return f.Name(), nil
}
