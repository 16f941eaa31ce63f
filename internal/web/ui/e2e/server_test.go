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
	ctx, cancel := context.WithCancel(context.Background())
	cmd := deeprepo(ctx, world, nil, append([]string{"ui", "--no-open"}, dirs...)...)
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
	first := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		first <- strings.TrimSpace(line)
	}()
	select {
	case url := <-first:
		if !strings.HasPrefix(url, "http://127.0.0.1:") {
			t.Fatalf("the first line is %q\n%s", url, said.String())
		}
		return url
	case <-time.After(30 * time.Second):
		t.Fatal("deeprepo ui printed no URL")
	}
	return ""
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
