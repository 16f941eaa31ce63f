package rollout

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/eval"
	"github.com/deeprepo/deeprepo/internal/fleet"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train/grpo"
)

// Player plays rollouts on a worker.
type Player struct {
	// Open gives the environment and the models that options name, on this machine. It must be given.
	Open func(ctx context.Context, o eval.Options) (eval.Config, error)
	// Dir is where contents are unpacked that travel. It must be given.
	Dir string
	// Environment opens a training's environment by its name, with what is at the path data where that is not "", and Sandbox runs
	// its cells. They must be given.
	Environment func(ctx context.Context, name, data string) (env.Environment, error)
	Sandbox     rlm.Sandbox

	mu           sync.Mutex
	host         *grpo.Host // of trainings, once there was one
	evals        recent[eval.Config]
	environments recent[env.Environment] // of trainings: they remember the tasks that they made
}

// Handle does an item of fleet.KindRollout.
func (p *Player) Handle(ctx context.Context, i *fleet.Item) (fleet.Output, error) {
	var of payload
	if err := json.Unmarshal(i.Payload, &of); err != nil {
		return fleet.Output{}, err
	}
	var done any
	var err error
	switch {
	case of.Eval != nil:
		done, err = p.eval(ctx, i, *of.Eval)
	case of.Training != nil:
		done, err = grpo.Perform(ctx, *of.Training, p.trains(i.Conn()))
	default:
		err = errors.New("the item asks for no rollout that this program knows")
	}
	if err != nil {
		return fleet.Output{}, err
	}
	body, err := json.Marshal(done)
	return fleet.Output{Body: body, Settled: true}, err
}

// trains is what plays the rollouts of trainings.
func (p *Player) trains(c *fleet.Conn) *grpo.Host {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host == nil {
		p.host = grpo.NewHost(grpo.HostConfig{Environment: p.environment(c), Blob: c.Blob, Sandbox: p.Sandbox})
	}
	return p.host
}

// environment opens environments for trainings.
func (p *Player) environment(c *fleet.Conn) func(ctx context.Context, name, data string) (env.Environment, error) {
	return func(ctx context.Context, name, data string) (env.Environment, error) {
		return p.environments.get(name+" "+data, func() (env.Environment, error) {
			path, err := p.place(ctx, c, data, "")
			if err != nil {
				return nil, err
			}
			return p.Environment(ctx, name, path)
		})
	}
}

// Close ends the sampling of policies.
func (p *Player) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.host != nil {
		p.host.Close()
	}
}

// eval plays a rollout of an eval.
func (p *Player) eval(ctx context.Context, i *fleet.Item, of evalItem) (eval.Performed, error) {
	c, err := p.open(ctx, i.Conn(), of)
	if err != nil {
		return eval.Performed{}, err
	}
	journal, err := i.Journal(ctx, journalOf(of.Work))
	if err != nil {
		return eval.Performed{}, err
	}
	w, past, err := continued(journal, of.Work)
	if err != nil {
		return eval.Performed{}, err
	}
	var pool *llm.Budget
	if of.Paid {
		if pool, err = i.Pool(ctx); err != nil {
			return eval.Performed{}, err
		}
	}
	done, err := eval.Perform(ctx, c, of.Work, w, past, pool)
	return done, errors.Join(err, w.Close())
}

// continued opens a journal as a trace, with what earlier holders and earlier executions left of the rollout. What costs
// nothing is written down at the end only: it can be played again.
func continued(journal *fleet.Journal, w eval.Work) (*trace.Writer, []trace.Event, error) {
	past, err := journal.Trace(w.Past)
	if err != nil {
		return nil, nil, err
	}
	var file trace.File = journal
	if !w.Paid {
		file = unflushed{journal}
	}
	return trace.NewWriter(file, int64(len(past)), time.Now, nil), past, nil
}

// unflushed is a journal that waits for its end.
type unflushed struct{ j *fleet.Journal }

func (u unflushed) Write(p []byte) (int, error) { return u.j.Write(p) }
func (unflushed) Sync() error                   { return nil }
func (u unflushed) Close() error                { return u.j.Close() }

// open gives the environment and the models of an eval, once for all its rollouts, and sees that a rollout's codebase is here.
func (p *Player) open(ctx context.Context, c *fleet.Conn, of evalItem) (eval.Config, error) {
	options, err := json.Marshal(of.Options)
	if err != nil {
		return eval.Config{}, err
	}
	key := of.Run + " " + of.Tree + " " + of.Data + " " + string(options)
	snapshots := ""
	if of.Snapshot != nil {
		// Each eval has a directory of its own: another one may say that a name stands for another content.
		sum := sha256.Sum256([]byte(key))
		snapshots = filepath.Join(p.Dir, "snapshots-"+hex.EncodeToString(sum[:16]))
		if err := placeBlob(ctx, c, snapshots, *of.Snapshot); err != nil {
			return eval.Config{}, err
		}
	}
	return p.evals.get(key, func() (eval.Config, error) {
		o := of.Options
		if snapshots != "" {
			o.Repos, o.Snapshots = "", snapshots
		}
		if o.Environment, err = p.place(ctx, c, of.Tree, o.Environment); err != nil {
			return eval.Config{}, err
		}
		if o.Data, err = p.place(ctx, c, of.Data, o.Data); err != nil {
			return eval.Config{}, err
		}
		return p.Open(ctx, o)
	})
}

// place is the path on this machine of the content with a hash; what it is otherwise, where there is none.
func (p *Player) place(ctx context.Context, c *fleet.Conn, hash, otherwise string) (string, error) {
	if hash == "" {
		return otherwise, nil
	}
	return placePath(ctx, c, p.Dir, hash)
}
