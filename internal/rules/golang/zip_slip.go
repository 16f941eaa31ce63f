package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var pathCheck = regexp.MustCompile(`HasPrefix|IsLocal|\.Rel\(|"\.\."|SecureJoin|securejoin|filepath\.Base|path\.Base|` +
	`OpenRoot|(?i)sanitize|isSub|inTrustedRoot|within|validat|safe`)

// ZipSlip looks for archives unpacked under the names they bring.
func (*checks) ZipSlip(p *rule.Pass) {
	if imported(p, "archive/zip", "archive/tar") == "" {
		return
	}
	for _, fn := range p.Functions() {
		body := fn.ChildByField("body")
		if fn.Kind() == "func_literal" || !archiveReader(p, fn) || pathCheck.MatchString(body.Text()) {
			continue
		}
		for call := range body.Find("call_expression") {
			if !callTo(p, call, "path/filepath", "Join") && !callTo(p, call, "path", "Join") {
				continue
			}
			if a := p.Args(call); len(a) >= 2 && entryName(p, a[len(a)-1], fn) && writesFiles(p, body) {
				p.Report(call, "")
			}
		}
	}
}

// entryName tells whether n is X.Name where X is an archive entry: ranged over
// a File list or returned by Next.
func entryName(p *rule.Pass, n, fn rule.Node) bool {
	x, name := selector(n)
	if name != "Name" || x.Kind() != "identifier" {
		return false
	}
	for rc := range fn.Find("range_clause") {
		if _, field := selector(rc.ChildByField("right")); field == "File" {
			for _, l := range list(rc.ChildByField("left")) {
				if l.Text() == x.Text() {
					return true
				}
			}
		}
	}
	for _, v := range values(fn, x.Text()) {
		if _, m := method(v.expr); m == "Next" && v.index == 0 {
			return true
		}
	}
	return parameters(fn)[x.Text()] == "*zip.File" || parameters(fn)[x.Text()] == "*tar.Header"
}

// archiveReader tells whether fn handles an archive that is being read.
func archiveReader(p *rule.Pass, fn rule.Node) bool {
	for _, t := range parameters(fn) {
		switch t {
		case "*zip.Reader", "*tar.Reader", "*zip.ReadCloser", "*zip.File", "*tar.Header":
			return true
		}
	}
	for call := range fn.Find("call_expression") {
		if callTo(p, call, "archive/zip", "NewReader", "OpenReader") || callTo(p, call, "archive/tar", "NewReader") {
			return true
		}
	}
	return false
}

func writesFiles(p *rule.Pass, body rule.Node) bool {
	for call := range body.Find("call_expression") {
		if callTo(p, call, "os", "Create", "OpenFile", "WriteFile", "MkdirAll", "Mkdir", "Symlink") ||
			callTo(p, call, "io/ioutil", "WriteFile") {
			return true
		}
	}
	return false
}
