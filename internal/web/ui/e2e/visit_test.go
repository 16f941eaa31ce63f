package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The token goes from the address into a cookie, wherever the link was; without it nothing is shown.
func TestVisits(t *testing.T) {
	needBrowser(t)
	address := serve(t, reviewed(t))
	bare := address[:strings.Index(address, "/t/")]

	p := newPage(t)
	p.Allow("status of 401")
	p.Open(bare + "/")
	p.Wait("the token is missing", "open the URL that deeprepo ui printed")

	p = newPage(t)
	p.Open(address + "#/")
	p.Wait("planted-review")
	if place := p.where(); place != bare+"/#/" {
		t.Errorf("the address is %s", place)
	}
	var cookie string
	p.Eval("document.cookie", &cookie)
	if cookie != "" {
		t.Errorf("scripts can read the cookie %q", cookie)
	}
	p.Reload() // with the cookie alone
	p.Wait("planted-review")

	// A link on another page opens it; that page itself can neither frame it nor read from it.
	others := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<link rel=icon href="data:,"><a href="%[1]s/">to the runs</a><iframe src="%[1]s/"></iframe><p id=said></p>
			<script>fetch("%[1]s/api/runs").then(r => r.text(), e => "refused").then(t => said.textContent = t)</script>`, address)
	}))
	defer others.Close()
	p = newPage(t)
	p.Allow("", "") // that page breaks many rules
	p.Open(strings.Replace(others.URL, "127.0.0.1", "localhost", 1))
	p.Wait("refused")
	p.ClickText("to the runs")
	p.Wait("planted-review")
	if place := p.where(); !strings.HasPrefix(place, bare+"/") || strings.Contains(place, "/t/") {
		t.Errorf("the address is %s", place)
	}
}

// where is the page's address.
func (p *Page) where() string {
	p.t.Helper()
	var address string
	p.Eval("location.href", &address)
	return address
}
