package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Registration makes an adapter known to the server that will serve it.
type Registration struct {
	// Endpoint is the server's base URL, with or without /v1: a vLLM's or a llama-server's.
	Endpoint string
	// Adapter is its directory (vLLM), or the file that llama-server was started with. The server opens it, so the path is
	// one of its own machine.
	Adapter string
	// Name is its name on the server: model:adapter.
	Name string
	// Key is sent as a bearer token. Defaults to none.
	Key string
	// HTTP is used for the requests. Defaults to http.DefaultClient.
	HTTP *http.Client
}

// Request is one that registers an adapter, for reading and for sending.
type Request struct {
	Path string
	Body []byte
}

// VLLMRequest is what vLLM is sent; it must have been started with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True.
func (r Registration) VLLMRequest() (Request, error) {
	body, err := json.Marshal(map[string]string{"lora_name": r.Name, "lora_path": r.Adapter})
	return Request{"/v1/load_lora_adapter", body}, err
}

// loaded is one adapter in llama-server's list.
type loaded struct {
	ID    int     `json:"id"`
	Path  string  `json:"path"`
	Scale float64 `json:"scale"`
}

// Register makes the adapter known and gives the model's name as deeprepo takes it: local/model:adapter. vLLM is asked
// to load it. llama-server loads adapters at its start only, so there it is looked up in its list and switched on; the
// name is the server's --alias then.
func Register(ctx context.Context, r Registration) (string, error) {
	if r.HTTP == nil {
		r.HTTP = http.DefaultClient
	}
	u, err := url.Parse(r.Endpoint)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", hint.Wrap(fmt.Errorf("%q is no address of a server", r.Endpoint), "it looks like http://127.0.0.1:8000")
	}
	r.Endpoint = strings.TrimSuffix(strings.TrimSuffix(r.Endpoint, "/"), "/v1")
	q, err := r.VLLMRequest()
	if err != nil {
		return "", err
	}
	code, answer, err := r.send(ctx, http.MethodPost, q.Path, q.Body)
	if err != nil {
		return "", hint.Wrap(fmt.Errorf("register the adapter: %w", err),
			"is the server running? its README in the run's directory says how it is started")
	}
	switch {
	case code == http.StatusOK:
		return "local/" + r.Name, nil
	case code == http.StatusBadRequest && strings.Contains(answer, "already been loaded"):
		return "local/" + r.Name, nil
	case code != http.StatusNotFound && code != http.StatusMethodNotAllowed && code != http.StatusNotImplemented:
		return "", hint.Wrap(fmt.Errorf("register the adapter: the server answered %d: %s", code, clip(answer)),
			"vLLM must be started with --enable-lora, a --max-lora-rank that is large enough, and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True")
	}
	return r.llama(ctx)
}

func (r Registration) llama(ctx context.Context) (string, error) {
	refused := hint.Wrap(errors.New("register the adapter: the server takes no adapters while it runs"),
		"start it with the adapter: vllm serve MODEL --enable-lora --lora-modules NAME=DIR, or llama-server --lora FILE")
	code, answer, err := r.send(ctx, http.MethodGet, "/lora-adapters", nil)
	if err != nil {
		return "", fmt.Errorf("register the adapter: %w", err)
	}
	var list []loaded
	if code != http.StatusOK || json.Unmarshal([]byte(answer), &list) != nil {
		return "", refused
	}
	at := -1
	for i, l := range list {
		list[i].Scale = 0
		if filepath.Clean(l.Path) == filepath.Clean(r.Adapter) {
			at = i
		}
	}
	if at < 0 {
		return "", hint.Wrap(fmt.Errorf("register the adapter: llama-server has not loaded %s", r.Adapter),
			"python -m deeprepo_train gguf makes the file; then llama-server --lora FILE --alias "+r.Name)
	}
	list[at].Scale = 1
	body, err := json.Marshal(list)
	if err != nil {
		return "", err
	}
	if code, answer, err = r.send(ctx, http.MethodPost, "/lora-adapters", body); err == nil && code != http.StatusOK {
		err = fmt.Errorf("the server answered %d: %s", code, clip(answer))
	}
	if err != nil {
		return "", fmt.Errorf("register the adapter: %w", err)
	}
	return "local/" + r.Name, nil
}

// send gives the status and the beginning of the answer.
func (r Registration) send(ctx context.Context, method, path string, body []byte) (int, string, error) {
	q, err := http.NewRequestWithContext(ctx, method, r.Endpoint+path, bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	q.Header.Set("Content-Type", "application/json")
	if r.Key != "" {
		q.Header.Set("Authorization", "Bearer "+r.Key)
	}
	a, err := r.HTTP.Do(q)
	if err != nil {
		return 0, "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, 1<<20))
	return a.StatusCode, string(text), err
}

// clip is the beginning of an answer, for an error.
func clip(s string) string {
	if len(s) > 300 {
		s = s[:300] + "..."
	}
	return strings.TrimSpace(s)
}
