package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func pathTraversal() rule.Rule {
	opens := []string{"File.open", "File.read", "File.new", "File.delete", "File.unlink", "File.write", "File.readlines", "IO.read", "IO.readlines", "FileUtils.rm", "FileUtils.rm_rf", "FileUtils.cp", "FileUtils.mv", "send_file", "File.binread", "Dir.entries", "Dir.glob"}
	checks := regexp.MustCompile(`(?i)basename|start_with\?|expand_path|realpath|include\?|match|=~|allowed|valid|gsub|sanitize|cleanpath|\.(delete|tr)\(['"]`)
	return rule.Rule{
		ID: "ruby/path-traversal", Title: "a file is opened under a path that comes from the request",
		Category: "path-traversal", CWE: "CWE-22", Severity: "high", Confidence: 0.87,
		Languages: []string{"ruby"},
		Explanation: "With ../ or an absolute path the parameter leaves the directory that was meant, so the client reads config/master.key or deletes what the server may " +
			"delete.",
		Suggestion: "Take File.basename of it, or compare File.expand_path(name, dir) with dir before opening.",
		Bad: []rule.Sample{
			{Source: "class FilesController < ApplicationController\n  def show\n    send_file(\"/srv/files/#{params[:name]}\")\n  end\nend\n"},
			{Source: "class FilesController < ApplicationController\n  def destroy\n    path = File.join('uploads', params[:name])\n    File.delete(path)\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class FilesController < ApplicationController\n  def show\n    send_file(\"/srv/files/#{File.basename(params[:name])}\")\n  end\nend\n"},
			{Source: "class FilesController < ApplicationController\n  def show\n    @file = Attachment.find(params[:id])\n    send_file(@file.path)\n  end\nend\n"},
			{Source: "class FilesController < ApplicationController\n  def show\n    path = File.expand_path(params[:name], DIR)\n    raise NotFound unless path.start_with?(DIR)\n    File.read(path)\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains(opens, p.Callee(call)) {
					continue
				}
				scope := p.Scope(call)
				if scope.Kind() == "program" {
					scope = call.Enclosing("do_block", "block", "program")
				}
				if path := first(p, call); path.Valid() && tainted(p, path) && !upload(path) && !checks.MatchString(scope.Text()) {
					p.Report(call, "")
				}
			}
		},
	}
}

// upload tells whether n reads the temporary file of an upload, whose name the framework chose.
func upload(n syntax.Node) bool {
	text := n.Text()
	return strings.Contains(text, "tempfile") || strings.HasSuffix(text, ".path") || strings.Contains(text, "tmp")
}
