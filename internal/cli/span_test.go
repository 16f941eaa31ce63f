//go:build unix

package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// collector is what OpenTelemetry's would be. It takes spans as JSON.
type collector struct {
	t   *testing.T
	env []string // that names it

	mu    sync.Mutex
	texts []byte
	spans map[string]collected // by ID
}

type collected struct {
	TraceID, SpanID, ParentSpanID, Name string
}

func newCollector(t *testing.T) *collector {
	c := &collector{t: t, spans: map[string]collected{}}
	srv := httptest.NewServer(http.HandlerFunc(c.take))
	t.Cleanup(srv.Close)
	c.env = []string{"OTEL_EXPORTER_OTLP_ENDPOINT=" + srv.URL, "OTEL_EXPORTER_OTLP_PROTOCOL=http/json"}
	return c
}

func (c *collector) take(_ http.ResponseWriter, r *http.Request) {
	var all struct {
		ResourceSpans []struct {
			ScopeSpans []struct{ Spans []collected }
		}
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &all)
	}
	if err != nil {
		c.t.Error(err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.texts = append(c.texts, body...)
	for _, resource := range all.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans[s.SpanID] = s
			}
		}
	}
}

// below gives the number of spans by their names and those that they stand below: "a < b < c".
func (c *collector) below() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := map[string]int{}
	for _, s := range c.spans {
		path := s.Name
		for s.ParentSpanID != "" {
			above := c.spans[s.ParentSpanID]
			if above.TraceID != s.TraceID {
				c.t.Errorf("%s: what is above it is not there, or of another trace", path)
				break
			}
			s = above
			path += " < " + s.Name
		}
		n[path]++
	}
	return n
}

// without fails where a text was sent that stays here.
func (c *collector) without(texts ...string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range texts {
		if i := bytes.Index(c.texts, []byte(text)); i >= 0 {
			c.t.Errorf("%q was sent: ...%s...", text, c.texts[max(0, i-100):min(len(c.texts), i+100)])
		}
	}
}

// A review is one trace: the command, and below it each model call. Nothing of what is reviewed, found or asked is in it.
func TestAReviewsTrace(t *testing.T) {
	const files = 6
	c := newCollector(t)
	p := newProgram(t, fakeModels(0, adding))
	writeFiles(p, files)
	cmd := p.command("analyze", "src", "--root", "openai/root", "--worker", "openai/worker", "--strategy", "rlm", "--no-cache", "--out", "run")
	cmd.Env = append(cmd.Env, c.env...)
	if out, err := cmd.CombinedOutput(); err != nil || bytes.Contains(out, []byte("traces")) {
		t.Fatalf("%v\n%s", err, out)
	}
	got := c.below()
	root, workers := got["chat root < deeprepo analyze"], got["chat worker < deeprepo analyze"]
	if got["deeprepo analyze"] != 1 || root == 0 || workers != files || len(got) != 3 {
		t.Errorf("%v", got)
	}
	c.without(p.dir, "src", "f00.py", "VALUE_0", "filler", "adds a constant", "def f0", "FILE:", "sk-test-key", "set_answer")
}

// The items of a fleet stand below the command that sent them, and a worker's work below its item.
func TestAFleetsTrace(t *testing.T) {
	c := newCollector(t)
	p := newFleet(t)
	p.hub()
	work := p.fleetCommand("worker", "fleet", "work", "--fleet", p.url, "--slots", "1", "--name", "one")
	work.Env = append(work.Env, c.env...)
	p.begin(work)
	verify := p.fleetCommand("coordinator", p.verification("fleet", "--fleet", p.url)...)
	verify.Env = append(verify.Env, c.env...)
	p.end(p.begin(verify))
	p.interrupt(work)
	got := c.below()
	items, works := got["fleet.item < deeprepo code verify"], got["fleet.work < fleet.item < deeprepo code verify"]
	if items == 0 || works < items || got["deeprepo code verify"] != 1 || got["deeprepo fleet work"] != 1 || len(got) != 4 {
		t.Errorf("%v", got)
	}
	c.without(p.dir, "HumanEval", "return a", "samples.jsonl", ".nk", "candidate")
}

// A collector that never answers fails nothing, costs the end two seconds at most, and is named once.
func TestADeadCollectorFailsNothing(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+l.Addr().String())
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "key=%zz-secret") // cannot be read
	p := newProgram(t, nil)
	p.write("src/a.py", "x = eval(input())\n")
	r := p.startUntil(func() bool { return count(p.path("run", "report.html"), "<") > 0 }, "analyze", "src", "--out", "run")
	ended := make(chan error, 1)
	go func() { ended <- r.Wait() }()
	select {
	case err := <-ended:
		said := r.stderr.String()
		if n := strings.Count(said, "traces are lost"); err != nil || n != 1 || strings.Contains(said, "secret") {
			t.Errorf("%v, %d warnings\n%s", err, n, said)
		}
	case <-time.After(7 * time.Second): // the exporter itself waits for ten
		t.Error("it does not end")
		_ = r.Process.Kill()
		<-ended
	}
}
