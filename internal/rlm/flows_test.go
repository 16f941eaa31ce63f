package rlm_test

import (
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// TestFlowsAreFacts: a root is told of a way from one file into another, with its steps, and only of those below the path that it
// asks for.
func TestFlowsAreFacts(t *testing.T) {
	files := map[string]string{
		"web/views.py": "from flask import request\nfrom web.db import find\n\n\n@app.route(\"/u\")\ndef user():\n    return fin" +
			"d(request.args[\"name\"])\n",
		"web/db.py":  "def find(name):\n    return cursor.execute(\"SELECT * FROM users WHERE name = '\" + name + \"'\")\n",
		"tools/a.py": "x = 1\n",
	}
	code := codebase.FromMap(files)
	built := graph.Lazily(code, graph.Options{Parser: runtest.OpenParser})
	change := func(c *rlm.Config) { c.Graph, c.Flows = built, flow.Lazily(code, built, runtest.OpenParser, nil) }
	got, _ := outputs(t, setup{files: files, change: change}, "flows()", `print(len(flows("tools")), flows("web")[0]["files"])`)
	for i, want := range []string{
		"web/db.py:2 sql: an untrusted value reaches cursor.execute",
		"0 ['web/db.py', 'web/views.py']",
	} {
		if !strings.Contains(got[i], want) {
			t.Errorf("cell %d shows %s\nwant %q in it", i+1, got[i], want)
		}
	}
	if !strings.Contains(got[0], "web/views.py:7 return find(request.args") {
		t.Errorf("no first step: %s", got[0])
	}
}
