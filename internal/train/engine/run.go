package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// filesDir is where in a run's directory an engine's files lie, and what it writes itself.
const (
	filesDir = "engine"
	outDir   = "out"
	logName  = "log.txt"
)

// Config is where an engine runs and what it reaches. Nothing in it decides what is trained.
type Config struct {
	// Out is the run's directory. Defaults to train.Fresh's.
	Out string
	// Version is the program's. Defaults to "".
	Version string
	// URL is that of an environment which is served already. Defaults to one that Program serves for as long as the
	// training runs.
	URL string
	// Program is deeprepo's own executable, for `env serve`. It must be given for GRPO without a URL.
	Program string
	// Python is the interpreter that has the engine. Defaults to python3.
	Python string
	// Home is the directory that the engine is started in: for prime-rl its checkout. Defaults to the working directory.
	Home string
	// Env is the environment of the processes that are started. Defaults to this process's own.
	Env []string
	// Endpoint serves the adapter when it is done: see Registration. Defaults to none.
	Endpoint string
	// Grace is how long an engine may take to end after ctx does; a step is as long as its rollouts. Defaults to 10 minutes.
	Grace time.Duration
	// Observe sees each step. Defaults to nothing.
	Observe func(runfile.TrainingStep)
	// Say is told what happens, a line at a time. Defaults to nothing.
	Say func(string)
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
	// HTTP is used to register the adapter. Defaults to http.DefaultClient.
	HTTP *http.Client
}

func (c Config) withDefaults() Config {
	c.Python = cmp.Or(c.Python, "python3")
	c.Grace = cmp.Or(c.Grace, 10*time.Minute)
	if c.Env == nil {
		c.Env = os.Environ()
	}
	if c.Observe == nil {
		c.Observe = func(runfile.TrainingStep) {}
	}
	if c.Say == nil {
		c.Say = func(string) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// Outcome is what a hand-over came to.
type Outcome struct {
	Dir     string
	Options Options // with their defaults
	Steps   []runfile.TrainingStep
	// Adapter is the directory of the adapter; "" where the engine left none on this machine.
	Adapter string
	// Model is how the registered adapter is named wherever a model goes; "" without an endpoint.
	Model string
	// Files are those that the engine was started with, Command is what started it, Log what it said.
	Files   []string
	Command []string
	Log     string
}

// Run writes an engine's files into the run's directory, starts it, follows its metrics, and keeps the adapter; with an
// endpoint it is registered there. Running again on the same directory continues from the engine's own checkpoint. An
// interrupted run is a *rundir.Stopped. The outcome holds what there is, also beside an error.
func Run(ctx context.Context, o Options, c Config) (Outcome, error) {
	o, c = o.WithDefaults(), c.withDefaults()
	if err := o.check(); err != nil {
		return Outcome{}, err
	}
	if err := installed(ctx, o, c); err != nil {
		return Outcome{}, err
	}
	if c.Out == "" {
		var err error
		if c.Out, err = train.Fresh(o.Method, c.Now()); err != nil {
			return Outcome{}, err
		}
	}
	dir, err := train.Start(c.Out, train.Setup{Method: Method(o), Version: c.Version, Options: o, Now: c.Now})
	if err != nil {
		return Outcome{}, err
	}
	defer dir.Close()
	out := Outcome{Dir: c.Out, Options: o}
	err = launch(ctx, o, c, dir, &out)
	out.Steps = dir.Steps()
	if err != nil {
		return out, err
	}
	return out, finish(ctx, o, c, dir, &out)
}

// Method is what train.Manifest.Method holds of an engine's run: trl/grpo.
func Method(o Options) string {
	o = o.WithDefaults()
	return o.Engine + "/" + o.Method
}

// place is where an engine works in a run's directory.
func place(dir, url string) (Place, error) {
	at, err := filepath.Abs(filepath.Join(dir, filesDir))
	return Place{Dir: at, Out: filepath.Join(at, outDir), URL: url}, err
}

func launch(ctx context.Context, o Options, c Config, dir *train.Run, out *Outcome) (err error) {
	url := c.URL
	if o.Method == GRPO && url == "" {
		s, err := serve(ctx, o, c)
		if err != nil {
			return err
		}
		defer s.stop()
		url = s.url
		c.Say("the environment is served at " + public(url))
	}
	p, err := place(c.Out, url)
	if err != nil {
		return err
	}
	if out.Files, err = write(p, o); err != nil {
		return err
	}
	if err := os.MkdirAll(p.Out, 0o755); err != nil {
		return fmt.Errorf("make the engine's directory: %w", err)
	}
	out.Command, out.Log = Command(o, p, c.Python), filepath.Join(p.Dir, logName)
	log, err := dir.Dir().Root().OpenFile(filepath.Join(filesDir, logName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("open the engine's log: %w", err)
	}
	defer log.Close()
	c.Say("started: " + line(out.Command))
	c.Say("what it says: " + out.Log)

	f := &follower{engine: o.Engine, path: metricsFile(o, p), seen: func(s runfile.TrainingStep) error {
		c.Observe(s)
		return dir.Record(s)
	}}
	err = watch(ctx, command(ctx, o, c, p, out.Command, log), f)
	switch {
	case ctx.Err() != nil:
		return &rundir.Stopped{What: "training", Parts: "steps", Dir: c.Out, Why: "it was interrupted", Done: len(dir.Steps()), Total: o.Steps,
			Cause: ctx.Err()}
	case err != nil:
		return hint.Wrap(fmt.Errorf("%s: %w%s", o.Engine, err, lastWords(out.Log)), "all that it said is in "+out.Log)
	}
	return nil
}

func command(ctx context.Context, o Options, c Config, p Place, args []string, log io.Writer) *exec.Cmd {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.Home, log, log
	cmd.Env = append(c.Env[:len(c.Env):len(c.Env)], "PYTHONUNBUFFERED=1")
	if o.Engine == Verl {
		cmd.Env = append(cmd.Env, "VERL_FILE_LOGGER_PATH="+metricsFile(o, p))
	}
	ownGroup(cmd)
	cmd.Cancel = func() error { return interrupt(cmd) }
	cmd.WaitDelay = c.Grace
	return cmd
}

// watch runs a command and follows its metrics to the end. Metrics that cannot be read end it.
func watch(ctx context.Context, cmd *exec.Cmd, f *follower) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	defer kill(cmd)
	done, followed := make(chan struct{}), make(chan error, 1)
	go func() {
		err := f.follow(ctx, time.Second/2, done)
		if err != nil {
			_ = interrupt(cmd) // it may be gone; its end is waited for below
		}
		followed <- err
	}()
	err := cmd.Wait()
	close(done)
	if other := <-followed; other != nil {
		return other
	}
	return err
}

// finish keeps the adapter and makes it known.
func finish(ctx context.Context, o Options, c Config, dir *train.Run, out *Outcome) error {
	p, err := place(c.Out, "")
	if err != nil {
		return err
	}
	if AdapterDir(o) == "" {
		c.Say("the adapter is where the engine keeps its checkpoints: " + p.Out)
		return nil
	}
	for _, name := range []string{adapterSays, adapterModel} {
		if err := keep(dir.Dir(), filepath.Join(p.Out, AdapterDir(o), name), filepath.Join(train.AdapterName, name)); err != nil {
			return hint.Wrap(fmt.Errorf("keep the adapter: %w", err), "what the engine said is in "+out.Log)
		}
	}
	out.Adapter = dir.Dir().File(train.AdapterName)
	if c.Endpoint == "" {
		return nil
	}
	at, err := filepath.Abs(out.Adapter)
	if err != nil {
		return err
	}
	out.Model, err = Register(ctx, Registration{Endpoint: c.Endpoint, Adapter: at, Name: o.served(), HTTP: c.HTTP})
	return err
}

// keep copies a file into a run's directory: it is there whole, or as it was.
func keep(dir *rundir.Dir, from, to string) error {
	source, err := bounded.Open(from, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	root, part := dir.Root(), to+".part"
	if err := root.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, source)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return errors.Join(err, root.Remove(part))
	}
	return root.Rename(part, to)
}

// lastWords are the last lines of a log, for an error.
func lastWords(path string) string {
	const most = 600
	f, err := bounded.Open(path, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return ""
		}
	}
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil || len(data) == 0 {
		return ""
	}
	return ": " + clip(string(data))
}

var errNoProgram = errors.New("there is no program to serve the environment with")
