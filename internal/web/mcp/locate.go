package mcp

import (
	"context"
	"strings"

	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/locate"
)

type locateIn struct {
	Path string `json:"path" jsonschema:"directory of the codebase"`
	Text string `json:"text" jsonschema:"an issue, an error message, a stack trace or a question; its first 65,536 bytes count"`
	N    int    `json:"n,omitempty" jsonschema:"at most so many files, and functions, up to 100; default 10"`
}

// maxLocated is how many files, and functions, one ranking has at most.
const maxLocated = 100

func (s *Server) locate(ctx context.Context, c *call, in locateIn) (locate.Ranking, error) {
	path, err := resolve(c.roots, in.Path)
	if err != nil {
		return locate.Ranking{}, err
	}
	if strings.TrimSpace(in.Text) == "" {
		return locate.Ranking{}, hint.New("locate needs a text", "an issue, an error message, a stack trace or a question")
	}
	if in.N <= 0 {
		in.N = 10
	}
	x, err := s.graphs.indexOf(ctx, s, path)
	if err != nil {
		return locate.Ranking{}, err
	}
	return x.Locate(ctx, in.Text, min(in.N, maxLocated))
}

// indexOf is the index of the codebase as it is now.
func (k *graphs) indexOf(ctx context.Context, s *Server, path string) (*locate.Index, error) {
	e, release, err := k.of(ctx, s, path)
	if err != nil {
		return nil, err
	}
	defer release()
	if e.index == nil {
		g := e.graph
		of := func(context.Context) (*graph.Graph, error) { return g, nil }
		made, err := locate.New(ctx, e.code, locate.Options{Graph: of})
		if err != nil {
			return nil, err
		}
		e.index = made
	}
	return e.index, nil
}
