package openenv

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/web/access"
)

// shape is a JSON object that is written by hand.
type shape = map[string]any

func words(description string) shape { return shape{"type": "string", "description": description} }
func whole(description string) shape { return shape{"type": "integer", "description": description} }
func truth(description string) shape { return shape{"type": "boolean", "description": description} }

// schemas are the JSON Schemas of /schema. The action has exactly one required field: clients that find one may send
// the policy's raw text as its value.
func schemas() shape {
	action := shape{
		"title": "PolicyReply", "type": "object", "additionalProperties": false, "required": []string{"message"},
		"properties": shape{
			"message": words("the policy's whole reply, fenced cells included"),
			"usage": shape{"type": "object", "description": "what the reply cost the policy; estimated without it", "additionalProperties": false,
				"properties": shape{"input_tokens": whole(""), "output_tokens": whole(""), "cached_tokens": whole("part of input_tokens")}},
			"finish_reason": words("length when the reply was cut off at the policy's token limit"),
			"metadata":      shape{"type": "object", "description": "not looked at"},
		},
	}
	message := shape{"type": "object", "required": []string{"role", "content"}, "properties": shape{"role": words(""), "content": words("")}}
	part := shape{"type": "object", "required": []string{"name", "value", "weight"},
		"properties": shape{"name": words(""), "value": shape{"type": "number"}, "weight": shape{"type": "number"}}}
	observation := shape{
		"title": "PolicyTurn", "type": "object", "required": []string{"message", "done", "turn", "max_turns", "episode_id", "task"},
		"properties": shape{
			"message": words("what the policy sees next: a user message"),
			"system":  words("the system prompt; with the first observation only"),
			"transcript": shape{"type": "array", "items": message,
				"description": "the whole conversation, when it was rewritten; it replaces what the client has"},
			"done":       truth("whether the episode is over"),
			"turn":       whole("number of the coming turn, from 1"),
			"max_turns":  whole("turns that the policy has"),
			"episode_id": words(""),
			"task":       words("the task's name"),
			"stop":       words("why the episode is over"),
			"error":      words("what failed"),
			"parts":      shape{"type": "array", "items": part, "description": "the parts of the reward; with the last observation only"},
			"metrics":    shape{"type": "object", "additionalProperties": shape{"type": "number"}, "description": "with the last observation only"},
			// Where a client puts the envelope's reward into the observation, it stays valid.
			"reward": shape{"type": []string{"number", "null"}},
		},
	}
	state := shape{
		"title": "EpisodeState", "type": "object", "required": []string{"episode_id", "step_count"},
		"properties": shape{
			"episode_id": shape{"type": []string{"string", "null"}}, "step_count": whole("steps taken"), "environment": words(""), "done": truth(""),
			"task": words(""), "split": words(""), "language": words(""), "difficulty": words(""), "files": whole("files of the task's codebase"),
			"seed": whole("seed of the tasks"), "index": whole("number of the task"), "rollout": whole("number of the attempt"),
			"max_turns": whole(""),
		},
	}
	return shape{"action": action, "observation": observation, "state": state}
}

// metadata is what OpenEnv asks of every environment, and nothing else: its model refuses other fields.
func (s *Server) metadata() shape {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", s.c.Environment.Name(), s.about.Summary)
	if s.about.Warning != "" {
		fmt.Fprintf(&b, "\nWarning: %s\n", s.about.Warning)
	}
	b.WriteString("\n| part of the reward | weight | formula |\n|---|---|---|\n")
	for _, p := range s.about.Parts {
		fmt.Fprintf(&b, "| %s | %v | %s |\n", p.Name, p.Weight, p.Formula)
	}
	return shape{"name": s.c.Environment.Name(), "description": s.about.Summary, "version": s.version(), "readme_content": b.String()}
}

func (s *Server) version() string {
	if s.c.Version == "" {
		return "0.0.0"
	}
	return s.c.Version
}

// description is the answer to /about, which is ours: what a client needs to know before it begins.
type description struct {
	Name string `json:"name"`
	env.About
	Defaults     resetDefaults `json:"reset_defaults"`
	Tasks        *int          `json:"tasks"` // of the defaults; null when there is no end to them
	Capacity     int           `json:"capacity"`
	Active       int           `json:"active"`
	MessageBytes int64         `json:"max_message_bytes"`
	IdleSeconds  float64       `json:"idle_seconds"`
}

type resetDefaults struct {
	Split      string `json:"split"`
	Seed       int64  `json:"seed"`
	Language   string `json:"language,omitempty"`
	Difficulty string `json:"difficulty,omitempty"`
	Files      int    `json:"files,omitempty"`
}

func (s *Server) describe() description {
	sel := s.c.Selection
	sel.Split = cmp.Or(sel.Split, env.Train)
	d := description{Name: s.c.Environment.Name(), About: s.about, Capacity: s.c.Capacity, Active: s.Active(), MessageBytes: s.c.MessageBytes,
		IdleSeconds: s.c.Idle.Seconds(), Defaults: resetDefaults{sel.Split, sel.Seed, sel.Language, sel.Difficulty, sel.Files}}
	d.MaxTurns = s.maxTurns()
	if n := s.c.Environment.Size(sel); n > 0 {
		d.Tasks = &n
	}
	return d
}

// openAPI is the little that OpenEnv's validator reads of it.
func (s *Server) openAPI() shape {
	operation := func(summary string) shape {
		return shape{"summary": summary, "responses": shape{"200": shape{"description": "OK"}}}
	}
	return shape{
		"openapi": "3.1.0", "info": shape{"title": s.c.Environment.Name(), "version": s.version()},
		"paths": shape{
			"/health": shape{"get": operation("Is the server there")}, "/metadata": shape{"get": operation("What the environment is")},
			"/schema": shape{"get": operation("JSON Schemas of action, observation and state")},
			"/about":  shape{"get": operation("Rubric, splits and limits")},
			"/reset":  shape{"post": operation("Begin an episode")}, "/step": shape{"post": operation("Hand in the policy's reply")},
			"/state": shape{"get": operation("Where an episode stands")}, "/mcp": shape{"post": operation("JSON-RPC; there are no tools")},
		},
	}
}

// rpc answers MCP. The environment is played with messages and offers no tools.
func rpc(raw json.RawMessage) shape {
	var call struct {
		ID      any    `json:"id"`
		Version string `json:"jsonrpc"`
		Method  string `json:"method"`
	}
	answer := shape{"jsonrpc": "2.0", "id": nil}
	switch err := json.Unmarshal(raw, &call); {
	case err != nil || call.Version != "2.0" || call.Method == "":
		answer["error"] = shape{"code": -32600, "message": "invalid request: expected JSON-RPC 2.0 with a method"}
	case call.Method == "tools/list":
		answer["result"] = shape{"tools": []any{}}
	default:
		answer["error"] = shape{"code": -32601, "message": "this environment has no tools: it is played with reset and step"}
	}
	switch call.ID.(type) {
	case string, float64:
		answer["id"] = call.ID
	}
	return answer
}

func (s *Server) postMCP(w http.ResponseWriter, r *http.Request) {
	fields, ok := s.body(w, r)
	if !ok {
		return
	}
	raw, err := json.Marshal(fields)
	if err != nil {
		raw = nil
	}
	access.WriteJSON(w, http.StatusOK, rpc(raw))
}
