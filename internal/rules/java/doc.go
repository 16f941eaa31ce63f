// Package java holds the static rules for Java sources, one file a rule.
//
// Invariant: a rule knows a variable's type only from a declaration in the same file; where there is none it is silent.
//
// It resolves no imports; of what methods do to each other it follows only a request's text, and only inside one file.
package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives the Java rules in a fixed order.
func Rules() []rule.Rule {
	return []rule.Rule{
		sqlInjection(),
		commandInjection(),
		pathTraversal(),
		crossSiteScripting(),
		openRedirect(),
		serverSideRequest(),
		externalEntities(),
		deserialization(),
		weakCipher(),
		passwordHash(),
		predictableToken(),
		trustAll(),
		hardCodedSecret(),
		identityComparison(),
		emptyCatch(),
		finallyReturn(),
		resourceLeak(),
		equalsWithoutHashCode(),
		sharedDateFormat(),
		doubleCheckedLocking(),
		literalLock(),
		threadRun(),
		offByOne(),
		ignoredResult(),
	}
}
