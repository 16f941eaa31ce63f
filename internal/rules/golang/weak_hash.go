package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// WeakHash looks for MD5 and SHA-1 that protect something. Inside a MAC they are no weakness that anybody can use.
func (*checks) WeakHash(p *rule.Pass) {
	p.ReportWeakDigests(rule.Where(p.Calls(), func(call rule.Node) bool {
		return callTo(p, call, "crypto/md5", "Sum", "New") || callTo(p, call, "crypto/sha1", "Sum", "New")
	}), passwordDigests(p))
}
