package openenv

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// NewToken is a token that cannot be guessed: 128 bits.
func NewToken() (string, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}

// BaseURL is what clients are given: address is host:port. OpenEnv's clients append their paths to it and send no
// headers of their own, so the token is part of the path.
func BaseURL(address, token string) string {
	if token == "" {
		return "http://" + address
	}
	return "http://" + address + "/t/" + token
}

// admit refuses what does not come from a client that was given the URL, and takes the token off the path.
func (s *Server) admit(w http.ResponseWriter, r *http.Request) (*http.Request, bool) {
	if !s.knownHost(r.Host) {
		writeProblem(w, http.StatusMisdirectedRequest, refuse(codeSession, "the Host header names %s, which is not this server; "+
			"use its address, or start it with --host NAME", quoted(r.Host)))
		return r, false
	}
	// A browser says where a page came from. Pages of others have no business here, whatever their user can reach.
	if origin := r.Header.Get("Origin"); origin != "" {
		if u, err := url.Parse(origin); err != nil || !strings.EqualFold(u.Host, r.Host) {
			writeProblem(w, http.StatusForbidden, refuse(codeSession, "requests from pages of %s are refused", quoted(origin)))
			return r, false
		}
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
	if s.c.Token != "" && path != "/health" && !equalSecret(given, s.c.Token) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		writeProblem(w, http.StatusUnauthorized, refuse(codeSession, "the token is missing or wrong; use the URL that the server printed, "+
			"http://HOST:PORT/t/TOKEN, or the header Authorization: Bearer TOKEN"))
		return r, false
	}
	if path != r.URL.Path {
		r = r.Clone(r.Context())
		r.URL.Path, r.URL.RawPath = path, ""
	}
	return r, true
}

// equalSecret takes the same time for every guess, whatever its length.
func equalSecret(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// knownHost reports whether a Host header names this server: an address, localhost, or a name that was configured. A
// name that an attacker made to point here is none of these.
func (s *Server) knownHost(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.Trim(name, "[]"))
	return name == "localhost" || net.ParseIP(name) != nil || slices.ContainsFunc(s.c.Hosts, func(h string) bool { return strings.EqualFold(h, name) })
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
