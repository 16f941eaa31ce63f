package mcp_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codeeval"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/offline"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// tree is a codebase with two findings.
func tree(t testing.TB) string {
	dir := runtest.Tree(t, map[string]string{
		"app/a.py": "import b\n\ndef go():\n    return eval(input())\n\ndef twice():\n    return go() + b.plain()\n",
		"app/b.py": "import hashlib\n\ndef plain():\n    return 1\n\ndef digest(password):\n    return hashlib.md5(password).hexdigest()\n",
	})
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	return real
}

// config is a server's of a tree, offline.
func config(t testing.TB, dir string) mcp.Config {
	registry := llm.NewRegistry(nil)
	registry.Register("offline", func(model string) (llm.Handle, error) {
		if model == "orchestrator" {
			return offline.Handle(), nil
		}
		return rules.NewWorker(rules.NewSet(runtest.Parser(t), rules.All())).Handle(), nil
	})
	return mcp.Config{
		Roots: []string{dir}, Runs: filepath.Join(t.TempDir(), "runs"), Programs: engine, Parser: runtest.OpenParser, Version: "test",
		Options: func(a mcp.Asked) (review.Options, error) {
			preset, err := rlm.BuiltinPreset("code")
			return review.Options{Path: a.Path, Root: offline.Name, Worker: rules.Name, Preset: preset}, err
		},
		Env: func(observe func(rlm.Progress)) review.Env {
			return review.Env{Registry: registry, Sandbox: engine, Syntax: runtest.OpenParser, Observe: observe, Version: "test"}
		},
		Judge: func(_ context.Context, j mcp.Judging, observe func(codeeval.Progress)) (runfile.CodeSummary, error) {
			observe(codeeval.Progress{Phase: codeeval.PhaseSamples, Done: 1, Total: 1})
			return runfile.CodeSummary{Dataset: j.Dataset, Total: 1, Passed: 1, Samples: j.Samples}, nil
		},
	}
}

// client is one of a server's.
func client(t testing.TB, c mcp.Config, o *sdk.ClientOptions, roots ...string) *sdk.ClientSession {
	t.Helper()
	server, err := mcp.New(c)
	if err != nil {
		t.Fatal(err)
	}
	return connect(t, server, "", o, roots...)
}

// connect is a client of a server, in a version of the protocol, "" for the newest.
func connect(t testing.TB, server *mcp.Server, version string, o *sdk.ClientOptions, roots ...string) *sdk.ClientSession {
	t.Helper()
	there, here := sdk.NewInMemoryTransports()
	if _, err := mcp.Inner(server).Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	cl := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, o)
	for _, dir := range roots {
		cl.AddRoots(&sdk.Root{URI: dir}) //nolint:staticcheck // clients of today have roots
	}
	session, err := cl.Connect(t.Context(), here, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// ask calls a tool that answers.
func ask(t testing.TB, s *sdk.ClientSession, tool string, args map[string]any) map[string]any {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	if r.IsError {
		t.Fatalf("%s: %s", tool, said(r))
	}
	text, _ := json.Marshal(r.StructuredContent)
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// refused calls a tool that must refuse, with those words in what it says.
func refused(t testing.TB, s *sdk.ClientSession, tool string, args map[string]any, words ...string) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, word := range append(words, "hint: ") {
		if !r.IsError || !strings.Contains(said(r), word) {
			t.Errorf("%s %v: %q is not in %q", tool, args, word, said(r))
		}
	}
}

func said(r *sdk.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if text, ok := c.(*sdk.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}

func call(tool string, args map[string]any) *sdk.CallToolParams {
	return &sdk.CallToolParams{Name: tool, Arguments: args}
}
