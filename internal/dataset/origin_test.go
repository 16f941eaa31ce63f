package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

func TestFetch(t *testing.T) {
	const text = "the file"
	sum := sha256.Sum256([]byte(text))
	good := hex.EncodeToString(sum[:])
	for name, c := range map[string]struct {
		cached  string // what is in the cache
		sha256  string
		handler http.HandlerFunc
		max     int64
		want    string // an error's part, "" for success
		calls   int
	}{
		"fetched":           {sha256: good, calls: 1},
		"no checksum known": {calls: 1},
		"cached":            {cached: text, sha256: good, calls: 0},
		"cache spoilt":      {cached: "something else", sha256: good, calls: 1},
		"another file":      {sha256: hex.EncodeToString(make([]byte, 32)), want: "checksum", calls: 1},
		"refused":           {sha256: good, handler: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }, want: "403", calls: 1},
		"too long":          {sha256: good, max: 7, want: "over 7 bytes", calls: 1},
		"cut short": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte(text))
		}, want: "unexpected EOF", calls: 1},
	} {
		t.Run(name, func(t *testing.T) {
			calls := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls++
				if c.handler != nil {
					c.handler(w, r)
				} else {
					_, _ = w.Write([]byte(text))
				}
			}))
			defer server.Close()
			dir := filepath.Join(t.TempDir(), "cache")
			path := filepath.Join(dir, "set.jsonl")
			if c.cached != "" {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(c.cached), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			g := origin{url: server.URL + "/set.jsonl", file: "set.jsonl", sha256: c.sha256, bytes: max(c.max, 100)}
			if c.max > 0 {
				g.bytes = c.max
			}
			got, err := g.fetch(t.Context(), "a set", Options{CacheDir: dir, Client: server.Client()})
			if calls != c.calls {
				t.Errorf("%d requests, want %d", calls, c.calls)
			}
			if c.want != "" {
				wantError(t, err, c.want, "a set")
				if left, _ := os.ReadDir(dir); len(left) > 0 {
					t.Errorf("a failed download left %v", left)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if data, _ := os.ReadFile(got); string(data) != text {
				t.Errorf("the cache holds %q", data)
			}
			if left, _ := os.ReadDir(dir); len(left) != 1 {
				t.Errorf("the cache holds %v, want one file", left)
			}
		})
	}
}

// TestNowhere: every set says how to come by it.
func TestNowhere(t *testing.T) {
	for _, name := range Names() {
		_, err := Open(t.Context(), name, Options{Parser: runtest.OpenParser})
		wantError(t, err, name)
		_, err = Open(t.Context(), name, Options{Parser: runtest.OpenParser, CacheDir: t.TempDir()})
		wantError(t, err, name)
	}
}

func TestSaysHow(t *testing.T) {
	for _, p := range plugins() {
		i, g := p.about(), p.origin()
		if i.Name == "" || i.Title == "" || i.Licence == "" || i.Attribution == "" || i.Home == "" || g.bytes == 0 {
			t.Errorf("%+v %+v lacks something", i, g)
		}
		if (g.url == "") == (g.get == "") || (g.url == "") != (g.file == "") {
			t.Errorf("%s: one way to come by it, not %+v", i.Name, g)
		}
	}
}
