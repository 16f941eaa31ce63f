package sft

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/lm/bpe"
	"github.com/deeprepo/deeprepo/internal/lm/optim"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/demo"
)

// Outcome is what a run came to.
type Outcome struct {
	// Policy is the model that it made; it is saved in the directory's base.
	Policy nano.Policy
	// Dir is the model's directory.
	Dir string
	// Demonstrations are all that it had, those for measuring included.
	Demonstrations []train.Episode
	// Steps are its metrics.
	Steps []runfile.TrainingStep
	// Trained is how many numbers were trained: the model's, or an adapter's.
	Trained int
	// Heldout is the loss in nats a token of the cells, on demonstrations of other tasks.
	Heldout float64
}

// Method is what a manifest calls it.
const Method = "sft"

// maxDemonstrations bounds a file of demonstrations, in bytes.
const maxDemonstrations = 1 << 30

// Run collects demonstrations, learns a vocabulary from them, and trains a model on them, or continues what an earlier
// execution of the same run left in the directory. When ctx ends, what was done is saved and the error is a
// *rundir.Stopped; a run that makes no sense any more is a *Diverged.
func Run(ctx context.Context, o Options, c Config) (Outcome, error) {
	o = o.over(c.Base)
	if err := o.check(); err != nil {
		return Outcome{}, err
	}
	c, err := c.withDefaults()
	if err != nil {
		return Outcome{}, err
	}
	inputs, given, err := c.inputs()
	if err != nil {
		return Outcome{}, err
	}
	dir, err := train.Start(c.Out, train.Setup{Method: Method, Version: c.Version, Options: o, Inputs: inputs, Now: c.Now})
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	episodes, err := demonstrations(ctx, dir, o, c, given)
	if err != nil {
		return Outcome{}, err
	}
	r, err := begin(dir, o, c, episodes)
	if err != nil {
		return Outcome{}, err
	}
	if err := r.loop(ctx); err != nil {
		return Outcome{}, err
	}
	return r.end(ctx)
}

// inputs are digests of what the run is given beside its options, and the demonstrations where they are.
func (c Config) inputs() (digests []string, given []byte, err error) {
	if c.Demonstrations != "" {
		if given, err = bounded.ReadFile(c.Demonstrations, maxDemonstrations); err != nil {
			return nil, nil, hint.Wrap(err, "give a file of demonstrations, an episode a line, or none to have them collected")
		}
		h := sha256.Sum256(given)
		digests = append(digests, hex.EncodeToString(h[:]))
	}
	if c.Base != nil {
		digests = append(digests, train.Identity(*c.Base))
	}
	return digests, given, nil
}

// demonstrations are those given, those that an earlier execution has collected, or new ones.
func demonstrations(ctx context.Context, dir *train.Run, o Options, c Config, given []byte) ([]train.Episode, error) {
	if given != nil {
		return train.ReadEpisodes(bytes.NewReader(given), c.Demonstrations)
	}
	name := train.DemonstrationsName
	f, err := bounded.OpenIn(dir.Dir().Root(), name, 0)
	if err == nil {
		defer f.Close()
		return train.ReadEpisodes(f, dir.Dir().File(name))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	c.Say(fmt.Sprintf("%d demonstrations are played", o.Episodes))
	episodes, err := demo.Collect(ctx, c.Environment, c.Sandbox,
		demo.Config{Episodes: o.Episodes, Seed: o.Seed, Difficulties: o.Difficulties, Observe: c.Played})
	if err != nil {
		if ctx.Err() != nil {
			return nil, stopped(c, "demonstrations", 0, o.Episodes, ctx)
		}
		return nil, err
	}
	dir.Dir().Sweep(name)
	return episodes, dir.Dir().Write(name, func(w io.Writer) error { return train.WriteEpisodes(w, episodes) })
}

// run is a training in progress.
type run struct {
	o         Options
	c         Config
	dir       *train.Run
	episodes  []train.Episode
	tokenizer *bpe.Tokenizer
	model     *transformer.Model
	adapter   *transformer.Adapter // nil: all weights are trained
	learner   *learner
	lessons   []lesson
	heldout   []lesson
	order     *order
	steps     int // in all
	done      int
	saved     int
	course    course
}

// begin prepares everything, and sets it to the checkpoint where there is one.
func begin(dir *train.Run, o Options, c Config, episodes []train.Episode) (*run, error) {
	r := &run{o: o, c: c, dir: dir, episodes: episodes}
	wanted := episodes
	if o.MinReward > 0 {
		wanted = nil
		for _, ep := range episodes {
			if ep.Reward >= o.MinReward {
				wanted = append(wanted, ep)
			}
		}
	}
	learn, heldout := split(wanted, o.Heldout)
	if len(learn) == 0 || len(heldout) == 0 {
		return nil, hint.Wrap(fmt.Errorf("%d demonstrations of %d are too few: some are to learn from, those of other tasks to measure by",
			len(wanted), len(episodes)),
			"collect more, of several tasks")
	}
	if c.Base != nil {
		r.tokenizer, r.model = c.Base.Tokenizer, c.Base.Model
		if o.Rank == 0 {
			r.model = r.model.Clone()
		}
		if v := r.model.Config.Vocab; v != r.tokenizer.Vocab() {
			return nil, hint.Wrap(fmt.Errorf("the base model has a vocabulary of %d tokens, its tokenizer of %d", v, r.tokenizer.Vocab()),
				"model and tokenizer must be of one checkpoint")
		}
	} else {
		var err error
		if r.tokenizer, err = learnVocabulary(learn, o.Vocab); err != nil {
			return nil, err
		}
		shape, _ := Shape(o.Size) // it was checked
		shape.Vocab = r.tokenizer.Vocab()
		r.model = transformer.New(shape, uint64(o.Seed))
	}
	var err error
	if r.lessons, err = lessonsOf(r.tokenizer, learn, r.model.Config.Context); err != nil {
		return nil, err
	}
	if r.heldout, err = lessonsOf(r.tokenizer, heldout, r.model.Config.Context); err != nil {
		return nil, err
	}
	if len(r.lessons) == 0 || len(r.heldout) == 0 {
		return nil, fmt.Errorf("no demonstration fits a context of %d tokens", r.model.Config.Context)
	}
	r.order = &order{seed: uint64(o.Seed), n: len(r.lessons)}
	r.steps = steps(r.lessons, r.order, o.Batch, o.Tokens)
	if o.Rank > 0 {
		r.adapter = transformer.NewAdapter(r.model.Config, o.Rank, 2*float64(o.Rank), uint64(o.Seed))
	}
	params := r.trained()
	r.learner = &learner{optimizer: optim.New(params, optim.AdamW{Decay: o.Decay}), viewWeight: o.ViewWeight, maxNorm: o.MaxNorm}
	if s := dir.State(); s != nil {
		if err := s.Restore(params, r.learner.optimizer, &r.course); err != nil {
			return nil, fmt.Errorf("%s: %w", dir.Dir().File(train.CheckpointName), err)
		}
		r.done, r.saved = s.Step, s.Step
		c.Say(fmt.Sprintf("the training continues after step %d of %d", r.done, r.steps))
	}
	r.learner.sum = train.NewSum(r.computed(), r.adapter, c.Cores)
	return r, nil
}

// computed is the model that passes go through.
func (r *run) computed() *transformer.Model {
	if r.c.Base != nil && r.adapter != nil {
		return r.c.Base.Computed()
	}
	return r.model
}

// trained are the tensors that change.
func (r *run) trained() []transformer.Param {
	if r.adapter != nil {
		return r.adapter.Params()
	}
	return r.model.Params()
}

// loop makes the steps that are left.
func (r *run) loop(ctx context.Context) error {
	for r.done < r.steps {
		s, err := r.step(ctx)
		if err != nil {
			if errors.Is(err, ctx.Err()) { // the step was not made
				return errors.Join(stopped(r.c, "steps", r.done, r.steps, ctx), r.save())
			}
			return err // the weights may be those of no step: the last checkpoint stands
		}
		r.done = s.Step
		if err := r.dir.Record(s); err != nil {
			return err
		}
		if r.done%r.o.SaveEvery == 0 || r.done == r.steps {
			if err := r.save(); err != nil {
				return err
			}
		}
		r.c.Observe(Progress{s, r.steps})
	}
	return nil
}

// step makes the next one. When it fails the weights are those of the step before.
func (r *run) step(ctx context.Context) (runfile.TrainingStep, error) {
	start := r.c.Now()
	s := runfile.TrainingStep{Step: r.done + 1, LR: optim.Cosine(r.done, r.steps, min(r.o.Warmup, r.steps/2), r.o.LR, r.o.LR/10)}
	batch := make([]lesson, r.o.Batch)
	for i := range batch {
		batch[i] = r.lessons[r.order.at(r.done*r.o.Batch+i)]
		s.Tokens += len(batch[i].segment.Tokens)
	}
	var err error
	if s.Loss, s.GradNorm, err = r.learner.step(ctx, batch, s.LR); err != nil {
		return s, err
	}
	course := r.course
	if err := course.check(s.Step, s.Loss, s.GradNorm, r.o.Patience); err != nil {
		return s, err
	}
	s.Seconds = r.c.Now().Sub(start).Seconds()
	if s.Seconds > 0 {
		s.TokensPerSecond = float64(s.Tokens) / s.Seconds
	}
	if s.Step%r.o.HeldoutEvery == 0 || s.Step == r.steps {
		// The step is made: an interruption now would make it twice. It takes less than a second.
		v, err := r.learner.measure(context.WithoutCancel(ctx), r.heldout)
		if err != nil {
			return s, err
		}
		s.Heldout = &v
		s.HeldoutSeconds = r.c.Now().Sub(start).Seconds() - s.Seconds
	}
	r.course = course
	return s, nil
}

// save writes the checkpoint of the steps that are done.
func (r *run) save() error {
	if r.saved == r.done {
		return nil
	}
	s, err := train.Snapshot(r.done, r.trained(), r.learner.optimizer, r.course)
	if err != nil {
		return err
	}
	if err := r.dir.Save(s); err != nil {
		return err
	}
	r.saved = r.done
	return nil
}

// end writes the model.
func (r *run) end(ctx context.Context) (Outcome, error) {
	trained := 0
	for _, p := range r.trained() {
		trained += len(p.Data)
	}
	if r.adapter != nil {
		r.model = r.model.Merge(r.adapter)
	}
	all := r.dir.Steps()
	out := Outcome{Policy: nano.Policy{Model: r.model, Tokenizer: r.tokenizer, Name: "nano/" + r.dir.Manifest.ID},
		Dir:            r.dir.Dir().File(train.BaseName),
		Demonstrations: r.episodes, Steps: all, Trained: trained}
	if n := len(all); n > 0 && all[n-1].Heldout != nil {
		out.Heldout = *all[n-1].Heldout
	}
	meta := map[string]string{"made_by": "deeprepo train sft", "fingerprint": r.dir.Manifest.Fingerprint}
	if r.c.Base != nil {
		out.Policy.Template = r.c.Base.Template
	}
	if err := out.Policy.Write(out.Dir, meta); err != nil {
		return out, fmt.Errorf("write the model: %w", err)
	}
	return out, ctx.Err()
}

// stopped is the error of a run that was interrupted.
func stopped(c Config, parts string, done, total int, ctx context.Context) error {
	return &rundir.Stopped{What: "training", Parts: parts, Dir: c.Out, Why: "interrupted", Done: done, Total: total, Cause: context.Cause(ctx)}
}
