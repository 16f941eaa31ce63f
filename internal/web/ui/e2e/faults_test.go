package e2e

import (
	"strings"
	"testing"
	"time"
)

// Every other test relies on it: what goes wrong in a page is heard, or the page was not tested.
func TestFaultsAreHeard(t *testing.T) {
	needBrowser(t)
	p := open(t, reviewed(t))
	p.settled("#/run/" + p.run)
	for what, tt := range map[string]struct{ script, heard string }{
		"a message":           {`console.error('seven')`, "seven"},
		"an exception":        {`setTimeout(() => { throw new Error('eight') })`, "eight"},
		"markup of a text":    {`try { document.body.innerHTML = "<img src=x>" } catch {}`, "has been blocked"},
		"a forbidden request": {`fetch('http://127.0.0.1:9/ten').catch(() => 0)`, "ten' violates the following Content Security Policy"},
	} {
		p.Eval("(() => { "+tt.script+"; return true; })()", nil)
		heard := func() bool {
			for _, fault := range p.Faults() {
				if strings.Contains(fault, tt.heard) {
					return true
				}
			}
			return false
		}
		for deadline := time.Now().Add(10 * time.Second); !heard() && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		}
		if !heard() {
			t.Errorf("%s was not heard: %q", what, p.Faults())
		}
	}
	p.Allow("") // they were wanted
}
