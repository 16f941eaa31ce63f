package e2e

import (
	"bufio"
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/view"
)

// serve starts `deeprepo ui` on directories and gives the URL that it prints. It ends with the test, by Ctrl-C, and must
// end well.
func serve(t *testing.T, dirs ...string) string {
	t.Helper()
	return serveWith(t, 1, dirs...)[0]
}

// serveDeciding starts it so that findings can be decided about: the second URL is the one for that.
func serveDeciding(t *testing.T, dir string) (first, second string) {
	t.Helper()
	urls := serveWith(t, 2, "--allow-triage", dir)
	return urls[0], urls[1]
}

// serveWith gives so many URLs.
func serveWith(t *testing.T, n int, args ...string) []string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	cmd := deeprepo(ctx, world, nil, append([]string{"ui", "--no-open"}, args...)...)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		began := time.Now()
		cancel()
		_ = cmd.Wait() // an error: it was interrupted
		if code := cmd.ProcessState.ExitCode(); code != 0 {
			t.Errorf("deeprepo ui ended with code %d\n%s", code, said.String())
		}
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("deeprepo ui took %v to end", took)
		}
		if strings.Contains(said.String(), "panic") || strings.Contains(said.String(), "ERROR") {
			t.Errorf("deeprepo ui said:\n%s", said.String())
		}
	})
	printed := make(chan []string, 1)
	go func() {
		var lines []string
		for r := bufio.NewReader(out); len(lines) < n; {
			line, err := r.ReadString('\n')
			if err != nil {
				break
			}
			lines = append(lines, strings.TrimSpace(line))
		}
		printed <- lines
	}()
	select {
	case urls := <-printed:
		if len(urls) != n || !strings.HasPrefix(urls[0], "http://127.0.0.1:") {
			t.Fatalf("the first lines are %q\n%s", urls, said.String())
		}
		return urls
	case <-time.After(30 * time.Second):
		t.Fatal("deeprepo ui printed no URL")
	}
	return nil
}

// open opens the page of a run: `deeprepo ui DIR`, as a person would look at it.
func open(t *testing.T, dir string) *Page {
	t.Helper()
	needBrowser(t)
	address := serve(t, dir) // before the page, which goes first: without its server it would complain
	p := newPage(t)
	p.run = view.ID(dir)
	p.Open(address + "/")
	p.Go("")
	return p
}

// openList opens the list of the runs in directories.
func openList(t *testing.T, dirs ...string) *Page {
	t.Helper()
	needBrowser(t)
	address := serve(t, dirs...)
	p := newPage(t)
	p.Open(address + "/")
	return p
}
