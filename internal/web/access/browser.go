package access

import (
	"net"
	"net/http"
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
	http.SetCookie(w, &http.Cookie{
		Name: g.cookieName(r.Host), Value: g.Token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil,
	})
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
