package engine

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// a server with one handler for a path, and what it was sent.
func endpoint(t *testing.T, handlers map[string]http.HandlerFunc) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, h := range handlers {
		mux.HandleFunc(path, h)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func TestRegisterWithVLLM(t *testing.T) {
	var got map[string]string
	url := endpoint(t, map[string]http.HandlerFunc{"POST /v1/load_lora_adapter": func(w http.ResponseWriter, r *http.Request) {
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		if r.Header.Get("Authorization") != "Bearer k" {
			t.Error("no key was sent")
		}
	}})
	for _, at := range []string{url, url + "/", url + "/v1"} {
		name, err := Register(t.Context(), Registration{Endpoint: at, Adapter: "/a", Name: "m:x", Key: "k"})
		if err != nil || name != "local/m:x" {
			t.Fatalf("%s: %q, %v", at, name, err)
		}
		if got["lora_name"] != "m:x" || got["lora_path"] != "/a" {
			t.Errorf("sent %v", got)
		}
	}
}

func TestRegisterWithLlamaServer(t *testing.T) {
	var sent string
	url := endpoint(t, map[string]http.HandlerFunc{
		"GET /lora-adapters": func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, `[{"id":0,"path":"other.gguf","scale":1},{"id":1,"path":"/a/./mine.gguf","scale":0}]`)
		},
		"POST /lora-adapters": func(_ http.ResponseWriter, r *http.Request) {
			data, _ := io.ReadAll(r.Body)
			sent = string(data)
		},
	})
	name, err := Register(t.Context(), Registration{Endpoint: url, Adapter: "/a/mine.gguf", Name: "m:x"})
	if err != nil || name != "local/m:x" {
		t.Fatalf("%q, %v", name, err)
	}
	if want := `[{"id":0,"path":"other.gguf","scale":0},{"id":1,"path":"/a/./mine.gguf","scale":1}]`; sent != want {
		t.Errorf("sent %s, want %s", sent, want)
	}
	_, err = Register(t.Context(), Registration{Endpoint: url, Adapter: "/a/unknown.gguf", Name: "m:x"})
	mustHint(t, err, "has not loaded", "--lora FILE")
}

func TestRegisterSaysWhatIsWrong(t *testing.T) {
	refuse := func(code int, text string) string {
		return endpoint(t, map[string]http.HandlerFunc{"POST /v1/load_lora_adapter": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			io.WriteString(w, text)
		}})
	}
	for name, c := range map[string]struct{ at, want, hint string }{
		"no address":    {"localhost:8000", "no address", "http://"},
		"nothing there": {"http://127.0.0.1:1", "register the adapter", "running"},
		"rank":          {refuse(400, "rank 64 is greater than max_lora_rank 16"), "greater than max_lora_rank", "--max-lora-rank"},
		"another kind":  {refuse(404, ""), "takes no adapters", "--lora-modules"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Register(t.Context(), Registration{Endpoint: c.at, Adapter: "/a", Name: "m:x"})
			mustHint(t, err, c.want, c.hint)
		})
	}
	if _, err := Register(t.Context(), Registration{Endpoint: refuse(400, "The lora adapter 'm:x' has already been loaded."),
		Name: "m:x"}); err != nil {
		t.Errorf("an adapter that is loaded already: %v", err)
	}
}

func mustHint(t *testing.T, err error, want, advice string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(hint.Of(err), advice) {
		t.Errorf("got %v (%v), want an error with %q and a hint with %q", err, hint.Of(err), want, advice)
	}
}
