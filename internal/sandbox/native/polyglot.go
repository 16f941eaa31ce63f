package native

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// PolyglotConfig says where programs in other languages are judged.
type PolyglotConfig struct {
	// Python judges programs in Python. It must be given.
	Python Embedded
	// Bwrap is bubblewrap. Defaults to bwrap in PATH.
	Bwrap string
	// Workers is how many programs in other languages run at once. Defaults to the number of processors.
	Workers int
	// CacheDir keeps what is prepared once for a version of a language: a compiler's own files, a standard library. It
	// must be given.
	CacheDir string
	// Say tells what takes long. Defaults to nothing.
	Say func(string)
}

// Polyglot judges programs in all languages that the machine has, each in a jail of its own, and hands those in Python
// to somebody else. It is safe for concurrent use.
type Polyglot struct {
	c     PolyglotConfig
	bwrap string
	argv  []string
	lanes chan struct{}

	making sync.Mutex // one language is prepared at a time
	mu     sync.Mutex // guards known
	known  map[string]*spokenHere
}

// spokenHere is a language that the machine has.
type spokenHere struct {
	tongue
	version  string
	words    *strings.Replacer // of its commands, but for a program's own
	sights   []string          // what its jails see beside what all of them see
	prepared string            // the folder of what was prepared, "" for none
}

// OpenPolyglot checks that programs can be jailed here. Errors are of type *Error.
func OpenPolyglot(ctx context.Context, c PolyglotConfig) (*Polyglot, error) {
	if runtime.GOOS != "linux" {
		return nil, &Error{errors.New("there is none on " + runtime.GOOS), "it needs Linux namespaces"}
	}
	if c.Workers <= 0 {
		c.Workers = runtime.NumCPU()
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	p := &Polyglot{c: c, lanes: make(chan struct{}, c.Workers), known: map[string]*spokenHere{}}
	var err error
	if p.bwrap, err = find(c.Bwrap, "bwrap"); err != nil {
		return nil, &Error{err, "install bubblewrap (apt-get install bubblewrap)"}
	}
	p.argv = append(jailArgv(nil), "--proc", "/proc", "--remount-ro", "/proc", "--symlink", "/proc/self/fd", "/dev/fd",
		"--ro-bind-try", "/etc/alternatives", "/etc/alternatives", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8")
	out := &capture{room: 4096}
	o, err := errand{bwrap: p.bwrap, argv: append(slices.Clone(p.argv), "--remount-ro", "/", "prlimit", "--core=0", "sh", "-c",
		"chmod 666 /dev/null 2>/dev/null && echo the devices are not safe; echo jailed"), who: several, stdout: out, stderr: out,
		wall: 20 * time.Second}.run(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if said := strings.TrimSpace(string(out.bytes())); err == nil && said != "jailed" {
		err = fmt.Errorf("a program that is right ends with %d: %s", o.exit, said)
	}
	if err != nil {
		return nil, &Error{err, "bubblewrap needs user namespaces and a /proc of its own, which containers may forbid"}
	}
	return p, nil
}

// Exec judges a program. An error means that ctx ended, that its language is not to be had here (an *Error), or that no
// jail could be started.
func (p *Polyglot) Exec(ctx context.Context, q sandbox.Program) (sandbox.Judgement, error) {
	if q.Language == "" {
		return p.c.Python.Exec(ctx, q)
	}
	if q.Entry != "" || q.Setup != "" || q.Judge != "" {
		return sandbox.Judgement{}, fmt.Errorf("an entry point, a setup and a judge are for programs in Python, not in %s", q.Language)
	}
	if len(q.Tests) > 0 {
		return q.RunTests(func(one sandbox.Program) (sandbox.Judgement, error) { return p.Exec(ctx, one) })
	}
	if err := checkFiles(q); err != nil {
		return sandbox.Infra(err), nil
	}
	l, err := p.language(ctx, q.Language)
	if err != nil {
		return sandbox.Judgement{}, err
	}
	if strings.TrimSpace(q.Code) == "" && len(q.Cases) > 0 {
		return sandbox.Judgement{Verdict: sandbox.Empty}, nil
	}
	select {
	case p.lanes <- struct{}{}:
		defer func() { <-p.lanes }()
	case <-ctx.Done():
		return sandbox.Judgement{}, ctx.Err()
	}
	dir, err := os.MkdirTemp("", "deeprepo-program-")
	if err != nil {
		return sandbox.Judgement{}, err
	}
	defer os.RemoveAll(dir)
	q.Limits = withDefaults(q.Limits)
	j, err := (&build{p: p, l: l, q: q, dir: dir}).judge(ctx)
	if ctx.Err() != nil {
		return sandbox.Judgement{}, ctx.Err()
	}
	j.Backend = sandbox.Native
	return j, err
}

// Version is that of the machine's Python where Config.Python may judge with it, as 3.11, and else "".
func (p *Polyglot) Version() string {
	if own, ok := p.c.Python.(interface{ Version() string }); ok {
		return own.Version()
	}
	return ""
}

// Tool is what makes and runs programs in a language, with its version: "g++ 12.2.0". The first time it prepares what that
// needs, which may take a minute. An *Error says that the language is not to be had.
func (p *Polyglot) Tool(ctx context.Context, name string) (string, error) {
	l, err := p.language(ctx, name)
	if err != nil {
		return "", err
	}
	return l.tool + " " + l.version, nil
}

// Found are the languages whose tools are here. Nothing is prepared for them yet.
func Found() (names []string) {
	for _, t := range tongues() {
		if _, err := exec.LookPath(t.tool); err == nil {
			names = append(names, t.name)
		}
	}
	return names
}

// language finds what a language needs, and prepares it the first time. Others wait meanwhile.
func (p *Polyglot) language(ctx context.Context, name string) (*spokenHere, error) {
	ready := func() *spokenHere {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.known[name]
	}
	if l := ready(); l != nil {
		return l, nil
	}
	p.making.Lock()
	defer p.making.Unlock()
	if l := ready(); l != nil {
		return l, nil
	}
	t, ok := spoken(name)
	if !ok {
		return nil, &Error{fmt.Errorf("there is no language %q", name), "there are python, " + strings.Join(Languages(), ", ")}
	}
	l, err := p.discover(ctx, t)
	if err == nil {
		err = p.prepare(ctx, l)
	}
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.known[name] = l
	return l, nil
}

var numbers = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)+`)

// discover finds a language's tool and asks for its version. It need not be jailed: it is the user's own.
func (p *Polyglot) discover(ctx context.Context, t tongue) (*spokenHere, error) {
	missing := func(err error) (*spokenHere, error) {
		return nil, &Error{fmt.Errorf("%s cannot be judged here: %w", t.title, err),
			"install " + t.install + " (apt-get install " + t.install + ")"}
	}
	if t.forks && !watchable() {
		return nil, &Error{fmt.Errorf("%s cannot be judged here: the kernel does not tell a process's children", t.title),
			"it needs CONFIG_PROC_CHILDREN"}
	}
	tool, err := exec.LookPath(t.tool)
	if err != nil {
		return missing(fmt.Errorf("there is no %s", t.tool))
	}
	if len(t.sysroot) > 0 {
		root, err := output(ctx, strings.NewReplacer("{tool}", tool), t.sysroot)
		if err != nil {
			return missing(err)
		}
		tool = filepath.Join(strings.TrimSpace(root), "bin", t.tool)
	} else if tool, err = filepath.EvalSymlinks(tool); err != nil {
		return missing(err)
	}
	if tool, err = filepath.Abs(tool); err != nil {
		return missing(err)
	}
	l := &spokenHere{tongue: t, words: strings.NewReplacer("{tool}", tool, "{home}", filepath.Dir(filepath.Dir(tool)))}
	text, err := output(ctx, l.words, t.version)
	if err != nil {
		return missing(err)
	}
	if l.version = numbers.FindString(text); l.version == "" {
		return missing(fmt.Errorf("%s does not tell its version: %.100q", tool, text))
	}
	l.sights = sights(tool, t.sights)
	return l, nil
}

// output is what a command of the user's own prints.
func output(ctx context.Context, words *strings.Replacer, command []string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	argv := replaced(words, command)
	out, err := exec.CommandContext(ctx, argv[0], argv[1:]...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s: %w: %.200s", strings.Join(argv, " "), err, out)
	}
	return string(out), nil
}

func replaced(words *strings.Replacer, argv []string) []string {
	all := make([]string, len(argv))
	for i, word := range argv {
		all[i] = words.Replace(word)
	}
	return all
}

// sights are a tool's folder, and what else it needs, that jails do not see as part of /usr. Of a tool in a folder of the
// user's that holds more than it, only its file is one.
func sights(tool string, more []string) (all []string) {
	home := filepath.Dir(filepath.Dir(tool))
	switch own, _ := os.UserHomeDir(); {
	case within(tool, "/usr"):
	case home == "/" || own != "" && (within(own, home) || home == filepath.Join(own, ".local")):
		all = append(all, tool)
	default:
		all = append(all, home)
	}
	for _, pattern := range more {
		found, _ := filepath.Glob(pattern) // the patterns are ours
		all = append(all, found...)
	}
	return all
}

// prepared is where jails see the folder of what was prepared.
const preparedAt = folder + "/prepared"

// prepare makes what a language needs once, or finds it made.
func (p *Polyglot) prepare(ctx context.Context, l *spokenHere) error {
	if len(l.tongue.prepare) == 0 {
		return nil
	}
	sum := sha256.Sum256([]byte(l.words.Replace(strings.Join(slices.Concat(l.tongue.prepare, l.env), "\n"))))
	dir := filepath.Join(p.c.CacheDir, l.tool+"-"+l.version+"-"+hex.EncodeToString(sum[:6]))
	if _, err := os.Stat(dir); err == nil {
		l.prepared = dir
		return nil
	}
	p.c.Say(fmt.Sprintf("preparing %s %s, once for this version: up to a minute of work", l.tool, l.version))
	if err := os.MkdirAll(p.c.CacheDir, 0o755); err != nil {
		return err
	}
	made, err := os.MkdirTemp(p.c.CacheDir, ".making-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	words := strings.NewReplacer("{cache}", made)
	cmd := exec.CommandContext(ctx, "sh", "-ec", words.Replace(l.words.Replace(strings.Join(l.tongue.prepare, "\n"))))
	cmd.Dir = made
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + made, "LANG=C.UTF-8"}, replaced(words, replaced(l.words, l.env))...)
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &Error{fmt.Errorf("%s cannot be prepared: %w: %s", l.title, err, cut(strings.TrimSpace(string(out)), 1000)),
			"is it installed whole?"}
	}
	if err := os.Chmod(made, 0o755); err != nil {
		return err
	}
	if err := os.Rename(made, dir); err != nil {
		if _, there := os.Stat(dir); there != nil { // another process was faster
			return err
		}
	}
	l.prepared = dir
	return nil
}
