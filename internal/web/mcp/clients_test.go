package mcp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOfficialClients drives the program with the official clients, over pipes and over HTTP. .ci/run installs them.
func TestOfficialClients(t *testing.T) {
	python, modules := os.Getenv("DEEPREPO_MCP_PYTHON"), os.Getenv("MCP_MODULES")
	if python == "" {
		python = "python3"
	}
	for _, test := range []struct {
		name, missing string
		probe, run    []string
	}{
		{"Python", "no Python here that has mcp 2 (DEEPREPO_MCP_PYTHON names one)",
			[]string{python, "-c", "from mcp import Client"}, []string{python, "testdata/client.py"}},
		{"TypeScript", "no node here, or no @modelcontextprotocol/sdk below MCP_MODULES",
			[]string{"node", "-e", "require(require.resolve('@modelcontextprotocol/sdk/client/index.js', {paths: [process.env.MCP_MODULES || '/']}))"},
			[]string{"node", "testdata/client.mjs"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			probe := exec.CommandContext(t.Context(), test.probe[0], test.probe[1:]...)
			probe.Env = append(os.Environ(), "MCP_MODULES="+modules)
			if probe.Run() != nil {
				t.Skip(test.missing)
			}
			program := filepath.Join(t.TempDir(), "deeprepo")
			if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../../cmd/deeprepo").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			run := exec.CommandContext(t.Context(), test.run[0], append(test.run[1:], program, filepath.Join(tree(t), "app"), t.TempDir())...)
			run.WaitDelay = 5 * time.Second
			out, err := run.CombinedOutput()
			if err != nil || !strings.Contains(string(out), "ok\n") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}
