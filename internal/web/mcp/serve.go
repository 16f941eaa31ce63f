package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/deeprepo/deeprepo/internal/web/access"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	bodyBytes      = 4 << 20
	bodyWait       = 30 * time.Second
	sessionTimeout = time.Hour // without a request
	connections    = 256
	grace          = 5 * time.Second
)

// Pipe serves one client over a pair of pipes, until ctx or the client ends.
func (s *Server) Pipe(ctx context.Context, in io.Reader, out io.Writer) error {
	err := s.mcp.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(in), Writer: unclosed{out}, MaxLineLength: bodyBytes})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// Path is where clients find the server over HTTP.
const Path = "/mcp"

// Serve answers on l until ctx ends. It closes l.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	return access.Serve(ctx, l, s, access.Limits{Connections: connections, Grace: grace}, s.close)
}

// close ends all sessions, and with them what they asked for.
func (s *Server) close() {
	for session := range s.mcp.Sessions() {
		_ = session.Close() // its client is told nothing more
	}
}

// ServeHTTP answers one request of a client that the guard lets in.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	r, refused := s.guard.Admit(w.Header(), r)
	switch {
	case refused != nil:
		refuse(w, refused.Status, refused.Message)
		return
	case r.URL.Path != Path:
		refuse(w, http.StatusNotFound, "the server answers at "+Path)
		return
	}
	if r.Body != nil && r.Method == http.MethodPost {
		body, err := readBody(w, r)
		var big *http.MaxBytesError
		switch {
		case errors.As(err, &big):
			refuse(w, http.StatusRequestEntityTooLarge, "the request is too large: tools take paths, not contents")
			return
		case err != nil:
			w.Header().Set("Connection", "close")
			refuse(w, http.StatusRequestTimeout, "the request did not arrive in time, or not whole")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
	}
	s.http.ServeHTTP(w, r)
}

// readBody reads a request that has to arrive in time. What answers it may take as long as it does.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyWait)) // recorders in tests have none
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyBytes))
	_ = control.SetReadDeadline(time.Time{})
	return body, err
}

func refuse(w http.ResponseWriter, status int, why string) {
	access.WriteJSON(w, status, map[string]string{"error": why})
}
