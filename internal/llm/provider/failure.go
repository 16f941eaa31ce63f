package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

const (
	maxErrorBody = 64 << 10 // of an error's body that is read
	maxReplyBody = 64 << 20 // of a reply; a server that sends more is broken or hostile
	maxMessage   = 500      // of a server's own words that are shown
)

// guard sees every HTTP exchange before the SDK does: it turns error statuses into *llm.Error, which both SDKs hand
// through, and caps the size of replies.
func (s service) guard(full string) func(*http.Request, func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	return func(req *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
		res, err := next(req)
		if err != nil {
			return res, err
		}
		if res.StatusCode < 400 {
			res.Body = &cappedBody{ReadCloser: res.Body, left: maxReplyBody}
			return res, nil
		}
		body, _ := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
		res.Body.Close()
		return nil, s.statusError(full, res.StatusCode, res.Header, body)
	}
}

var errTooLong = errors.New("the reply is longer than 64 MiB")

type cappedBody struct {
	io.ReadCloser
	left int64
}

func (b *cappedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLong
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	return n, err
}

// statusError reads what OpenAI, Anthropic, OpenRouter, Ollama, vLLM and llama-server put into error bodies.
func (s service) statusError(full string, status int, h http.Header, body []byte) *llm.Error {
	message, code := errorText(body)
	e := &llm.Error{Kind: kindOf(status, code, message), Model: full, Status: status, Message: s.clean(message), RetryAfter: retryAfter(h, time.Now())}
	if message == "" {
		e.Message = strings.ToLower(http.StatusText(status))
	}
	if e.Kind == llm.KindUnknownModel {
		var known []string
		for _, m := range s.c.Prices.Models(s.name) {
			known = append(known, m.Name)
		}
		if best := llm.Nearest(full, known); best != "" && best != full {
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
	text = strings.Join(strings.FieldsFunc(s.secrets.Text(strings.ToValidUTF8(text, "\uFFFD")), func(r rune) bool { return r <= ' ' || r == 0x7f }), " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + "..."
	}
	return text
}

// errorText finds message and code in an error body of any of the usual shapes.
func errorText(body []byte) (message, code string) {
	var outer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(body, &outer) != nil {
		text := strings.TrimSpace(string(body))
		if strings.HasPrefix(text, "<") {
			return "the answer is a web page, not an API's", ""
		}
		return text, ""
	}
	message, code = outer.Message, scalar(outer.Code)
	var inner struct {
		Message  string          `json:"message"`
		Type     string          `json:"type"`
		Code     json.RawMessage `json:"code"`
		Metadata struct {
			Raw string `json:"raw"` // OpenRouter: what the upstream provider said
		} `json:"metadata"`
	}
	switch {
	case json.Unmarshal(outer.Error, &inner) == nil && (inner.Message != "" || inner.Type != ""):
		message, code = inner.Message, scalar(inner.Code)
		if inner.Metadata.Raw != "" {
			message += ": " + inner.Metadata.Raw
		}
		if code == "" {
			code = inner.Type
		}
		if message == "" {
			message = inner.Type
		}
	case message == "" && len(outer.Error) > 0:
		message = scalar(outer.Error)
	case message == "":
		message = scalar(outer.Detail)
	}
	return message, code
}

// scalar is a JSON string's value, or any other JSON as it stands; null is "".
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// kindOf sorts a failed call. The texts are those that the servers are known to use.
func kindOf(status int, code, message string) llm.Kind {
	text := strings.ToLower(code + " " + message)
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(text, p) {
				return true
			}
		}
		return false
	}
	switch {
	case status == http.StatusPaymentRequired || has("insufficient_quota", "credit balance is too low", "insufficient credits", "exceeded your current quota", "billing_error"):
		return llm.KindQuota
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has("invalid_api_key", "authentication_error"):
		return llm.KindAuth
	case (status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == 0) &&
		has("context_length_exceeded", "maximum context length", "prompt is too long", "exceeds the available context size", "exceed_context_size",
			"context length", "context window", "too many tokens", "input length and `max_tokens` exceed", "request_too_large", "request too large"):
		return llm.KindContextLength
	case status == http.StatusTooManyRequests || has("rate_limit_error"):
		return llm.KindRateLimit
	case (status == http.StatusNotFound || status == http.StatusBadRequest) && has("model_not_found", "model not found", "not a valid model", "no such model", "does not exist", "unknown model", "not_found_error") ||
		status == http.StatusNotFound && has("model"):
		return llm.KindUnknownModel
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusConflict || has("overloaded_error", "api_error", "server_error"):
		return llm.KindOverloaded
	case status == http.StatusNotFound:
		return llm.KindBadRequest
	}
	return llm.KindBadRequest
}

// retryAfter reads Retry-After (seconds or a date) and OpenAI's retry-after-ms; at most an hour.
func retryAfter(h http.Header, now time.Time) time.Duration {
	hold := func(d time.Duration) time.Duration { return max(0, min(d, time.Hour)) }
	if ms, err := strconv.ParseFloat(strings.TrimSpace(h.Get("Retry-After-Ms")), 64); err == nil && ms >= 0 && ms < 1e9 {
		return hold(time.Duration(ms * float64(time.Millisecond)))
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e9 {
		return hold(time.Duration(s * float64(time.Second)))
	}
	if at, err := http.ParseTime(v); err == nil {
		return hold(at.Sub(now))
	}
	return 0
}

// failure is err, which came out of an SDK, as an *llm.Error. The SDK's own error is not kept: it may hold keys.
func (s service) failure(ctx context.Context, full string, err error) *llm.Error {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	e := &llm.Error{Model: full}
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	var urlErr *url.Error
	var opErr *net.OpError
	switch {
	case ctx.Err() != nil:
		e.Kind, e.Message, e.Err = llm.KindCanceled, "the call was given up: "+ctx.Err().Error(), ctx.Err()
	case errors.Is(err, errTooLong):
		e.Kind, e.Message = llm.KindInvalid, errTooLong.Error()
	case strings.Contains(err.Error(), "error parsing response json"): // which may wrap ErrUnexpectedEOF, too
		e.Kind, e.Message = llm.KindInvalid, "the reply is not valid JSON"
	case errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &urlErr):
		e.Kind, e.Message = llm.KindTruncated, "the connection broke in the middle of the reply"
	case errors.As(err, &syntax) || errors.As(err, &typed):
		e.Kind, e.Message = llm.KindInvalid, "the reply is not valid JSON"
	case strings.Contains(err.Error(), "for responses with content-type"):
		e.Kind, e.Message = llm.KindInvalid, "the reply is not JSON"
		e.Hints = "is " + s.address() + " the base URL of the API? For OpenAI-compatible servers it mostly ends in /v1"
	case errors.As(err, &urlErr) || errors.As(err, &opErr):
		// The request's failure: dialing, TLS, or a connection that closed without an answer. The URL is left out.
		cause := err
		if urlErr != nil {
			cause = urlErr.Err
		}
		e.Kind, e.Message = llm.KindConnection, s.clean(s.address()+": "+cause.Error())
		if opErr != nil && urlErr == nil {
			e.Kind, e.Message = llm.KindTruncated, "the connection broke in the middle of the reply"
		}
	default:
		e.Kind, e.Message = llm.KindInvalid, s.clean(err.Error())
	}
	return e
}

// embedded reads an error object that came with status 200: OpenRouter does that when the upstream fails late, and
// streams carry errors the same way.
func (s service) embedded(full, raw string) *llm.Error {
	message, code := errorText(bytes.TrimSpace([]byte(raw)))
	status, _ := strconv.Atoi(code)
	if status < 400 || status > 599 {
		status = 0
	}
	e := &llm.Error{Kind: kindOf(status, code, message), Model: full, Status: status, Message: s.clean(message)}
	if status == 0 && e.Kind == llm.KindBadRequest {
		e.Kind = llm.KindOverloaded // it broke off after it had accepted the request
	}
	return e
}
