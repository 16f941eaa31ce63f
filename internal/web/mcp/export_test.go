package mcp

import (
	"context"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/runfile"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Inner is the SDK's server, for transports within a test.
func Inner(s *Server) *sdk.Server { return s.mcp }

// Settled is how long a file must have been left alone to be trusted.
const Settled = settled

// Fresh reads the codebase at a root, and says later whether it needs no second look; nil where that is not known.
func Fresh(ctx context.Context, root string) (func() bool, error) {
	began := time.Now()
	code, err := codebase.Load(ctx, root, codebase.Options{})
	if s := stampsOf(ctx, root, code, began); err == nil && s != nil {
		return func() bool { return s.hold(root) }, nil
	}
	return nil, err
}

// GraphOf asks for the graph of the codebase at a path, as the tool graph does.
func GraphOf(ctx context.Context, s *Server, path string) error {
	_, release, err := s.graphs.of(ctx, s, path)
	if err == nil {
		release()
	}
	return err
}

// IndexOf gives what the tool locate asks for places, for comparison.
func IndexOf(ctx context.Context, s *Server, path string) (any, error) {
	return s.graphs.indexOf(ctx, s, path)
}

// Kept are the reports that are in memory.
func Kept(s *Server) []runfile.Report {
	s.reports.mu.Lock()
	defer s.reports.mu.Unlock()
	var all []runfile.Report
	for _, o := range s.reports.kept {
		all = append(all, o.report)
	}
	return all
}
