package provider

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// maxRedirects ends the following of redirects within one server.
const maxRedirects = 5

// sameServer follows a redirect within the server that was asked, where request and key are at home, and from its http to
// its https. Any other, and one that would turn a POST into a GET, is handed to the guard, which refuses it.
func sameServer(next *http.Request, via []*http.Request) error {
	first, to := via[0], next.URL
	here := first.URL.Host == to.Host && first.URL.Scheme == to.Scheme
	up := first.URL.Hostname() == to.Hostname() && first.URL.Scheme == "http" && to.Scheme == "https"
	if (here || up) && next.Method == first.Method && len(via) <= maxRedirects {
		return nil
	}
	return http.ErrUseLastResponse
}

// redirected is the error for a redirect that was not followed.
func (s service) redirected(full string, res *http.Response) *llm.Error {
	e := &llm.Error{Kind: llm.KindUnreachable, Model: full, Status: res.StatusCode, Message: "the server redirects, and does not say where to"}
	to, err := res.Location()
	if err != nil {
		return e
	}
	where := (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).String()
	if res.Request != nil && res.Request.URL.Host == to.Host && res.Request.URL.Scheme == to.Scheme {
		e.Message = s.clean("the server redirects to " + where + " again and again, or so that the request would be lost")
	} else {
		e.Message = s.clean("the server redirects to " + where + "; neither request nor key was sent there")
	}
	e.Hints = "if you trust that address, give the API's base URL there as " + s.urlVar
	return e
}

// unreached sorts a failure to get an answer from the server. What will fail in the same way the next time is
// [llm.KindUnreachable], with a hint.
func (s service) unreached(cause error, sent bool) (llm.Kind, string) {
	var dns *net.DNSError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	var certificate *tls.CertificateVerificationError
	text := cause.Error()
	switch {
	case errors.As(cause, &dns) && dns.IsNotFound && !s.reached.Load(): // a name that has worked is the network's trouble
		return llm.KindUnreachable, "check the name in " + s.urlVar + ", and that this machine has a network"
	case errors.As(cause, &authority):
		return llm.KindUnreachable, "if the server's certificate is of your own authority, name that one's in SSL_CERT_FILE"
	case errors.As(cause, &host):
		return llm.KindUnreachable, "the certificate is for another name than the one in " + s.urlVar
	case errors.As(cause, &certificate):
		return llm.KindUnreachable, "check the server's certificate, and this machine's clock"
	case strings.Contains(text, "server gave HTTP response to HTTPS client"), errors.As(cause, new(tls.RecordHeaderError)):
		return llm.KindUnreachable, "the server does not speak TLS: try http:// in " + s.urlVar
	case strings.Contains(text, "malformed HTTP"):
		return llm.KindUnreachable, "the server does not speak HTTP: try https:// in " + s.urlVar
	case strings.Contains(text, "unsupported protocol scheme"):
		return llm.KindUnreachable, "the address should begin with https:// or http://"
	case !sent && strings.Contains(text, "tls: ") && !strings.Contains(text, "tls: internal error"):
		return llm.KindUnreachable, "this machine and the server agree on no TLS connection"
	}
	return llm.KindConnection, ""
}
