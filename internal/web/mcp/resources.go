package mcp

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/review"
	"github.com/deeprepo/deeprepo/internal/termtext"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// form is one of the files that a run's report is to be had in.
type form struct{ name, mime string }

var forms = []form{
	{review.ReportName + ".md", "text/markdown"},
	{review.ReportName + ".json", "application/json"},
	{review.ReportName + ".sarif", "application/sarif+json"},
}

const (
	scheme      = "deeprepo://runs/"
	reportBytes = 4 << 20 // of a report that is handed on
	runsListed  = 100
)

func uri(run, name string) string { return scheme + url.PathEscape(run) + "/" + name }

func (s *Server) addResources() {
	for _, f := range forms {
		s.mcp.AddResourceTemplate(&sdk.ResourceTemplate{
			Name: f.name, URITemplate: scheme + "{run}/" + f.name, MIMEType: f.mime, Description: "the report of a review",
		}, func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
			return s.report(ctx, req, f)
		})
	}
	s.mcp.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			answer, err := next(ctx, method, req)
			list, ok := answer.(*sdk.ListResourcesResult)
			from, ours := req.(*sdk.ListResourcesRequest)
			if !ok || !ours || err != nil {
				return answer, err
			}
			roots, ask, err := s.allowed(ctx, from, nil)
			if err != nil {
				return nil, told(err)
			}
			if ask { // which a list cannot do
				roots = s.said.last(from.GetSession())
			}
			list.Resources = s.listed(roots)
			return list, nil
		}
	})
}

// listed are the reports of the latest runs of what lies below the roots.
func (s *Server) listed(roots []string) []*sdk.Resource {
	out := []*sdk.Resource{}
	entries, err := os.ReadDir(s.c.Runs)
	if err != nil {
		return out // there is no run yet
	}
	type found struct {
		name string
		at   int64
	}
	var all []found
	for _, e := range entries {
		info, err := os.Lstat(filepath.Join(s.c.Runs, e.Name(), review.ReportName+".json"))
		if e.IsDir() && isRunName(e.Name()) && err == nil && info.Mode().IsRegular() {
			all = append(all, found{e.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return strings.Compare(fmt.Sprintf("%020d", b.at), fmt.Sprintf("%020d", a.at)) })
	for _, run := range all {
		if len(out) >= runsListed*len(forms) {
			break
		}
		if path, err := s.reports.path(filepath.Join(s.c.Runs, run.name)); err != nil || !s.lies(roots, path) {
			continue
		}
		for _, f := range forms {
			r := &sdk.Resource{URI: uri(run.name, f.name), Name: termtext.Inline(run.name) + "/" + f.name, MIMEType: f.mime}
			if info, err := os.Lstat(filepath.Join(s.c.Runs, run.name, f.name)); err == nil {
				r.Size = info.Size()
			}
			out = append(out, r)
		}
	}
	return out
}

// report is one form of a run's report.
func (s *Server) report(ctx context.Context, req *sdk.ReadResourceRequest, f form) (*sdk.ReadResourceResult, error) {
	name, ok := strings.CutPrefix(req.Params.URI, scheme)
	name, cut := strings.CutSuffix(name, "/"+f.name)
	run, err := url.PathUnescape(name)
	if !ok || !cut || err != nil {
		return nil, sdk.ResourceNotFoundError(req.Params.URI)
	}
	roots, ask, err := s.allowed(ctx, req, req.Params.InputResponses)
	if ask {
		return &sdk.ReadResourceResult{InputRequests: asked()}, nil
	}
	if err != nil {
		return nil, told(err)
	}
	of, err := s.run(roots, run)
	if err != nil {
		return nil, told(err)
	}
	root, err := os.OpenRoot(of.dir)
	if err != nil {
		return nil, told(err)
	}
	defer root.Close()
	text, err := bounded.ReadFileIn(root, f.name, reportBytes)
	if err != nil {
		return nil, told(fmt.Errorf("%w; the tool findings gives it in pages", err))
	}
	content := string(text)
	if f.mime == "text/markdown" {
		content = termtext.Visible(content)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: req.Params.URI, MIMEType: f.mime, Text: content}}}, nil
}
