package openenv

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// Codes of error messages, as OpenEnv names them.
const (
	codeInvalidJSON = "INVALID_JSON"
	codeUnknownType = "UNKNOWN_TYPE"
	codeValidation  = "VALIDATION_ERROR"
	codeExecution   = "EXECUTION_ERROR"
	codeCapacity    = "CAPACITY_REACHED"
	codeSession     = "SESSION_ERROR"
)

// Types of messages.
const (
	typeReset       = "reset"
	typeStep        = "step"
	typeState       = "state"
	typeClose       = "close"
	typeMCP         = "mcp"
	typeObservation = "observation"
	typeError       = "error"
)

// clientError is an answer to a message that cannot be obeyed.
type clientError struct {
	Message string       `json:"message"`
	Code    string       `json:"code"`
	Errors  []fieldError `json:"errors,omitempty"`
	Active  *int         `json:"active_sessions,omitempty"`
	Most    *int         `json:"max_sessions,omitempty"`
}

// fieldError says which field is wrong, in the form that OpenEnv's server has from pydantic.
type fieldError struct {
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
	Type string   `json:"type"`
}

// Error is the message.
func (e *clientError) Error() string { return e.Message }

func refuse(code, format string, args ...any) *clientError {
	return &clientError{Message: fmt.Sprintf(format, args...), Code: code}
}

func invalid(field, format string, args ...any) *clientError {
	msg := fmt.Sprintf(format, args...)
	return &clientError{Message: field + ": " + msg, Code: codeValidation,
		Errors: []fieldError{{Loc: []string{field}, Msg: msg, Type: "value_error"}}}
}

// message is what a client sends over a WebSocket.
type message struct {
	Type string
	Data json.RawMessage // nil when there was none
}

// parseMessage reads a message. The client writes it.
func parseMessage(raw []byte) (message, *clientError) {
	var m message
	if !utf8.Valid(raw) {
		return m, refuse(codeInvalidJSON, "invalid JSON: not UTF-8")
	}
	fields, err := object(raw)
	if err != nil {
		return m, refuse(codeInvalidJSON, "invalid JSON: %v", err)
	}
	kind, ok := fields["type"]
	if !ok || json.Unmarshal(kind, &m.Type) != nil {
		return m, refuse(codeUnknownType, "unknown message type: a message is an object with a \"type\": reset, step, state or close")
	}
	switch m.Type {
	case typeReset, typeStep, typeState, typeClose, typeMCP:
	default:
		return m, refuse(codeUnknownType, "unknown message type: %s (reset, step, state or close)", access.Quoted(m.Type))
	}
	for name := range fields {
		if name != "type" && name != "data" {
			return m, invalid(name, "a message has only \"type\" and \"data\"")
		}
	}
	m.Data = fields["data"]
	return m, nil
}

// resetData chooses an episode. Absent numbers are nil.
type resetData struct {
	Seed       *int64  `json:"seed"`
	EpisodeID  *string `json:"episode_id"`
	Split      string  `json:"split"`
	Index      *int    `json:"index"`
	Rollout    int     `json:"rollout"`
	Language   string  `json:"language"`
	Difficulty string  `json:"difficulty"`
	Files      int     `json:"files"`
	// BareCells takes a message without any fence as one cell, for clients that strip the fence off a reply that is
	// nothing but one, as verifiers' own openenv taskset does.
	BareCells bool `json:"bare_cells"`
}

var resetFields = []string{"seed", "episode_id", "split", "index", "rollout", "language", "difficulty", "files", "bare_cells"}

func parseReset(raw json.RawMessage) (resetData, *clientError) {
	var d resetData
	if err := fill(raw, resetFields, &d); err != nil {
		return d, err
	}
	switch {
	case d.Index != nil && *d.Index < 0:
		return d, invalid("index", "%d is negative: tasks are counted from 0", *d.Index)
	case d.Rollout < 0:
		return d, invalid("rollout", "%d is negative", d.Rollout)
	case d.Files < 0:
		return d, invalid("files", "%d is negative", d.Files)
	case d.EpisodeID != nil && len(*d.EpisodeID) > 255:
		return d, invalid("episode_id", "longer than 255 characters")
	}
	return d, nil
}

// actionData is one action.
type actionData struct {
	Message *string `json:"message"`
	// Usage is what the reply cost the policy, for rubrics that count tokens. Without it they are estimated.
	Usage *struct {
		Input  int64 `json:"input_tokens"`
		Output int64 `json:"output_tokens"`
		Cached int64 `json:"cached_tokens"`
	} `json:"usage"`
	// FinishReason is "length" when the reply was cut off at the policy's token limit.
	FinishReason llm.Finish     `json:"finish_reason"`
	Metadata     map[string]any `json:"metadata"`
}

var actionFields = []string{"message", "usage", "finish_reason", "metadata"}

func parseAction(raw json.RawMessage) (reply, *clientError) {
	var d actionData
	if raw == nil {
		return reply{}, invalid("data", "a step needs its action: {\"message\": \"the policy's whole reply\"}")
	}
	if err := fill(raw, actionFields, &d); err != nil {
		return reply{}, err
	}
	if d.Message == nil {
		return reply{}, invalid("message", "the action has none: it is the policy's whole reply, a string")
	}
	r := reply{text: *d.Message, finish: llm.FinishStop}
	if d.FinishReason == llm.FinishLength {
		r.finish = llm.FinishLength
	}
	if u := d.Usage; u != nil {
		const most = 1 << 40
		if u.Input < 0 || u.Output < 0 || u.Cached < 0 || u.Cached > u.Input || u.Input > most || u.Output > most {
			return reply{}, invalid("usage", "token counts must not be negative, nor cached_tokens above input_tokens")
		}
		r.usage = &llm.Usage{InputTokens: u.Input, OutputTokens: u.Output, CachedTokens: u.Cached}
	}
	return r, nil
}

// fill decodes an object with known fields only: a misspelled setting that is silently ignored is worse than an error.
func fill(raw json.RawMessage, known []string, into any) *clientError {
	if raw == nil || string(raw) == "null" {
		return nil
	}
	fields, err := object(raw)
	if err != nil {
		return invalid("data", "%v", err)
	}
	for name := range fields {
		if !slices.Contains(known, name) {
			hint := "; known are " + strings.Join(known, ", ")
			if near := suggest.Nearest(name, known); near != "" {
				hint = "; did you mean " + near + "?"
			}
			return invalid(access.Quoted(name), "there is no such field%s", hint)
		}
	}
	if err := json.Unmarshal(raw, into); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return invalid(wrong.Field, "must be %s, not %s", typeName(wrong.Type.String()), wrong.Value)
		}
		return invalid("data", "%v", err)
	}
	return nil
}

func typeName(goType string) string {
	switch goType {
	case "int", "int64":
		return "an integer"
	case "string":
		return "a string"
	case "bool":
		return "true or false"
	}
	return "an object"
}

// object splits one JSON object into its fields.
func object(raw []byte) (map[string]json.RawMessage, error) {
	if err := bounded.Check(raw, bounded.Values); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	var fields map[string]json.RawMessage
	if err := dec.Decode(&fields); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return nil, fmt.Errorf("expected an object, not %s", wrong.Value)
		}
		if errors.Is(err, io.EOF) {
			return nil, errors.New("empty")
		}
		return nil, err
	}
	if fields == nil {
		return nil, errors.New("expected an object, not null")
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, errors.New("there is more after the object")
	}
	return fields, nil
}
