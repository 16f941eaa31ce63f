// Package php holds the static rules for PHP sources, one file a rule.
//
// Invariant: an injection rule fires only where request data reaches the dangerous call inside one file, and nothing on
// the way looks like a check or an escape.
//
// It follows no include, and calls only into functions of the same file.
package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives the PHP rules in a fixed order.
func Rules() []rule.Rule {
	return []rule.Rule{
		sqlInjection(),
		commandInjection(),
		codeInjection(),
		fileInclusion(),
		crossSiteScripting(),
		deserialization(),
		pathTraversal(),
		uploadName(),
		openRedirect(),
		serverSideRequest(),
		extractRequest(),
		passwordHash(),
		predictableToken(),
		looseComparison(),
		certificateCheck(),
		strposTruth(),
		assignmentInCondition(),
		hardCodedSecret(),
	}
}
