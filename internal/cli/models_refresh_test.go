package cli

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/llm/provider"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// Prices are fetched, kept and used; what cannot be a price is left out, and a fetch that fails leaves what was there.
func TestModelsRefresh(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	body, status := `{"data":[{"id":"a/m","context_length":1000,"pricing":{"prompt":"0.000003","completion":"0.000015"}},`+
		`{"id":"a/free","pricing":{"prompt":"-1","completion":"0"}}]}`, http.StatusOK
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/models":
			http.NotFound(w, r)
		case strings.Contains(r.Header.Get("Authorization"), "sk-or"):
			t.Error("a key was sent")
		case status == http.StatusFound:
			http.Redirect(w, r, "https://203.0.113.9/models", status)
		default:
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}
	}))
	defer srv.Close()
	t.Setenv(provider.EnvOpenRouterURL, strings.Replace(srv.URL, "http://", "http://me:hunter2@", 1))
	t.Setenv(provider.EnvOpenRouterKey, "sk-or-0123456789")
	run := func(want int, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		if code := Main(append([]string{"deeprepo", "models", "--refresh"}, args...), nil, &out, &out); code != want {
			t.Fatalf("%v: exit code %d: %s", args, code, out.String())
		}
		if strings.Contains(out.String(), "hunter2") {
			t.Errorf("a password is shown: %s", out.String())
		}
		return out.String()
	}
	cost := func() string {
		t.Helper()
		p, err := (&app{}).prices()
		if err != nil {
			t.Fatal(err)
		}
		m := p.Lookup("openrouter/a/m", nil)
		if m.Price == nil {
			return "?"
		}
		return m.Price.Input.Decimal() + " " + m.Price.Source
	}
	host := strings.TrimPrefix(srv.URL, "http://")
	if out := run(exitOK); !strings.Contains(out, "1 model with prices from "+host) ||
		!strings.Contains(out, "1 new, 0 changed; 1 left out") {
		t.Errorf("%s", out)
	}
	if got := cost(); got != "3 "+host {
		t.Errorf("then a/m costs %s", got)
	}
	body = strings.Replace(body, "0.000003", "0.000004", 1)
	if out := run(exitOK); !strings.Contains(out, "openrouter/a/m: input 4, was 3; output 15, was 15") {
		t.Errorf("%s", out)
	}
	good := body
	for _, tt := range []struct {
		status     int
		body, said string
	}{
		{http.StatusInternalServerError, good, "status 500"},
		{http.StatusFound, good, "it redirects to https://203.0.113.9/models"},
		{http.StatusOK, `{"data":[{"id":"a/m","pricing":{"prompt":"-3"}}]}`, "read prices"},
		{http.StatusOK, strings.Repeat(" ", maxPrices+1), "is larger than"},
	} {
		status, body = tt.status, tt.body
		if out := run(exitOutside); !strings.Contains(out, tt.said) || !strings.Contains(out, "the prices of before stay") {
			t.Errorf("%s: %s", tt.said, out)
		}
	}
	srv.Close()
	if out := run(exitOutside); !strings.Contains(out, "refused") || !strings.Contains(out, "the prices of before stay") {
		t.Errorf("%s", out)
	}
	if got := cost(); got != "4 "+host {
		t.Errorf("after fetches that failed a/m costs %s", got)
	}
	for _, from := range []string{"http://host.example/models", "ftp://127.0.0.1/x", "missing.json", t.TempDir()} {
		run(exitUsage, "--from", from)
	}
	file := t.TempDir() + "/list.json"
	runtest.WriteFile(t, file, `{"m":{"litellm_provider":"openrouter","input_cost_per_token":5e-06,"output_cost_per_token":6e-06}}`)
	run(exitOK, "--from", file)
	if got := cost(); got != "?" { // the list is replaced whole
		t.Errorf("of another list a/m costs %s", got)
	}
	name, err := pricesFile()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(`{"providers":`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (&app{}).prices(); err == nil || !strings.Contains(err.Error(), name) {
		t.Errorf("a broken list: %v", err)
	}
	run(exitOK, "--from", file) // and mended
}
