// Package ruby holds the static rules for Ruby sources, one file a rule.
//
// Invariant: params, cookies and request count as a client's data only in files that are a web application's by their path
// or their words.
//
// It reads Ruby files only, not templates, and follows no call into another method.
package ruby

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives the Ruby rules in a fixed order.
func Rules() []rule.Rule {
	return []rule.Rule{
		sqlInjection(),
		commandInjection(),
		codeInjection(),
		deserialization(),
		crossSiteScripting(),
		openRedirect(),
		pathTraversal(),
		serverSideRequest(),
		massAssignment(),
		forgeryProtectionOff(),
		swallowedException(),
		certificateCheck(),
		passwordHash(),
		predictableToken(),
		timingComparison(),
		lineAnchors(),
		sharedDefault(),
		assignmentInCondition(),
		hardCodedSecret(),
	}
}
