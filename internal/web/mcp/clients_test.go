package mcp_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runtest"
)

// TestOfficialClients drives the program with the official clients, over pipes and over HTTP. .ci/run installs them.
func TestOfficialClients(t *testing.T) {
	python, modules := os.Getenv("DEEPREPO_MCP_PYTHON"), os.Getenv("MCP_MODULES")
	if python == "" {
		python = "python3"
	}
	program := filepath.Join(t.TempDir(), "deeprepo")
	build := sync.OnceValues(exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../../cmd/deeprepo").CombinedOutput)
	for _, test := range []struct {
		name, missing string
		probe, run    []string
	}{
		{"Python", "not run: no Python here has the package mcp 2; pip install mcp==2.3.0, or DEEPREPO_MCP_PYTHON=PYTHON, or .ci/run",
			[]string{python, "-c", "from mcp import Client"}, []string{python, "testdata/client.py"}},
		{"TypeScript", "not run: no node, or no @modelcontextprotocol/sdk there; npm install it in DIR and set MCP_MODULES=DIR, or .ci/run",
			[]string{"node", "-e", "require(require.resolve('@modelcontextprotocol/sdk/client/index.js', {paths: [process.env.MCP_MODULES || '/']}))"},
			[]string{"node", "testdata/client.mjs"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			probe := exec.CommandContext(t.Context(), test.probe[0], test.probe[1:]...)
			probe.Env = append(os.Environ(), "MCP_MODULES="+modules)
			if probe.Run() != nil {
				t.Skip(test.missing)
			}
			if said, err := build(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			model, env := silent(t)
			run := exec.CommandContext(t.Context(), test.run[0], append(test.run[1:], program, filepath.Join(tree(t), "app"), t.TempDir(), model)...)
			run.Env = append(os.Environ(), env...)
			run.WaitDelay = 5 * time.Second
			out, err := run.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "ok\n") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// silent is a model that never answers, and the environment that makes it the worker of reviews that may cost something. In the
// directory the file asked comes with its first call, gone when the caller of one has left.
func silent(t *testing.T) (dir string, env []string) {
	dir = t.TempDir()
	once := map[string]func(){}
	for _, name := range []string{"asked", "gone"} {
		once[name] = sync.OnceFunc(func() { _ = os.WriteFile(filepath.Join(dir, name), nil, 0o644) })
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body) // only then a caller that leaves is seen
		once["asked"]()
		<-r.Context().Done()
		once["gone"]()
	}))
	t.Cleanup(web.Close)
	t.Cleanup(web.CloseClientConnections)
	config := t.TempDir()
	runtest.WriteFile(t, filepath.Join(config, "deeprepo", "deeprepo.toml"),
		"root = \"offline/orchestrator\"\nworker = \"local/silent\"\n\n[model.\"local/silent\"]\ninput = 1.0\noutput = 1.0\ncontext = 32000\n")
	return dir, []string{"XDG_CONFIG_HOME=" + config, "DEEPREPO_LOCAL_URL=" + web.URL + "/v1"}
}
