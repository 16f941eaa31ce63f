package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/web/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestRootsAreKept(t *testing.T) {
	dir, outside := tree(t), tree(t)
	for link, to := range map[string]string{"away": outside, "away.jsonl": filepath.Join(outside, "app", "a.py")} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	c := config(t, dir)
	s := client(t, c, nil)
	for _, path := range []string{outside, "..", "../" + filepath.Base(outside), "away", "away/app", "/",
		"/etc/passwd", "app/../../x", "app/../.."} {
		refused(t, s, "review", map[string]any{"path": path}, "outside the roots")
		refused(t, s, "graph", map[string]any{"path": path, "query": "symbols", "file": "a.py"}, "outside the roots")
		refused(t, s, "locate", map[string]any{"path": path, "text": "eval"}, "outside the roots")
		refused(t, s, "judge", map[string]any{"path": path, "dataset": "humaneval"}, "outside the roots")
	}
	refused(t, s, "judge", map[string]any{"path": "away.jsonl", "dataset": "humaneval"}, "outside the roots")
	refused(t, s, "judge", map[string]any{"path": "app/a.py", "dataset": "humaneval", "data": "away.jsonl"}, "outside the roots")
	refused(t, s, "judge", map[string]any{"path": "app", "dataset": "humaneval"}, "not a file")
	refused(t, s, "review", map[string]any{"path": "https://host/x.git"}, "not a path")
	refused(t, s, "review", map[string]any{"path": "nowhere"}, "there is no")
	for _, run := range []string{"..", ".", "", "../x", "a/b", ".hidden"} {
		refused(t, s, "findings", map[string]any{"run": run}, "not the name of a run")
	}
	refused(t, s, "findings", map[string]any{"run": "none"}, "there is no run")
	run := ask(t, s, "review", map[string]any{"path": "app"})["run"].(string)
	other := c
	other.Roots = []string{outside} // the same runs, another codebase
	refused(t, client(t, other, nil), "findings", map[string]any{"run": run}, "there is no run")
	if err := os.Symlink(filepath.Join(c.Runs, run), filepath.Join(c.Runs, "linked")); err != nil {
		t.Fatal(err)
	}
	refused(t, s, "findings", map[string]any{"run": "linked"}, "there is no run")
}

func TestClientsRootsNarrow(t *testing.T) {
	dir := tree(t)
	c := config(t, dir)
	narrow := client(t, c, nil, "file://"+filepath.ToSlash(filepath.Join(dir, "app")))
	refused(t, narrow, "review", map[string]any{"path": dir}, "outside the roots")
	ask(t, narrow, "graph", map[string]any{"path": ".", "query": "symbols", "file": "a.py"})
	wide := client(t, c, nil, "file:///")
	ask(t, wide, "graph", map[string]any{"path": "app", "query": "symbols", "file": "a.py"})
	refused(t, wide, "review", map[string]any{"path": "/"}, "outside the roots")
	for _, uri := range []string{"file:///nowhere/at/all", "https://host/x", "file://otherhost" + filepath.ToSlash(dir)} {
		refused(t, client(t, c, nil, uri), "review", map[string]any{"path": dir}, "leave nothing")
	}
}

// A client with roots sees and reads the reports of what lies below them, in protocols that ask by a request and that ask by a
// result.
func TestClientsRootsNarrowReports(t *testing.T) {
	dir := runtest.Tree(t, map[string]string{"mine/a.py": "x = eval(input())\n", "other/b.py": "y = exec(input())\n"})
	server, err := mcp.New(config(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	anyone := connect(t, server, "", nil)
	mine := ask(t, anyone, "review", map[string]any{"path": "mine"})["run"].(string)
	other := ask(t, anyone, "review", map[string]any{"path": "other"})["run"].(string)
	if got := listed(t, anyone); !strings.Contains(got, mine) || !strings.Contains(got, other) {
		t.Errorf("a client without roots sees %s", got)
	}
	root := func(name string) string { return "file://" + filepath.ToSlash(filepath.Join(dir, name)) }
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		s := connect(t, server, version, nil, root("mine"))
		if got := s.InitializeResult().ProtocolVersion; got != version {
			t.Fatalf("the protocol is %s", got)
		}
		if got := listed(t, s); version < "2026" != (got != "") {
			t.Errorf("%s: before a question that can be asked in a result: %s", version, got)
		}
		for _, form := range []string{".md", ".json", ".sarif"} {
			got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "deeprepo://runs/" + mine + "/report" + form})
			if err != nil || !strings.Contains(got.Contents[0].Text, "eval") {
				t.Errorf("%s: its own %s: %v", version, form, err)
			}
			_, err = s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "deeprepo://runs/" + other + "/report" + form})
			if err == nil || !strings.Contains(err.Error(), "there is no run") || !strings.Contains(err.Error(), "below the roots\nhint: ") {
				t.Errorf("%s: another's %s: %v", version, form, err)
			}
		}
		if got := listed(t, s); !strings.Contains(got, mine) || strings.Contains(got, other) {
			t.Errorf("%s: the client of %s sees %s", version, mine, got)
		}
		refused(t, s, "show", map[string]any{"run": other, "id": "a"}, "there is no run")
		nowhere := connect(t, server, version, nil, "file:///nowhere/at/all")
		refused(t, nowhere, "findings", map[string]any{"run": mine}, "there is no run")
		if got := listed(t, nowhere); got != "" {
			t.Errorf("%s: a client of nothing here sees %s", version, got)
		}
	}
}

// listed are the addresses of the reports that a client sees.
func listed(t *testing.T, s *sdk.ClientSession) string {
	t.Helper()
	all, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, r := range all.Resources {
		addresses = append(addresses, r.URI)
	}
	return strings.Join(addresses, " ")
}
