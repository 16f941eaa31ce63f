// Package syntax turns source text into syntax trees with tree-sitter's own
// runtime and grammars, compiled to one WebAssembly module that is run here
// without cgo. See wasm/README.md for how the module is made.
//
// Its invariant: whatever the text, Parse returns a tree whose spans lie in
// the text, or an error; the text can neither reach outside the module's
// memory nor end the process, nor take more than Config.Timeout.
//
// It is not a judge of programs: names are not resolved, types are not known,
// and broken text still gives a tree.
package syntax

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/sync/semaphore"
)

const (
	// MaxSource is the longest text that Parse takes, in bytes.
	MaxSource = 4 << 20
	// MaxNodes is the largest tree that Parse returns.
	MaxNodes = 4 << 20
	// MaxDepth is how deep nodes may nest: deeper ones are left out of the
	// tree, so that code may recurse over a tree without care.
	MaxDepth = 2000

	// keptMemory is what an instance's memory may grow to before the
	// instance is dropped after its parse: WebAssembly memory never shrinks.
	keptMemory = 64 << 20
	// atOnce bounds the sources that are parsed at the same time, together, in
	// bytes. A parse can need 400 bytes of memory for each; programs need 50.
	atOnce = 1 << 20

	// memoryPages caps an instance's memory at 512 MiB, in pages of 64 KiB.
	memoryPages = 512 << 20 >> 16
)

var (
	// ErrLanguage is returned by Parse for a language it has no grammar of.
	ErrLanguage = errors.New("no grammar for this language")
	// ErrTooLarge is returned by Parse for a text over MaxSource, or one
	// whose tree would be over MaxNodes.
	ErrTooLarge = errors.New("source too large to parse")
	// ErrTooHard is returned by Parse for a text that takes far more work
	// than programs of its size do, or longer than Config.Timeout.
	ErrTooHard = errors.New("source too hard to parse")
	// ErrClosed is returned by Parse after Close.
	ErrClosed = errors.New("syntax parser is closed")
)

// Config says how to open a Parser. The zero Config works.
type Config struct {
	// CacheDir keeps the module's machine code between runs, which saves
	// the time to compile it. Other users must not be able to write to it, because its contents are run. A cache that
	// cannot be used is done without. Defaults to none.
	CacheDir string
	// Timeout bounds one Parse. Defaults to 10 seconds.
	Timeout time.Duration
	// Instances bounds the parses that run at once; each takes about 10 MB.
	// Defaults to GOMAXPROCS.
	Instances int
}

// languages are the grammars in the order of the module's numbers: build.sh has the same list.
var languages = language.Grammars()

// Parser parses texts. It is safe for concurrent use.
type Parser struct {
	timeout time.Duration
	runtime wazero.Runtime
	cache   wazero.CompilationCache
	module  wazero.CompiledModule
	slots   chan struct{}       // one for each instance that may run
	sources *semaphore.Weighted // the bytes that are parsed at once

	mu      sync.Mutex
	idle    []*instance
	names   []*names
	closed  bool
	running sync.WaitGroup

	remembered memory
}

// Open compiles the module, or loads its machine code from the cache.
func Open(ctx context.Context, c Config) (*Parser, error) {
	if c.Timeout <= 0 {
		c.Timeout = 10 * time.Second
	}
	if c.Instances <= 0 {
		c.Instances = runtime.GOMAXPROCS(0)
	}
	code, err := decompress(module)
	if err != nil {
		return nil, fmt.Errorf("syntax: unpack grammars: %w", err)
	}
	p, err := open(ctx, c, code)
	if err != nil && c.CacheDir != "" && ctx.Err() == nil {
		c.CacheDir = "" // such as one that a crash left half written
		p, err = open(ctx, c, code)
	}
	if err != nil {
		return nil, fmt.Errorf("syntax: compile grammars: %w", err)
	}
	return p, nil
}

func open(ctx context.Context, c Config, code []byte) (*Parser, error) {
	p := &Parser{timeout: c.Timeout, names: make([]*names, len(languages)), slots: make(chan struct{}, c.Instances),
		sources: semaphore.NewWeighted(atOnce)}
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if c.CacheDir != "" {
		var err error
		p.cache, err = wazero.NewCompilationCacheWithDir(c.CacheDir)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(p.cache)
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := p.compile(ctx, code); err != nil {
		return nil, errors.Join(err, p.release(ctx))
	}
	return p, nil
}

func (p *Parser) compile(ctx context.Context, code []byte) error {
	if err := linkHost(ctx, p.runtime); err != nil {
		return err
	}
	workers := min(runtime.GOMAXPROCS(0), 8)
	var err error
	p.module, err = p.runtime.CompileModule(experimental.WithCompilationWorkers(ctx, workers), code)
	return err
}

// Languages returns the languages that Parse knows.
func (p *Parser) Languages() []string { return slices.Clone(languages) }

// Parse returns the tree of src, which must not be changed afterwards. Broken
// text gives a tree as well: see [Tree.HasError]. Errors are ctx's own, or
// wrap ErrLanguage, ErrTooLarge, ErrTooHard or ErrClosed.
func (p *Parser) Parse(ctx context.Context, language string, src []byte) (*Tree, error) {
	key, tree, remembers := p.recall(language, src)
	if tree != nil {
		return tree, ctx.Err()
	}
	tree, err := p.parse(ctx, language, src)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", language, err)
	}
	if remembers {
		p.keep(key, tree)
	}
	return tree, nil
}

func (p *Parser) parse(ctx context.Context, language string, src []byte) (*Tree, error) {
	number := slices.Index(languages, language)
	if number < 0 {
		return nil, ErrLanguage
	}
	if len(src) > MaxSource {
		return nil, ErrTooLarge
	}
	weight := min(int64(len(src)), atOnce)
	if err := p.sources.Acquire(ctx, weight); err != nil {
		return nil, err
	}
	defer p.sources.Release(weight)
	in, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	bounded, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	tree, err := p.parseWith(bounded, in, number, src)
	p.giveBack(in)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return tree, err
}

func (p *Parser) parseWith(ctx context.Context, in *instance, number int, src []byte) (*Tree, error) {
	known, err := p.namesOf(ctx, in, number)
	if err != nil {
		return nil, err
	}
	tree, err := in.parse(ctx, number, src)
	if err != nil {
		return nil, err
	}
	tree.names = known
	return tree, nil
}

// namesOf returns a language's names, read once from whichever instance
// parses it first.
func (p *Parser) namesOf(ctx context.Context, in *instance, number int) (*names, error) {
	p.mu.Lock()
	known := p.names[number]
	p.mu.Unlock()
	if known != nil {
		return known, nil
	}
	known, err := in.names(ctx, number)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.names[number] == nil {
		p.names[number] = known
	}
	return p.names[number], nil
}

// acquire waits for a slot and returns an unused instance.
func (p *Parser) acquire(ctx context.Context) (*instance, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		<-p.slots
		return nil, ErrClosed
	}
	p.running.Add(1)
	if n := len(p.idle); n > 0 {
		in := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return in, nil
	}
	p.mu.Unlock()
	in, err := newInstance(ctx, p.runtime, p.module)
	if err != nil {
		<-p.slots
		p.running.Done()
		return nil, err
	}
	return in, nil
}

// giveBack keeps the instance for the next parse, or drops it where it broke
// or grew.
func (p *Parser) giveBack(in *instance) {
	if in.broken || in.memory.Size() > keptMemory {
		in.close()
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, in)
		p.mu.Unlock()
	}
	<-p.slots
	p.running.Done()
}

// Close waits for parses that run and frees what the Parser holds. Trees stay
// valid.
func (p *Parser) Close() error {
	p.mu.Lock()
	again := p.closed
	p.closed = true
	p.mu.Unlock()
	if again {
		return nil
	}
	p.running.Wait()
	return p.release(context.Background())
}

func (p *Parser) release(ctx context.Context) error {
	err := p.runtime.Close(ctx)
	if p.cache != nil {
		err = errors.Join(err, p.cache.Close(ctx))
	}
	return err
}
