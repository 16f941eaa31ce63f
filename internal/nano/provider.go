package nano

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
)

//go:embed orchestrator
var files embed.FS

// Orchestrator is the name of the policy that is embedded in the program.
const Orchestrator = "orchestrator"

// DefaultTemperature is the temperature at which a policy is sampled by default, and at which trainings measure it, so
// that an opened policy is the one in the tables. In training it is warmer.
const DefaultTemperature = 0.7

// Names of what a directory of a policy holds: a run of training has a model and an adapter in it, a model directory is a
// model itself.
const (
	baseDir    = "base"
	adapterDir = "adapter"
	configName = "config.json"
	// adapterConfig is there where adapterDir is one.
	adapterConfig = "adapter_config.json"
)

// ProviderConfig configures a [Provider].
type ProviderConfig struct {
	// Embedded holds the policy that is called orchestrator, laid out as a run of training. Defaults to the program's own.
	Embedded fs.FS
	// Open gives a directory that a model's name says. Defaults to the directory itself.
	Open func(dir string) fs.FS
	// Sampler says how replies are sampled.
	Sampler SamplerConfig
}

// Provider opens policies by name: "orchestrator", the one in the program, a GGUF file, or a directory, that of a run of
// training or of a model; behind a colon the directory of another adapter, and at the end "@int8" for weights in eight
// bits. Each is loaded once and shared by all who open it, so that rollouts played side by side are sampled together. It is
// safe for concurrent use.
type Provider struct {
	c ProviderConfig

	mu     sync.Mutex
	opened map[string]*opened
	closed bool
}

// opened is a policy that was asked for.
type opened struct {
	once    sync.Once
	sampler *Sampler
	err     error
}

// NewProvider loads nothing yet.
func NewProvider(c ProviderConfig) *Provider {
	if c.Embedded == nil {
		sub, err := fs.Sub(files, Orchestrator)
		if err != nil {
			panic(err) // the directory is embedded: this cannot fail in a program that was built
		}
		c.Embedded = sub
	}
	if c.Open == nil {
		c.Open = os.DirFS
	}
	return &Provider{c: c, opened: map[string]*opened{}}
}

// Open gives a policy as a model. Nothing is remembered between its requests: the seed is the request's, or made of the
// messages, so equal requests have equal replies.
func (p *Provider) Open(model string) (llm.Handle, error) {
	p.mu.Lock()
	o := p.opened[model]
	if o == nil {
		o = &opened{}
		p.opened[model] = o
	}
	closed := p.closed
	p.mu.Unlock()
	o.once.Do(func() {
		if closed {
			o.err = errClosed
			return
		}
		policy, err := p.load(model)
		if err != nil {
			o.err = err
			return
		}
		o.sampler = NewSampler(policy, p.c.Sampler)
	})
	if o.err != nil {
		p.forget(model, o)
		return llm.Handle{}, o.err
	}
	return o.sampler.handle(&voice{s: o.sampler, conversation: Conversation{Temperature: DefaultTemperature}}), nil
}

// Policy gives the weights of a policy, for further training. Nothing is sampled.
func (p *Provider) Policy(model string) (Policy, error) {
	if strings.HasSuffix(model, eightBits) {
		return Policy{}, unknown(model, "weights in eight bits are not trained further", "give the model without "+eightBits+
			"; deeprepo train --weights int8 computes with it in eight bits")
	}
	return p.load(model)
}

// forget lets a policy that did not load be tried again: its directory may be there later.
func (p *Provider) forget(model string, o *opened) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opened[model] == o {
		delete(p.opened, model)
	}
}

// Status says whether a policy is embedded, and that any directory of a trained one will do.
func (p *Provider) Status(context.Context) llm.Status {
	s := llm.Status{Provider: "nano", Configured: true, Local: true}
	if _, err := fs.Stat(p.c.Embedded, baseDir+"/"+configName); err != nil {
		s.Problem = noPolicy + "; nano/DIR opens the directory of a trained one"
		return s
	}
	s.Reachable, s.Served = true, []string{Orchestrator}
	s.Models = []llm.ModelInfo{{Name: "nano/" + Orchestrator, Price: llm.NotBilled()}}
	return s
}

// Close ends the sampling of all policies.
func (p *Provider) Close() error {
	p.mu.Lock()
	p.closed = true
	all := p.opened
	p.opened = map[string]*opened{}
	p.mu.Unlock()
	for _, o := range all {
		o.once.Do(func() { o.err = errClosed })
		if o.sampler != nil {
			o.sampler.Close()
		}
	}
	return nil
}

const noPolicy = "no policy is embedded in this build"

// trainHint says where policies come from.
const trainHint = "train one with `deeprepo train grpo`, and name its directory: nano/DIR"

// eightBits behind a name has the weights computed with in eight bits.
const eightBits = "@int8"

// load reads weights and a tokenizer, and merges the adapter.
func (p *Provider) load(name string) (Policy, error) {
	files, eight := strings.CutSuffix(name, eightBits)
	base, called, _ := strings.Cut(files, ":")
	s, adapter, err := p.open(name, base)
	if err != nil {
		return Policy{}, err
	}
	defer s.Close()
	m, err := s.Model()
	if err != nil {
		return Policy{}, unreadable(name, err)
	}
	if called != "" {
		if adapter = p.c.Open(called); !exists(adapter, adapterConfig) {
			return Policy{}, unknown(name, fmt.Sprintf("there is no adapter in %q", called),
				"an adapter directory holds "+adapterConfig+" and adapter_model.safetensors")
		}
	}
	policy := Policy{Model: m, Tokenizer: s.Tokenizer, Template: s.Template, Name: "nano/" + name}
	if adapter != nil {
		a, err := checkpoint.ReadAdapter(adapter, m)
		if err != nil {
			return Policy{}, unreadable(name, err)
		}
		if eight { // what it changes may be less than what is rounded away
			policy.Adapter = a
		} else {
			policy.Model = m.Merge(a)
		}
	}
	if eight {
		policy.Model = m.InEightBits()
	}
	if err := policy.Validate(); err != nil {
		return Policy{}, unknown(name, err.Error(), trainHint)
	}
	return policy, nil
}

// open opens the files of a policy, and says where the adapter of its own is; nil: it has none.
func (p *Provider) open(name, base string) (s *checkpoint.Source, adapter fs.FS, err error) {
	var where fs.FS
	switch {
	case strings.HasSuffix(base, ggufSuffix):
		dir, file := p.c.Open(filepath.Dir(base)), filepath.Base(base)
		if !exists(dir, file) {
			return nil, nil, unknown(name, fmt.Sprintf("there is no file %q", base), trainHint)
		}
		if s, err = checkpoint.OpenGGUF(dir, file); err != nil {
			return nil, nil, unreadable(name, err)
		}
		return s, nil, nil
	case base == Orchestrator:
		if where = p.c.Embedded; !exists(where, baseDir+"/"+configName) {
			return nil, nil, unknown(name, noPolicy, trainHint)
		}
	default:
		if where = p.c.Open(base); !exists(where, ".") {
			return nil, nil, unknown(name, fmt.Sprintf("there is no directory %q", base), trainHint)
		}
	}
	dir, run, err := modelDir(where)
	if err != nil {
		return nil, nil, unknown(name, err.Error(),
			"a model directory holds "+configName+", model.safetensors and tokenizer.json, or one GGUF file; "+trainHint)
	}
	if run && exists(where, adapterDir+"/"+adapterConfig) {
		if adapter, err = fs.Sub(where, adapterDir); err != nil {
			return nil, nil, unreadable(name, err)
		}
	}
	if s, err = checkpoint.Open(dir); err != nil {
		return nil, nil, unreadable(name, err)
	}
	return s, adapter, nil
}

// modelDir is where a directory has its model: in base, where it is that of a run, or in itself.
func modelDir(where fs.FS) (dir fs.FS, run bool, err error) {
	switch {
	case exists(where, baseDir+"/"+configName):
		dir, err = fs.Sub(where, baseDir)
		return dir, true, err
	case exists(where, configName):
		return where, false, nil
	}
	if found, err := fs.Glob(where, "*"+ggufSuffix); err == nil && len(found) == 1 {
		return where, false, nil
	}
	return nil, false, errors.New("the directory holds no model")
}

// ggufSuffix is how a file of llama.cpp's ends.
const ggufSuffix = ".gguf"

func exists(where fs.FS, name string) bool {
	_, err := fs.Stat(where, name)
	return err == nil
}

func unknown(name, message, hint string) error {
	return &llm.Error{Kind: llm.KindUnknownModel, Model: "nano/" + name, Message: message, Hints: hint}
}

// unreadable keeps the hint of what is wrong with a file.
func unreadable(name string, err error) error {
	return unknown(name, err.Error(), hint.Of(err))
}

var _ llm.Provider = (*Provider)(nil)
