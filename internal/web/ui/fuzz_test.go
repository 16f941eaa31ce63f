package ui_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/view"
	"github.com/deeprepo/deeprepo/internal/web/ui"
)

// Whatever path, token and headers a request has: an answer, never a word of what lies outside the runs, and JSON where
// JSON is promised.
func FuzzRequest(f *testing.F) {
	home := f.TempDir()
	runtest.WriteFile(f, filepath.Join(home, "outside.txt"), "what nobody may see")
	runtest.WriteFile(f, filepath.Join(home, "runs", "run", "x"), "")
	dir := someRun(f, filepath.Join(home, "runs", "run"))
	if err := os.Symlink(filepath.Join(home, "outside.txt"), filepath.Join(dir, "report.json")); err != nil {
		f.Fatal(err)
	}
	s, err := ui.New(ui.Config{Dirs: []string{filepath.Join(home, "runs")}, Token: secret})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(s.Close)
	run := "/t/" + secret + "/api/runs/" + view.ID(dir)
	for _, path := range []string{
		"/", "/t/" + secret, "/t/" + secret + "/", "/t//", "/app.js", run, run + "/trace", run + "/turn/0", run + "/turn/-1", run + "/turn/99999999999999999999", run + "/findings",
		run + "/file/../../outside.txt", run + "/file/%2e%2e/x", run + "/files", run + "/rollout/0/trace", run + "/trace/1e9", run + "/\x00", run + "/..\\..\\outside.txt", run + "//",
		"/t/" + secret + "/api/runs/" + strings.Repeat("a", 5000), "/t/" + secret + "/t/" + secret + "/api/runs",
	} {
		f.Add(path, "127.0.0.1:1", "")
	}
	f.Add("/", "[::1", "null")
	f.Add("/", "evil.example", "http://evil.example")
	f.Fuzz(func(t *testing.T, path, host, origin string) {
		if strings.HasSuffix(path, "live") {
			return // answers for as long as there are listeners
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.URL = &url.URL{Path: path}
		r.Host = host
		if origin != "" {
			r.Header["Origin"] = []string{origin}
		}
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		body := w.Body.String()
		if strings.Contains(body, "what nobody may see") || strings.Contains(body, "root:") {
			t.Fatalf("%q shows what is outside: %s", path, body)
		}
		if w.Header().Get("Content-Security-Policy") == "" || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: %v", path, w.Header())
		}
		if w.Header().Get("Content-Type") == "application/json" && !json.Valid(w.Body.Bytes()) {
			t.Errorf("%q: not JSON: %s", path, body)
		}
		if w.Code == http.StatusInternalServerError {
			t.Errorf("%q: %s", path, body)
		}
		if w.Code == http.StatusOK && !strings.Contains(path, secret) {
			t.Errorf("%q was answered without the token", path)
		}
	})
}
