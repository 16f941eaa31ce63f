package ui

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/klauspost/compress/gzip"
)

// body is something that is served whole.
type body struct {
	kind   string // its content type
	tag    string // ETag; weak, since the same may come packed or not
	plain  []byte
	packed []byte // or nil where packing is not worth it
}

// smallest is the size from which packing is worth it: below, it all fits into one packet.
const smallest = 1400

func newBody(kind string, data []byte) body {
	sum := sha256.Sum256(data)
	b := body{kind: kind, plain: data, tag: `W/"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`}
	if len(data) < smallest {
		return b
	}
	var packed bytes.Buffer
	// The fastest level: what is saved beyond it takes longer to pack than to send.
	if w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed); err == nil {
		if _, err := w.Write(data); err == nil && w.Close() == nil && packed.Len() < len(data) {
			b.packed = packed.Bytes()
		}
	}
	return b
}

func (b body) serve(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("ETag", b.tag)
	h.Set("Vary", "Accept-Encoding")
	if knows(r.Header.Get("If-None-Match"), b.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	data := b.plain
	if b.packed != nil && takesGzip(r.Header.Get("Accept-Encoding")) {
		h.Set("Content-Encoding", "gzip")
		data = b.packed
	}
	h.Set("Content-Type", b.kind)
	send(w, r, http.StatusOK, data)
}

// send writes an answer's body. A client has a while to read it and no longer, or clients that do not read would hold
// connections for ever.
func send(w http.ResponseWriter, r *http.Request, status int, data []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(2 * time.Minute)) // a recorder has none
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(data) // a client that is gone does not miss it
	}
}

// knows reports whether an If-None-Match header has a tag.
func knows(header, tag string) bool {
	for one := range strings.SplitSeq(header, ",") {
		if one = strings.TrimSpace(one); one == tag || one == "*" {
			return true
		}
	}
	return false
}

// takesGzip reports whether an Accept-Encoding header allows gzip.
func takesGzip(header string) bool {
	for one := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(one), ";")
		q := strings.TrimPrefix(strings.TrimSpace(weight), "q=")
		if strings.EqualFold(strings.TrimSpace(name), "gzip") {
			n, err := strconv.ParseFloat(q, 64)
			return q == "" || err == nil && n > 0
		}
	}
	return false
}

// Problem is an error as clients see it.
type Problem struct {
	Status  int    `json:"status"` // of HTTP
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (p Problem) Error() string { return p.Message }

// asProblem is an error as clients see it.
func asProblem(err error) Problem {
	if own, ok := errors.AsType[Problem](err); ok {
		return own
	}
	if known, ok := errors.AsType[*doc.Error](err); ok {
		return Problem{known.Status, known.Message, known.Hint}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Problem{http.StatusServiceUnavailable, "this took too long and was given up", "try again later"}
	}
	return Problem{http.StatusInternalServerError, err.Error(), ""}
}

// problem answers with an error: as JSON to the page and to programs, as a line to a person who typed the address.
func (s *Server) problem(w http.ResponseWriter, r *http.Request, p Problem) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	if p.Status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "2")
	}
	if r.Header.Get("Sec-Fetch-Dest") == "document" {
		h.Set("Content-Type", "text/plain; charset=utf-8")
		text := "deeprepo: error: " + p.Message + "\n"
		if p.Hint != "" {
			text += "deeprepo: hint: " + p.Hint + "\n"
		}
		send(w, r, p.Status, []byte(text))
		return
	}
	data, err := json.Marshal(p)
	if err != nil { // three plain fields
		panic(err)
	}
	h.Set("Content-Type", "application/json")
	send(w, r, p.Status, data)
}

// document makes a document and answers with it.
func (s *Server) document(w http.ResponseWriter, r *http.Request, get func(context.Context) (any, error)) {
	ctx, cancel := context.WithTimeout(r.Context(), s.c.Timeout)
	defer cancel()
	b, err := s.make(ctx, get)
	switch {
	case r.Context().Err() != nil: // no one waits for it any more
	case err != nil:
		s.problem(w, r, asProblem(err))
	default:
		b.serve(w, r)
	}
}

// make makes a document when it is its turn. One that is not done in time keeps its turn until it is, so that many such
// cannot pile up.
func (s *Server) make(ctx context.Context, get func(context.Context) (any, error)) (body, error) {
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return body{}, Problem{http.StatusServiceUnavailable, "too many documents are being made at once", "try again later"}
	}
	type result struct {
		body body
		err  error
	}
	done := make(chan result, 1)
	s.wg.Go(func() {
		defer func() { <-s.slots }()
		b, err := s.encoded(ctx, get)
		done <- result{b, err}
	})
	select {
	case r := <-done:
		return r.body, r.err
	case <-ctx.Done():
		return body{}, Problem{http.StatusServiceUnavailable, fmt.Sprintf("the document took longer than %v to make", s.c.Timeout),
			"try again later"}
	}
}

// encoded is a document as JSON. A run's directory that makes the program stumble is no reason to fall.
func (s *Server) encoded(ctx context.Context, get func(context.Context) (any, error)) (b body, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s.c.Log.Error("a document could not be made", "fault", fault, "stack", string(debug.Stack()))
			err = Problem{http.StatusInternalServerError, "the document could not be made: a fault in deeprepo, not in you",
				"the terminal where deeprepo ui runs says more"}
		}
	}()
	document, err := get(ctx)
	if err != nil {
		return body{}, err
	}
	text := limited{most: s.c.DocumentBytes}
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(document); errors.Is(err, errTooLarge) {
		return body{}, Problem{http.StatusRequestEntityTooLarge, fmt.Sprintf("the document has more than %d MiB", s.c.DocumentBytes>>20),
			"look at the run's files themselves"}
	} else if err != nil {
		return body{}, fmt.Errorf("the document cannot be encoded: %w", err)
	}
	return newBody("application/json", text.Bytes()), nil
}

var errTooLarge = errors.New("too large")

// limited takes so many bytes and no more.
type limited struct {
	bytes.Buffer
	most int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.Len()+len(p) > l.most {
		return 0, errTooLarge
	}
	return l.Buffer.Write(p)
}
