// Package python holds the static rules for Python sources, one idea a file.
//
// Invariant: what a rule cannot see in the one file it is given counts as harmless. A value is unsafe only when it is
// seen to come from a request or another untrusted place, or when the code's own form says so.
//
// It does not know types and follows no call into another function.
package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives the Python rules in a fixed order.
func Rules() []rule.Rule {
	return []rule.Rule{
		sqlInjection(),
		commandInjection(),
		codeInjection(),
		pathTraversal(),
		deserialization(),
		tlsVerification(),
		weakPasswordHash(),
		weakCipher(),
		hardcodedSecret(),
		weakRandom(),
		timingComparison(),
		unverifiedToken(),
		debugEnabled(),
		serverSideRequest(),
		openRedirect(),
		xmlEntities(),
		tarExtract(),
		unescapedMarkup(),
		autoescapeOff(),
		loggedSecret(),
		widePermission(),
		temporaryName(),
		swallowedException(),
		finallyReturn(),
		exceptOr(),
		raiseNotImplemented(),
		mutableDefault(),
		literalIdentity(),
		alwaysTrueOr(),
		selfComparison(),
		offByOne(),
		modifiedWhileIterating(),
		missingAwait(),
		sharedCounter(),
		resourceLeak(),
		ignoredResult(),
		duplicateKey(),
		unreachable(),
		assertTuple(),
	}
}
