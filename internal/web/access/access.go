// Package access decides who may talk to a server of ours: programs that know its token and name it by its address.
//
// A request is let in when its Host header is an address, localhost or a name that was configured (a name that an
// attacker made to point here is none of these), when no other web page made it, and when it carries the
// token: in its path (/t/TOKEN/...), for clients that are given a URL and send no headers, as Authorization: Bearer
// TOKEN, or, for pages, as a cookie that a visit to /t/TOKEN/ sets. Tokens are compared in constant time and stand in
// no answer's body.
//
// It is not a user management, and no encryption: across a network that is not trusted, put a proxy with TLS before it.
package access

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// Guard holds what a server asks of its clients.
type Guard struct {
	// Token must be known to clients. Defaults to none, which is for servers that only this machine reaches.
	Token string
	// Hosts are names, beside addresses and localhost, that a Host header may have. Defaults to none.
	Hosts []string
	// Open are paths that need no token, such as /health. Defaults to none.
	Open []string
	// Cookie is how the names of cookies that carry the token begin; the port follows, since browsers send a host's
	// cookies to all its ports. Defaults to none: cookies count for nothing.
	Cookie string
}

// Refusal is why a request is not let in.
type Refusal struct {
	Status  int // of HTTP
	Message string
}

func (r *Refusal) Error() string { return r.Message }

// Admit checks a request and takes the token off its path. The answer's headers are set where HTTP wants some.
func (g Guard) Admit(header http.Header, r *http.Request) (*http.Request, *Refusal) {
	if !g.knownHost(r.Host) {
		return nil, &Refusal{http.StatusMisdirectedRequest, fmt.Sprintf("the Host header names %s, which is not this server; "+
			"use its address, or start it with --host NAME", Quoted(r.Host))}
	}
	// A browser says where a page came from. Pages of others have no business here, whatever their user can reach.
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
			return nil, &Refusal{http.StatusForbidden, fmt.Sprintf("requests from pages of %s are refused", Quoted(origin))}
		}
	}
	if fromOthers(r.Header) {
		return nil, &Refusal{http.StatusForbidden, "requests from pages of others are refused"}
	}
	given, path := "", r.URL.Path
	if rest, ok := strings.CutPrefix(path, "/t/"); ok {
		var tail string
		given, tail, _ = strings.Cut(rest, "/")
		path = "/" + tail
	}
	if bearer, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok && given == "" {
		given = strings.TrimSpace(bearer)
	}
	if given == "" && g.Cookie != "" {
		for _, c := range r.CookiesNamed(g.cookieName(r.Host)) {
			if equalSecret(c.Value, g.Token) {
				given = c.Value
			}
		}
	}
	switch {
	case g.Token == "" || equalSecret(given, g.Token):
		admitted(r.Context())
	case !slices.Contains(g.Open, path):
		header.Set("WWW-Authenticate", "Bearer")
		return nil, &Refusal{http.StatusUnauthorized, "the token is missing or wrong; use the URL that the server printed, " +
			"http://HOST:PORT/t/TOKEN, or the header Authorization: Bearer TOKEN"}
	}
	if path != r.URL.Path {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = path, ""
	}
	return r, nil
}

// knownHost reports whether a Host header names this server.
func (g Guard) knownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	return name == "localhost" || net.ParseIP(name) != nil ||
		slices.ContainsFunc(g.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
}

// Quoted shows a client's words back, shortened.
func Quoted(s string) string {
	s = termtext.CutWith(s, 60, "...")
	return fmt.Sprintf("%q", s)
}

// equalSecret takes the same time for every guess, whatever its length.
func equalSecret(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// BaseURL is what clients are given: address is host:port.
func BaseURL(address, token string) string {
	if token == "" {
		return "http://" + address
	}
	return "http://" + address + "/t/" + token
}

// NewToken is a token that cannot be guessed: 128 bits.
func NewToken() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// CheckToken refuses tokens that can be guessed, or that a path cannot hold.
func CheckToken(token string) error {
	if len(token) < 16 {
		return errors.New("the token has fewer than 16 characters")
	}
	if strings.ContainsFunc(token, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
	}) {
		return errors.New("the token may hold letters, digits, -, _ and . only")
	}
	return nil
}
