package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm/llmtest"
	"github.com/deeprepo/deeprepo/internal/runtest"
)

// attack is what would run if any field were taken for markup, for a script, for a link or for a format.
const attack = `<img src=x onerror="window.pwned=1"></script><script>window.pwned=1</script>` + "\u202e\u0007\u2028" +
	`"'><svg onload=window.pwned=1>[click me](javascript:window.pwned=1) ![](http://evil.example/x.png) ` +
	`<a href="javascript:window.pwned=1">click me</a> {{pwned}} ${pwned}`

// clean fails the test when something of an attack has run or stands in the page as an element.
func (p *Page) clean(where string) {
	p.t.Helper()
	var found []string
	p.Eval(`[window.pwned !== undefined && 'a script ran',
		...[...document.querySelectorAll('img, iframe, object, embed, form[action], base')].map(e => 'an element ' + e.outerHTML.slice(0, 200)),
		...[...document.querySelectorAll('svg [onload], svg[onload]')].map(e => 'an element ' + e.outerHTML.slice(0, 200)),
		...[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).map(e => `+
		`'a handler in ' + e.outerHTML.slice(0, 200)),
		...[...document.querySelectorAll('[href], [src], [action], [formaction]')].filter(e => `+
		`/^\s*(javascript|vbscript|data:text)/i.test(e.getAttribute('href') ?? e.getAttribute('src') ?? '')).map(e => `+
		`'a link ' + e.outerHTML.slice(0, 200)),
		...[...document.querySelectorAll('script')].filter(e => e.src === '' && e.type === '' && location.protocol !== 'file:').map(e => `+
		`'a script ' + e.outerHTML.slice(0, 200)),
	].filter(Boolean)`, &found)
	for _, what := range found {
		p.t.Errorf("%s: %s", where, what)
	}
}

// walk looks at every section of the run that is open, opens the first row of each, and clicks on what calls for it. Places
// are those that show the attack as the text that it is.
func (p *Page) walk() (shown []string) {
	p.t.Helper()
	places := p.sections()
	for _, place := range places {
		p.Eval("location.hash = "+quote(place), nil)
		p.quiet(place)
		p.clean(place)
		if strings.Contains(p.Text(), "onerror=") {
			shown = append(shown, place)
		}
		p.Key("j")
		p.Key("\r")
		p.Eval("new Promise(done => setTimeout(() => done(true), 200))", nil)
		p.clean(p.Hash())
		p.Eval(`[...document.querySelectorAll('main a')].filter(a => a.innerText.includes('click me')).slice(0, 5).forEach(a => a.click())`, nil)
		p.clean(p.Hash())
	}
	return shown
}

// A repository and two models that attack the reader of the review, by names, code, prompts, replies and findings.
func TestReviewOfAnAttacker(t *testing.T) {
	needBrowser(t)
	src := filepath.Join(world, "codebases", "attacker")
	name := "a<img src=x onerror=window.pwned=1>.py"
	runtest.WriteFile(t, filepath.Join(src, name), "import os\n# "+attack+"\nos.system(input())\n")
	runtest.WriteFile(t, filepath.Join(src, "javascript:alert(1)", "b.js"), "eval('"+`</script><script>window.pwned=1</script>`+"');\n")
	finding := fmt.Sprintf("add_finding(title=%s, severity='high', category=%s, file=%s, line=3, evidence='os.system(input())', "+
		"explanation=%[1]s, suggestion=%[1]s, confidence=0.9)\n", quote(attack), quote(attack[:40]), quote(name))
	srv := llmtest.NewServer(t, llmtest.Options{Reply: func(r llmtest.ChatRequest) llmtest.Reply {
		if r.Model != "root" {
			return llmtest.Reply{Text: attack, Input: 50, Output: 5}
		}
		return llmtest.Reply{Text: attack + "\n```python\nx = " + quote(attack) +
			"\nprint(x)\nprint(llm_batch([x + p + codebase[p] for p in codebase]))\n" + finding +
			"set_answer('# ' + x + '\\n\\n' + x)\n```\n", Reasoning: attack, Input: 100, Output: 20}
	}})
	dir := filepath.Join(world, "attacks", "<img src=x onerror=window.pwned=1>")
	must(t, world, []string{"DEEPREPO_LOCAL_URL=" + srv.URL + "/v1"}, "analyze", src, "--strategy", "rlm", "--root", "local/root",
		"--worker", "local/worker", "--out", dir)

	p := openList(t, filepath.Dir(dir))
	p.Wait("<img src=x")
	p.clean("the list")
	served := open(t, dir)
	if shown := served.walk(); len(shown) < 2 {
		t.Errorf("the attack is shown at %v only", shown)
	}
	served.Go("findings")
	served.Wait("onerror=")
	file := filepath.Join(t.TempDir(), "attack.html")
	must(t, world, nil, "ui", dir, "--export", file)
	f := openFile(t, file)
	f.walk()
}

// Every text in every file of every kind of run is an attack: whatever can still be read is shown as what it is, text.
func TestEveryFieldAttacks(t *testing.T) {
	needBrowser(t)
	for kind, dir := range everyKind(t) {
		t.Run(kind, func(t *testing.T) {
			dir := copied(t, dir)
			rewrite(t, dir, func(text []byte) []byte {
				var v any
				d := json.NewDecoder(bytes.NewReader(text))
				d.UseNumber()
				if d.Decode(&v) != nil {
					return text
				}
				out, err := json.Marshal(poison(v, ""))
				if err != nil {
					t.Fatal(err)
				}
				return out
			})
			p := open(t, dir)
			p.Allow("status of 4")
			if shown := p.walk(); len(shown) == 0 {
				t.Error("nothing of the attack is shown: the files are no longer read, and the test tests nothing")
			}
		})
	}
}

// kept are the fields whose texts say what a file is: with an attack in them it would be no run at all.
var kept = []string{"command", "type", "status", "id", "method", "strategy", "severity", "verdict", "node", "hash", "key"}

// poison puts the attack behind every text of a document, but times and what says what the document is.
func poison(v any, name string) any {
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339, v); err == nil || v == "" || slices.Contains(kept, name) {
			return v
		}
		return v + attack
	case []any:
		for i := range v {
			v[i] = poison(v[i], name)
		}
	case map[string]any:
		for k := range v {
			v[k] = poison(v[k], k)
		}
	}
	return v
}

// rewrite changes every JSON document in a directory: whole files, and the lines of those that hold lines.
func rewrite(t *testing.T, dir string, change func([]byte) []byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".json") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var out []byte
		if filepath.Ext(path) == ".json" {
			out = change(text)
		} else {
			for line := range bytes.Lines(text) {
				out = append(append(out, change(bytes.TrimSpace(line))...), '\n')
			}
		}
		return os.WriteFile(path, out, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}
