package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"

	"github.com/deeprepo/deeprepo/internal/env/catalog"
	"github.com/deeprepo/deeprepo/internal/env/policy"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// envCache overrides the directory for compiled modules and workers' replies.
const envCache = "DEEPREPO_CACHE"

func (a *app) cacheDir() string {
	if dir := a.getenv(envCache); dir != "" {
		return dir
	}
	if base, err := os.UserCacheDir(); err == nil {
		return filepath.Join(base, "deeprepo")
	}
	// No home: a private directory for this run. A shared one in a world-writable place could be planted.
	a.private.Do(func() {
		if dir, err := os.MkdirTemp("", "deeprepo-"); err == nil {
			a.privateDir = dir
			a.closeLater(func() error { return os.RemoveAll(dir) })
		}
	})
	return a.privateDir
}

// catalog is what environments are opened with. data is the file of the reference environment's codebases, or "".
func (a *app) catalog(data string) catalog.Options {
	return catalog.Options{Parser: a.parser, Data: data, GraphDir: a.graphDir()}
}

// graphDir keeps what code graphs read of each content.
func (a *app) graphDir() string { return filepath.Join(a.cacheDir(), "graph") }

// parser is opened when something is parsed for the first time.
func (a *app) parser() (*syntax.Parser, error) {
	a.parsing.Do(func() {
		a.syntax, a.syntaxErr = syntax.Open(context.Background(), syntax.Config{CacheDir: filepath.Join(a.cacheDir(), "syntax")})
		if a.syntaxErr == nil {
			a.closeLater(a.syntax.Close)
		}
	})
	return a.syntax, a.syntaxErr
}

// registry knows all providers, the offline ones included.
func (a *app) registry(c config) (*llm.Registry, error) {
	pc := provider.Config{Getenv: a.getenv, Models: c.models}
	if a.getenv(provider.EnvLocalURL) == "" {
		pc.LocalURL = c.text("local_url")
	}
	a.waiting.apply(&pc, c.waiting)
	var err error
	if pc.Prices, err = a.prices(); err != nil {
		return nil, err
	}
	registry, err := provider.NewRegistry(pc)
	if err != nil {
		return nil, err
	}
	worker := sync.OnceValues(func() (*rules.Worker, error) {
		parser, err := a.parser()
		if err != nil {
			return nil, err
		}
		return rules.NewWorker(rules.NewSet(parser, rules.All()).Knowing(&a.flows)), nil
	})
	registry.Register("offline", func(model string) (llm.Handle, error) {
		switch model {
		case "orchestrator":
			return offline.Handle(), nil
		case "localiser":
			return offline.Localiser(), nil
		}
		w, err := worker()
		if err != nil {
			return llm.Handle{}, err
		}
		return w.Handle(), nil
	}, "orchestrator", "localiser", "rules")
	policies := nano.NewProvider(nano.ProviderConfig{})
	a.closeLater(policies.Close)
	registry.RegisterProvider("nano", policies)
	return registry, nil
}

// registerPolicies adds the scripted policies, for commands that measure: policy/honest and the others.
func registerPolicies(registry *llm.Registry) {
	registry.Register("policy", func(name string) (llm.Handle, error) {
		h, _ := policy.Handle(name) // the registry refuses names that are not listed
		return h, nil
	}, policy.Names()...)
}

// env is what reviews run in. The progress view must be closed.
func (a *app) env(registry *llm.Registry, p *progress) review.Env {
	env := a.reviewEnv(registry, &lazySandbox{app: a, say: p.say}, p.say)
	env.Observe = p.observe
	if a.verbose {
		env.Watch = p.event
	}
	return env
}

// reviewEnv is env with a sandbox that is there.
func (a *app) reviewEnv(registry *llm.Registry, box *lazySandbox, say func(string)) review.Env {
	env := review.Env{Registry: registry, Version: version(), Say: say, Sandbox: box, Programs: box, Syntax: a.parser, Flows: &a.flows,
		GraphDir: a.graphDir()}
	if cache, err := llm.OpenCache(llm.CacheConfig{Dir: filepath.Join(a.cacheDir(), "replies")}); err == nil {
		env.Cache = cache
	} else {
		say("workers' replies are not cached: " + err.Error())
	}
	return env
}

// lazySandbox starts the sandbox when the first cell needs it: a wrong flag or a missing key should not wait for it.
type lazySandbox struct {
	app     *app
	say     func(string)
	workers int // processes; 0: one
	once    sync.Once
	eng     *sandbox.Engine
	err     error
}

// engine is the started sandbox.
func (l *lazySandbox) engine(ctx context.Context) (*sandbox.Engine, error) {
	l.once.Do(func() {
		l.eng, l.err = sandbox.Open(ctx, sandbox.Config{
			CacheDir:  filepath.Join(l.app.cacheDir(), "sandbox"),
			Workers:   l.workers,
			OnCompile: func() { l.say("compiling the Python interpreter for the sandbox, once on this machine") },
		})
		if l.err == nil {
			l.app.closeLater(l.eng.Close)
		}
	})
	if l.err != nil {
		return nil, errors.Join(errors.New("the sandbox did not start"), l.err)
	}
	return l.eng, nil
}

// begin starts it beside what the caller does next.
func (l *lazySandbox) begin(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		_, _ = l.engine(ctx) // who needs it is told why there is none
	}()
	l.app.closeLater(func() error { cancel(); <-begun; return nil })
}

// NewSession opens a REPL.
func (l *lazySandbox) NewSession(ctx context.Context, c sandbox.SessionConfig) (*sandbox.Session, error) {
	eng, err := l.engine(ctx)
	if err != nil {
		return nil, err
	}
	return eng.NewSession(ctx, c)
}

// Exec judges a program.
func (l *lazySandbox) Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error) {
	eng, err := l.engine(ctx)
	if err != nil {
		return sandbox.Judgement{}, err
	}
	return eng.Exec(ctx, p)
}

// programs is the sandbox of commands that judge programs, workers of them at a time: the same for each who asks for so many.
func (a *app) programs(say func(string), workers int) *lazySandbox {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.judge == nil || a.judge.workers != workers {
		a.judge = &lazySandbox{app: a, say: say, workers: workers}
	}
	return a.judge
}
