package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/llm/wire"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

const (
	maxErrorBody = 64 << 10 // of an error's body that is read
	maxMessage   = 500      // of a server's own words that are shown
)

// errorTime bounds the reading of an error's body: its status says the most.
const errorTime = 10 * time.Second

// guard sees every HTTP exchange before the SDK does: it turns error statuses into *llm.Error, which both SDKs hand
// through, keeps to the limits, and caps the size of replies.
func (s service) guard(full string) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return func(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		x := exchangeOf(req.Context())
		w := s.c.Limits.watched(req.Context(), x, s.address())
		res, err := next(req.WithContext(w.trace()))
		if err != nil {
			defer w.end()
			if late := w.overdue(); late != nil {
				return nil, late
			}
			return res, err
		}
		x.sent.Store(true)
		s.reached.Store(true)
		if res.StatusCode < 300 {
			w.expect(w.limits.Idle, "the reply stood still for %s")
			res.Body = &body{ReadCloser: res.Body, w: w, left: x.wire()}
			return res, nil
		}
		defer w.end()
		w.expect(errorTime, "the answer stood still for %s")
		text, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
		res.Body.Close()
		if res.StatusCode < 400 {
			return nil, s.redirected(full, res)
		}
		return nil, s.statusError(full, res.StatusCode, res.Header, text)
	}
}

// present is what an SDK returned, with an error for the JSON text null, which the SDKs turn into a nil pointer.
func present[T any](reply *T, err error) (*T, error) {
	if err == nil && reply == nil {
		err = errors.New("the reply is null")
	}
	return reply, err
}

// mayBill reports whether a request that was answered with this status may be on the bill; see [llm.Error.Uncertain].
func mayBill(status int) bool {
	switch status {
	case http.StatusNotImplemented, http.StatusServiceUnavailable, http.StatusHTTPVersionNotSupported, statusOverloaded:
		return false
	}
	return status >= 500
}

// statusOverloaded is Anthropic's own status.
const statusOverloaded = 529

// statusError reads what OpenAI, Anthropic, OpenRouter, Ollama, vLLM and llama-server put into error bodies.
func (s service) statusError(full string, status int, h http.Header, body []byte) *llm.Error {
	message, code := wire.ErrorText(body)
	e := &llm.Error{Kind: wire.KindOf(status, code, message), Model: full, Status: status, Message: s.clean(message),
		RetryAfter: wire.RetryAfter(h, time.Now()), MaybeBilled: mayBill(status)}
	if message == "" {
		e.Message = strings.ToLower(http.StatusText(status))
	}
	if e.Kind == llm.KindUnknownModel {
		var known []string
		for _, m := range s.c.Prices.Models(s.name) {
			known = append(known, m.Name)
		}
		if best := suggest.Nearest(full, known); best != "" {
			e.Hints = "did you mean " + strconv.Quote(best) + "? `deeprepo models` lists what is served"
		}
	}
	if e.Kind == llm.KindAuth && s.keyVar != "" {
		e.Hints = "check the value of " + s.keyVar
	}
	return e
}

// clean is a server's text as it may be shown: without secrets, on one line, not long.
func (s service) clean(text string) string {
	text = strings.Join(strings.FieldsFunc(s.secrets.Text(strings.ToValidUTF8(text, "\uFFFD")), func(r rune) bool {
		return r <= ' ' || unicode.IsControl(r)
	}), " ")
	return termtext.CutWith(text, maxMessage, "...")
}

// failure is err, which came out of an SDK, as an *llm.Error. The SDK's own error is not kept: it may hold keys.
func (s service) failure(ctx context.Context, full string, err error) *llm.Error {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		if e.Model == "" {
			e.Model = full
		}
		return e
	}
	e := &llm.Error{Model: full, MaybeBilled: exchangeOf(ctx).sent.Load()}
	if !e.MaybeBilled {
		e.Cost = new(money.USD)
	}
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	var urlErr *url.Error
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Message, e.Err = llm.KindCanceled, "the call was given up: "+ctx.Err().Error(), ctx.Err()
	case strings.Contains(err.Error(), "error parsing response json"): // which may wrap ErrUnexpectedEOF, too
		e.Kind, e.Message = llm.KindInvalid, "the reply is not valid JSON"
	case errors.As(err, new(broken)):
		e.Kind, e.Message = llm.KindTruncated, "the connection broke in the middle of the reply"
	case errors.As(err, &syntax) || errors.As(err, &typed):
		e.Kind, e.Message = llm.KindInvalid, "the reply is not valid JSON"
	case strings.Contains(err.Error(), "for responses with content-type"):
		e.Kind, e.Message = llm.KindInvalid, "the reply is not JSON"
		e.Hints = "is " + s.address() + " the base URL of the API? For OpenAI-compatible servers it mostly ends in /v1"
	case errors.As(err, &urlErr):
		// The request's failure: dialing, TLS, or a connection that closed without an answer. The URL is left out.
		e.Kind, e.Hints = s.unreached(urlErr.Err, e.MaybeBilled)
		e.Message = s.clean(s.address() + ": " + urlErr.Err.Error())
	default:
		e.Kind, e.Message = llm.KindInvalid, s.clean(err.Error())
	}
	return e
}

// embedded reads an error object that came with status 200: OpenRouter does that when the upstream fails late, and
// streams carry errors the same way.
func (s service) embedded(full, raw string) *llm.Error {
	message, code := wire.ErrorText(bytes.TrimSpace([]byte(raw)))
	status, _ := strconv.Atoi(code)
	if status < 400 || status > 599 {
		status = 0
	}
	e := &llm.Error{Kind: wire.KindOf(status, code, message), Model: full, Status: status, Message: s.clean(message), MaybeBilled: true}
	if status == 0 && e.Kind == llm.KindBadRequest {
		e.Kind = llm.KindOverloaded // it broke off after it had accepted the request
	}
	return e
}
