package llm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// cassetteLine is one call in a cassette (JSONL).
type cassetteLine struct {
	Hash     string         `json:"hash"`
	Model    string         `json:"model"`
	Request  Request        `json:"request"`
	Response *Response      `json:"response,omitempty"`
	Error    *cassetteError `json:"error,omitempty"`
}

type cassetteError struct {
	Kind    Kind   `json:"kind"`
	Status  int    `json:"status,omitempty"`
	Message string `json:"message,omitempty"`
}

// Recorder writes every finished call to a cassette. It is safe for concurrent use.
type Recorder struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

// NewRecorder writes to w, one line a call.
func NewRecorder(w io.Writer) *Recorder { return &Recorder{w: w} }

// Err is the first error of writing, if any. Writing stops there; calls continue.
func (rec *Recorder) Err() error { rec.mu.Lock(); defer rec.mu.Unlock(); return rec.err }

// Wrap records the calls to the model of that full name. Calls that were given up are not recorded.
func (rec *Recorder) Wrap(m Model, name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		resp, err := m.Complete(ctx, r)
		line := cassetteLine{Hash: r.Hash(name), Model: name, Request: r, Response: &resp}
		if err != nil {
			e, ok := errors.AsType[*Error](err)
			if !ok || e.Kind == KindCanceled {
				return resp, err
			}
			line.Response, line.Error = nil, &cassetteError{e.Kind, e.Status, e.Message}
		}
		rec.write(line)
		return resp, err
	})
}

func (rec *Recorder) write(line cassetteLine) {
	data, err := json.Marshal(line)
	rec.mu.Lock()
	defer rec.mu.Unlock()
	if rec.err != nil {
		return
	}
	if err == nil {
		_, err = rec.w.Write(append(data, '\n'))
	}
	if err != nil {
		rec.err = fmt.Errorf("record call: %w", err)
	}
}

// Cassette answers requests from a recording, without a network. Equal requests get their recorded replies in
// order, and the last one again when they run out. It is safe for concurrent use.
type Cassette struct {
	mu    sync.Mutex
	lines map[string][]cassetteLine
}

// maxCassetteLine is the longest call that is read back.
const maxCassetteLine = 64 << 20

// ReadCassette reads a recording. A last line that was cut off is ignored; any other bad line is an error.
func ReadCassette(r io.Reader) (*Cassette, error) {
	c := &Cassette{lines: map[string][]cassetteLine{}}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxCassetteLine)
	var bad error
	for n := 1; scanner.Scan(); n++ {
		if bad != nil {
			return nil, bad
		}
		var line cassetteLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			bad = fmt.Errorf("read cassette: line %d: %w", n, err)
			continue
		}
		if line.Response == nil && line.Error == nil {
			bad = fmt.Errorf("read cassette: line %d: neither a response nor an error", n)
			continue
		}
		c.lines[line.Hash] = append(c.lines[line.Hash], line)
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("read cassette: %w", err)
	}
	return c, nil
}

// Model replays the model of that full name.
func (c *Cassette) Model(name string) Model {
	return Func(func(ctx context.Context, r Request) (Response, error) {
		if ctx.Err() != nil {
			return Response{}, canceled(ctx)
		}
		hash := r.Hash(name)
		c.mu.Lock()
		queue := c.lines[hash]
		if len(queue) > 1 {
			c.lines[hash] = queue[1:]
		}
		c.mu.Unlock()
		if len(queue) == 0 {
			return Response{}, &Error{Kind: KindReplay, Model: name, Message: "the cassette holds no such request"}
		}
		line := queue[0]
		if line.Error != nil {
			return Response{}, &Error{Kind: line.Error.Kind, Model: name, Status: line.Error.Status, Message: line.Error.Message}
		}
		if r.OnDelta != nil && line.Response.Text != "" {
			r.OnDelta(line.Response.Text)
		}
		return *line.Response, nil
	})
}
