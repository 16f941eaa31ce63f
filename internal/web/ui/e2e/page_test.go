package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a page may take to show what it is waited for. The machine may be busy with much else.
const patience = 30 * time.Second

// Page is a tab. Every method fails the test when it cannot do what it is called for.
type Page struct {
	t   *testing.T
	ctx context.Context
	run string // the run that Go's places belong to, "" for a file's

	mu       sync.Mutex
	host     string   // requests go there and nowhere else
	faults   []string // what the console said, and what else went wrong
	allowed  []string // parts of faults that a test wants to see
	requests int
}

func newPage(t *testing.T) *Page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser.ctx, chromedp.WithNewBrowserContext())
	p := &Page{t: t, ctx: ctx}
	if err := chromedp.Listen(ctx, p.hear); err != nil {
		cancel()
		t.Fatal(err)
	}
	for _, start := range []func() error{
		func() error { _, err := chromedp.Call(ctx, log.Enable, struct{}{}); return err },
		func() error { _, err := chromedp.Call(ctx, runtime.Enable, struct{}{}); return err },
		func() error { _, err := chromedp.Call(ctx, network.Enable, network.EnableParams{}); return err },
	} {
		if err := start(); err != nil {
			cancel()
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if t.Failed() {
			p.picture(filepath.Join(os.TempDir(), "deeprepo-e2e-failed-"+strings.ReplaceAll(t.Name(), "/", "-")+".png"))
		}
		cancel()
		for _, fault := range p.Faults() {
			t.Errorf("the page: %s", fault)
		}
	})
	return p
}

// hear takes down what goes wrong in the page.
func (p *Page) hear(event any) {
	fault := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning || e.Entry.Source == log.EntrySourceSecurity {
			fault = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning ||
			e.Type == runtime.ConsoleAPICalledTypeAssert {
			fault = "console: "
			for _, a := range e.Args {
				fault += string(a.Value) + a.Description + " "
			}
		}
	case *runtime.EventExceptionThrown:
		fault = "thrown: " + e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			fault += " " + x.Description
		}
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		p.mu.Lock()
		if err != nil || u.Scheme != "data" && u.Scheme != "blob" {
			p.requests++
		}
		if err != nil || u.Host != p.host && u.Scheme != "data" && u.Scheme != "blob" {
			fault = "asks for " + e.Request.URL
		}
		p.mu.Unlock()
	}
	if fault != "" {
		p.mu.Lock()
		p.faults = append(p.faults, fault)
		p.mu.Unlock()
	}
}

// Faults are what has gone wrong so far and was not allowed.
func (p *Page) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.faults), func(fault string) bool {
		return slices.ContainsFunc(p.allowed, func(part string) bool { return strings.Contains(fault, part) })
	})
}

// Allow has faults that contain one of these parts count for nothing: "status of 404" where a test wants a page to ask for
// what is not there.
func (p *Page) Allow(parts ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.allowed = append(p.allowed, parts...)
}

func (p *Page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.t.Fatalf("%s: %v\nfaults: %q\nthe page shows:\n%s", what, err, p.Faults(), p.quietText())
	}
}

// Open goes to an address. Requests must go to its host from then on.
func (p *Page) Open(address string) {
	p.t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.host = u.Host
	p.mu.Unlock()
	p.do("open "+address, chromedp.Navigate(address))
}

// Go goes to a place of the page's run, as "turns/3" or "findings?severity=high"; "" is its overview.
func (p *Page) Go(place string) {
	p.t.Helper()
	hash := "#/" + place
	if p.run != "" {
		hash = strings.TrimSuffix("#/run/"+p.run+"/"+place, "/")
	}
	p.Eval("location.hash = "+quote(hash), nil)
}

// Hash is where the page is.
func (p *Page) Hash() string {
	p.t.Helper()
	var hash string
	p.Eval("location.hash", &hash)
	return hash
}

// Eval runs a script in the page and puts its value, as JSON, into v, unless that is nil.
func (p *Page) Eval(script string, v any) {
	p.t.Helper()
	if err := p.eval(script, v); err != nil {
		p.t.Fatalf("%s: %v\nfaults: %q", script, err, p.Faults())
	}
}

func (p *Page) eval(script string, v any) error {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	raw, err := chromedp.Run(ctx, chromedp.Evaluate[[]byte](script, chromedp.EvalAwaitPromise))
	if err == nil && v != nil {
		err = json.Unmarshal(raw, v)
	}
	return err
}

// Until waits until a script's value is true, and says what was waited for when it never is. A script may fail meanwhile:
// a page that is on its way to another has nothing to ask.
func (p *Page) Until(what, script string) {
	p.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(30 * time.Millisecond) {
		var ok bool
		err := p.eval("Boolean("+script+")", &ok)
		if err == nil && ok {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("waited %v for %s (%v)\nfaults: %q\nthe page shows:\n%s", patience, what, err, p.Faults(), p.quietText())
		}
	}
}

// Reload loads the page again.
func (p *Page) Reload() {
	p.t.Helper()
	p.do("reload", chromedp.Reload())
}

// Rest waits for two frames and a moment: what was set is drawn, what follows a frame has followed, what moves has come to
// rest.
func (p *Page) Rest() {
	p.t.Helper()
	p.Eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true), 150))))", nil)
}

// Text is what the page shows.
func (p *Page) Text() string {
	p.t.Helper()
	var text string
	p.Eval("document.body.innerText", &text)
	return text
}

// quietText is Text for messages of failures, which must not fail themselves.
func (p *Page) quietText() string {
	ctx, cancel := context.WithTimeout(p.ctx, 5*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.body ? document.body.innerText.slice(0, 3000) : ''"))
	if err != nil {
		return err.Error()
	}
	return text
}

// Wait waits until the page shows texts, all of them.
func (p *Page) Wait(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.Until(fmt.Sprintf("the text %q", text), "document.body.innerText.toLowerCase().includes("+quote(strings.ToLower(text))+")")
	}
}

// WaitGone waits until the page shows a text no longer.
func (p *Page) WaitGone(text string) {
	p.t.Helper()
	p.Until(fmt.Sprintf("the end of the text %q", text), "!document.body.innerText.toLowerCase().includes("+quote(strings.ToLower(text))+")")
}

// WaitFor waits until a selector has at least one element.
func (p *Page) WaitFor(selector string) {
	p.t.Helper()
	p.Until("an element "+selector, "document.querySelector("+quote(selector)+")")
}

// Count is how many elements a selector has.
func (p *Page) Count(selector string) int {
	p.t.Helper()
	var n int
	p.Eval("document.querySelectorAll("+quote(selector)+").length", &n)
	return n
}

// Attribute is an attribute of the first element that a selector has; "" if there is none.
func (p *Page) Attribute(selector, name string) string {
	p.t.Helper()
	var value string
	p.Eval("document.querySelector("+quote(selector)+")?.getAttribute("+quote(name)+") ?? ''", &value)
	return value
}

// Click clicks with the mouse into the middle of the first visible element of a selector, wherever that is on the page.
func (p *Page) Click(selector string) {
	p.t.Helper()
	p.clickOn("an element "+selector, "[...document.querySelectorAll("+quote(selector)+")]")
}

// ClickText clicks on what a person would: a link, button, tab, row, cell or label that shows a text, the smallest such.
func (p *Page) ClickText(text string) {
	p.t.Helper()
	p.clickOn(fmt.Sprintf("something to click that shows %q", text),
		`[...document.querySelectorAll('a,button,summary,label,select,[role=button],[role=tab],[role=option],[role=row],`+
			`[role=link],[role=treeitem],tr,td,[tabindex]')]
		.filter(e => (e.innerText || e.getAttribute('aria-label') || '').toLowerCase().includes(`+quote(strings.ToLower(text))+`))
		.sort((a, b) => (a.innerText || '').length - (b.innerText || '').length || b.matches('a,button') - a.matches('a,button'))`)
}

// clickOn clicks where the element is once it has stood still for two frames with nothing in front of it: a page that is
// still being drawn would take the click for something else.
func (p *Page) clickOn(what, list string) {
	p.t.Helper()
	find := `(async () => {
		const e = ` + list + `.find(e => e.checkVisibility({visibilityProperty: true}) && e.getClientRects().length > 0);
		if (!e) return [];
		e.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
		const middle = () => { const r = e.getClientRects()[0]; return r ? [r.x + r.width / 2, r.y + r.height / 2] : []; };
		const before = middle();
		await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
		const at = middle();
		return at.length && at.join() === before.join() && e.contains(document.elementFromPoint(...at)) ? at : [];
	})()`
	for deadline := time.Now().Add(patience); ; time.Sleep(30 * time.Millisecond) {
		var at []float64
		err := p.eval(find, &at)
		if err == nil && len(at) == 2 {
			p.do("click on "+what, chromedp.MouseClickXY(at[0], at[1]))
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("waited %v for %s to click on (%v)\nthe page shows:\n%s", patience, what, err, p.quietText())
		}
	}
}

// Key presses keys, one after the other: "j", "?", "/". The names of others are in package kb of chromedp.
func (p *Page) Key(keys string) {
	p.t.Helper()
	// What was just drawn listens two frames later; a person is not that quick.
	p.Eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(true)))))", nil)
	p.do("press "+quote(keys), chromedp.KeyEvent(keys))
}

// Type puts the caret into the first element of a selector and types.
func (p *Page) Type(selector, text string) {
	p.t.Helper()
	p.Click(selector)
	p.Key(text)
}

// Size sets the window's size in pixels.
func (p *Page) Size(width, height int) {
	p.t.Helper()
	p.do("resize", chromedp.EmulateViewport(int64(width), int64(height)))
}

// Dark sets whether the system wants dark pages.
func (p *Page) Dark(on bool) {
	p.t.Helper()
	scheme := "light"
	if on {
		scheme = "dark"
	}
	p.media("prefers-color-scheme", scheme)
}

func (p *Page) media(name, value string) {
	p.t.Helper()
	if _, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: name, Value: value}}}); err != nil {
		p.t.Fatal(err)
	}
}

func quote(s string) string {
	data, err := json.Marshal(s)
	if err != nil { // a string
		panic(err)
	}
	return string(data)
}
