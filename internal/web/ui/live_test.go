package ui_test

import (
	"bufio"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// listener hears the versions of something, one after the other.
type listener struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
}

func listen(t *testing.T, url string) *listener {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { answer.Body.Close() })
	if answer.StatusCode != 200 || answer.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d, %v", answer.StatusCode, answer.Header)
	}
	return &listener{t, answer, bufio.NewScanner(answer.Body)}
}

// next is the next line that begins so.
func (l *listener) next(begin string) string {
	l.t.Helper()
	deadline := time.AfterFunc(20*time.Second, func() { l.answer.Body.Close() })
	defer deadline.Stop()
	for l.lines.Scan() {
		if line := l.lines.Text(); strings.HasPrefix(line, begin) {
			return line
		}
	}
	l.t.Fatalf("nothing that begins with %q came: %v", begin, l.lines.Err())
	return ""
}

func TestListeners(t *testing.T) {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runtest.WriteFile(t, filepath.Join(home, "run", "x"), "")
	dir := someRun(t, filepath.Join(home, "run"))
	base := serve(t, ui.Config{Dirs: []string{home}, Poll: 5 * time.Millisecond, Heartbeat: 10 * time.Millisecond, Listeners: 3})
	one := listen(t, base+"/api/runs/"+view.ID(dir)+"/live")
	two := listen(t, base+"/api/runs/"+view.ID(dir)+"/live")
	list := listen(t, base+"/api/live")
	first, began := one.next("data: "), list.next("data: ")
	if second := two.next("data: "); second != first {
		t.Errorf("two listeners hear %s and %s", first, second)
	}
	one.next(": ") // a heartbeat, while nothing changes
	if answer, body := ask(t, "GET", base+"/api/live", nil); answer.StatusCode != 503 {
		t.Errorf("a fourth listener was let in: %d %s", answer.StatusCode, body)
	}
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("{}\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if now := one.next("data: "); now == first {
		t.Errorf("the version is still %s", now)
	}
	someRun(t, filepath.Dir(write2(t, filepath.Join(home, "other", "x"))))
	if now := list.next("data: "); now == began {
		t.Errorf("the list's version is still %s", now)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for one.next("data: ") != `data: {"version":"gone"}` {
	}
	// Who goes makes room.
	two.answer.Body.Close()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		answer, err := http.Get(base + "/api/live")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("a listener who is gone keeps his place")
		}
	}
}

func write2(t *testing.T, file string) string {
	t.Helper()
	runtest.WriteFile(t, file, "")
	return file
}
