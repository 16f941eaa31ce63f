package wire

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/llm"
)

// ErrorText finds message and code in an error body of any of the usual shapes.
func ErrorText(body []byte) (message, code string) {
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

// scalar is a JSON string's value, or any other JSON as it is; null is "".
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// KindOf sorts a failed call. The texts are those that the servers are known to use.
func KindOf(status int, code, message string) llm.Kind {
	text := strings.ToLower(code + " " + message)
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
	}
	switch {
	case status == http.StatusPaymentRequired || has("insufficient_quota", "credit balance is too low", "insufficient credits",
		"exceeded your current quota", "billing_error"):
		return llm.KindQuota
	case status == http.StatusUnauthorized || status == http.StatusForbidden || has("invalid_api_key", "authentication_error"):
		return llm.KindAuth
	case (status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge || status == 0) &&
		has("context_length_exceeded", "maximum context length", "prompt is too long", "exceeds the available context size",
			"exceed_context_size",
			"context length", "context window", "too many tokens", "input length and `max_tokens` exceed", "request_too_large", "request too large"):
		return llm.KindContextLength
	case status == http.StatusTooManyRequests || has("rate_limit_error"):
		return llm.KindRateLimit
	case (status == http.StatusNotFound || status == http.StatusBadRequest) &&
		has("model_not_found", "model not found", "not a valid model", "no such model", "does not exist", "unknown model", "not_found_error") ||
		status == http.StatusNotFound && has("model"):
		return llm.KindUnknownModel
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusConflict ||
		has("overloaded_error", "api_error", "server_error"):
		return llm.KindOverloaded
	}
	return llm.KindBadRequest
}

// RetryAfter reads Retry-After (seconds or a date) and OpenAI's retry-after-ms; at most an hour.
func RetryAfter(h http.Header, now time.Time) time.Duration {
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
