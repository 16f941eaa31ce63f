package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os/user"
	"path/filepath"

	"github.com/deeprepo/deeprepo/internal/page"
	"github.com/deeprepo/deeprepo/internal/triage"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/web/access"
	"github.com/deeprepo/deeprepo/internal/web/ui"
	"github.com/spf13/cobra"
)

// uiFlags are the flags of ui.
type uiFlags struct {
	serveFlags
	export string
	paths  bool
	triage bool
	fleet  string
	noOpen bool
}

// exportBytes is how large a file of one run gets, about: what a mail takes, and a browser opens at once.
const exportBytes = 8 << 20

func (a *app) uiCommand() *cobra.Command {
	var f uiFlags
	cmd := &cobra.Command{
		Use:   "ui [DIR...]",
		Short: "Look at runs in a browser: turns, prompts, findings beside their code, rewards, curves; live",
		Long: `Serve a web page with the runs in and below each DIR (default: here): reviews, evals, benches, code evals, comparisons,
pairs and trainings, finished or running. It shows what the root did turn by turn, what each worker saw, which lines
were never read, findings beside their code, rewards, curves and flips. It makes no outside requests and, without
--allow-triage, changes nothing.

The first line of stdout is the URL. It holds a token, which the browser keeps as a cookie; programs may use the URL as it
is (URL/api/runs) or send Authorization: Bearer TOKEN. On a desktop the browser is opened, unless --no-open is given or
stdout is not a terminal. --token or ` + envServeToken + ` fixes the token, --no-token leaves it out and is refused unless
the address is this machine's own. The connection is not encrypted: to look from another machine, tunnel:
ssh -L 8000:127.0.0.1:8000 HOST.

--fleet adds a page that follows a fleet: workers, what each does and how fast, queues, what nobody could finish. Its hub
is asked while somebody looks; the key is the coordinator's, in ` + envFleetKey + `.

--allow-triage prints a second URL. Who opens it may also accept findings, or call them false, as deeprepo triage does.

--export writes one run as a file that holds the page and its documents and opens without server or network, like a
review's report.html. Paths of this machine are left out of it, but for their last parts, unless --paths is given.

Ctrl-C stops the server. In the page, ? lists the keys.`,
		Example: `  deeprepo ui                                  # the runs below this directory
  deeprepo ui runs/myrepo-20261121-101500      # one run
  deeprepo ui --no-open --addr 127.0.0.1:8000 runs /data/evals
  deeprepo ui runs/grpo --export grpo.html     # one run as one file, to share
  deeprepo ui --fleet nats://127.0.0.1:4222    # and a fleet, live`,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.ui(cmd, args, f) },
		ValidArgsFunction: completeDir,
	}
	f.add(cmd, "127.0.0.1:0", "browsers")
	fl := cmd.Flags()
	fleetFlag(cmd, &f.fleet, "also show a fleet, live")
	fl.BoolVar(&f.noOpen, "no-open", false, "do not open the browser")
	fl.StringVar(&f.token, "token", "",
		"the clients' token, at least 16 characters (default: a new one; other users of this machine may see a command's flags)")
	fl.StringVar(&f.export, "export", "", "write the one run in DIR to this HTML file, and serve nothing")
	fl.BoolVar(&f.triage, "allow-triage", false, "print a second URL, whose page may decide about findings: see deeprepo triage")
	fl.BoolVar(&f.paths, "paths", false, "with --export: keep this machine's absolute paths in the file")
	return cmd
}

func (a *app) ui(cmd *cobra.Command, dirs []string, f uiFlags) error {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	if f.export != "" {
		return a.exportRun(dirs, f.export, f.paths)
	}
	ctx := cmd.Context()
	token, err := f.accessToken(a.getenv)
	if err != nil {
		return err
	}
	runs, _, err := view.NewLister(dirs, 1).Runs(ctx)
	if err != nil {
		return noDirectory(err)
	}
	watch, err := a.watchFleet(ctx, f.fleet)
	if err != nil {
		return err
	}
	c := ui.Config{Dirs: dirs, Token: token, Hosts: f.hosts, Cache: a.historyCache(),
		Log: slog.New(slog.NewTextHandler(a.stderr, nil))}
	if watch != nil {
		c.Fleet, c.FleetURL = watch.status, hubAddress(watch.url)
	}
	if f.triage {
		if c.TriageToken, err = access.NewToken(); err != nil {
			return err
		}
		if me, err := user.Current(); err == nil {
			c.User = me.Username
		}
	}
	server, err := ui.New(c)
	if err != nil {
		return err
	}
	defer server.Close()
	return a.listen(cmd, f.serveFlags, server, token, "", func(url string, on net.Addr) {
		a.say(fmt.Sprintf("showing the runs in %s on %s; Ctrl-C stops the server", listed(dirs), on))
		if c.TriageToken != "" {
			fmt.Fprintln(a.stdout, url+"/w/"+c.TriageToken)
			a.say("the second URL may decide about findings; decisions are written into " + triage.Name + " of the reviewed codebase")
		}
		if len(runs) == 0 && watch == nil {
			a.say("there is none yet: the page shows each as it begins; deeprepo analyze . makes one, in runs/")
		}
		if tcp, ok := on.(*net.TCPAddr); ok && !tcp.IP.IsLoopback() {
			a.say("warning: this address can be reached from other machines, without encryption: anyone with the URL sees the runs and their code")
		}
		if !f.noOpen && isTerminal(a.stdout) {
			if err := openBrowser(ctx, a.getenv, url); err != nil {
				a.say(fmt.Sprintf("open the URL above in a browser (%v)", err))
			}
		}
	})
}

// exportRun writes one run as a file.
func (a *app) exportRun(dirs []string, file string, paths bool) error {
	if len(dirs) != 1 {
		return usageError{fmt.Errorf("--export takes one directory, not %d", len(dirs)), "deeprepo ui runs/one --export one.html"}
	}
	run, err := view.Open(dirs[0])
	if err != nil {
		return asUsage(err)
	}
	defer run.Close()
	archive, err := run.Archive(exportBytes, paths)
	if err != nil {
		return asUsage(err)
	}
	var failed error // in the middle of the page
	err = replaceFile(file, func(w io.Writer) error {
		failed = page.WriteFile(w, filepath.Base(run.Path()), archive)
		return failed
	})
	if failed != nil {
		return failed
	}
	if err != nil {
		return usageError{fmt.Errorf("--export: %w", err), "give a file in a writable directory"}
	}
	fmt.Fprintln(a.stdout, file)
	return nil
}

// listed is directories as a sentence has them.
func listed(dirs []string) string {
	if len(dirs) == 1 {
		if abs, err := filepath.Abs(dirs[0]); err == nil {
			return abs
		}
		return dirs[0]
	}
	return fmt.Sprintf("%s and %d more", dirs[0], len(dirs)-1)
}

// asUsage is an error of package view as the user's: it names a directory that holds no run, or one that is damaged.
func asUsage(err error) error {
	if known, ok := errors.AsType[*doc.Error](err); ok {
		return usageError{known, known.Hint}
	}
	return err
}

// noDirectory is the error for a directory that cannot be searched.
func noDirectory(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	return usageError{err, "give a directory with runs, such as runs/"}
}
