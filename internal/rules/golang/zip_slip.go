package golang

import (
	"regexp"
	"slices"

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
	ranged := rule.Any(fn.Find("range_clause"), func(rc rule.Node) bool {
		_, field := selector(rc.ChildByField("right"))
		return field == "File" && slices.ContainsFunc(list(rc.ChildByField("left")), func(l rule.Node) bool { return l.Text() == x.Text() })
	})
	return ranged || rule.OneOf(parameters(fn)[x.Text()], "*zip.File", "*tar.Header") ||
		slices.ContainsFunc(values(fn, x.Text()), func(v value) bool {
			_, m := method(v.expr)
			return m == "Next" && v.index == 0
		})
}

// archiveReader tells whether fn handles an archive that is being read.
func archiveReader(p *rule.Pass, fn rule.Node) bool {
	for _, t := range parameters(fn) {
		if rule.OneOf(t, "*zip.Reader", "*tar.Reader", "*zip.ReadCloser", "*zip.File", "*tar.Header") {
			return true
		}
	}
	return rule.Any(fn.Find("call_expression"), func(call rule.Node) bool {
		return callTo(p, call, "archive/zip", "NewReader", "OpenReader") || callTo(p, call, "archive/tar", "NewReader")
	})
}

func writesFiles(p *rule.Pass, body rule.Node) bool {
	return rule.Any(body.Find("call_expression"), func(call rule.Node) bool {
		return callTo(p, call, "os", "Create", "OpenFile", "WriteFile", "MkdirAll", "Mkdir", "Symlink") ||
			callTo(p, call, "io/ioutil", "WriteFile")
	})
}
