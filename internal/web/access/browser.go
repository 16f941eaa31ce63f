package access

import (
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Enter is Admit for servers of pages. A visit to /t/TOKEN/ is answered here, with a cookie and the way to the page's
// clean address, so that the token stays in no history and in no Referer; then there is no request and no refusal.
func (g Guard) Enter(w http.ResponseWriter, r *http.Request) (*http.Request, *Refusal) {
	admitted, refused := g.Admit(w.Header(), r)
	if refused != nil || g.Cookie == "" || admitted.URL.Path != "/" || !strings.HasPrefix(r.URL.Path, "/t/") {
		return admitted, refused
	}
	g.setCookie(w, r)
	clean := "../"
	if strings.HasSuffix(r.URL.Path, "/") {
		clean = "../../"
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		// A link on another page, or in a file, led here. A browser that is sent on by a redirect would still count the
		// next request as that page's, and hold the cookie back; from a page of ours it does not.
		w.Header().Set("Refresh", "0; url="+clean)
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("The page opens ...\n")) // a client that is gone does not miss it
		return nil, nil
	}
	w.Header().Set("Location", clean)
	w.WriteHeader(http.StatusSeeOther)
	return nil, nil
}

func (g Guard) setCookie(w http.ResponseWriter, r *http.Request) {
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(r.Host), Value: g.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
}

// Grant gives a visitor who knows the token its cookie, and reports whether they do. It is for a second token, which allows more
// than the first: the request must have been admitted before.
func (g Guard) Grant(w http.ResponseWriter, r *http.Request, given string) bool {
	if g.Token == "" || !equalSecret(given, g.Token) {
		return false
	}
	g.setCookie(w, r)
	return true
}

// Granted reports whether an admitted request carries the token of a [Guard] that allows more: as a cookie, or in the header. With
// a cookie a browser sends it, whatever page asked: who changes something must look at [SamePage], too.
func (g Guard) Granted(r *http.Request, header string) bool {
	if g.Token == "" {
		return false
	}
	if given := r.Header.Get(header); given != "" {
		return equalSecret(given, g.Token)
	}
	for _, c := range r.CookiesNamed(g.cookieName(r.Host)) {
		if equalSecret(c.Value, g.Token) {
			return true
		}
	}
	return false
}

// SamePage reports whether a browser says that a page of this very server made the request. It is stricter than Admit, which lets
// programs in that say nothing.
func SamePage(r *http.Request) bool {
	u, err := url.Parse(r.Header.Get("Origin"))
	site := r.Header.Get("Sec-Fetch-Site")
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) && (site == "" || site == "same-origin")
}

// fromOthers reports whether a browser says that another page caused the request. A link that the user followed to a
// page of ours is not that: who wrote the link sees nothing of the answer.
func fromOthers(h http.Header) bool {
	switch h.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none": // a program, our own page, the user
		return false
	}
	return h.Get("Sec-Fetch-Mode") != "navigate" || h.Get("Sec-Fetch-Dest") != "document"
}

// cookieName is the name of the cookie for the port that a Host header names.
func (g Guard) cookieName(host string) string {
	_, port, err := net.SplitHostPort(host)
	if n, bad := strconv.ParseUint(port, 10, 16); err == nil && bad == nil {
		return g.Cookie + "-" + strconv.FormatUint(n, 10)
	}
	return g.Cookie
}
