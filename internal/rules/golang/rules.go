package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives every rule for Go, the gravest kinds first.
func Rules() []rule.Rule {
	return []rule.Rule{
		sqlInjection(), commandInjection(), pathTraversal(), zipSlip(), ssrf(), xss(), textTemplate(), openRedirect(),
		tlsSkipVerify(), weakPasswordHash(), weakRandom(), hardcodedSecret(), serverTimeouts(), fileMode(),
		copiedLock(), missingUnlock(), waitgroupAdd(), goroutineLeak(), deferInLoop(), responseBody(), unclosed(),
		wrongError(), swallowedError(), ignoredError(), nilMapWrite(), offByOne(), selfComparison(),
		fatalInGoroutine(), testWithoutCheck(),
	}
}
