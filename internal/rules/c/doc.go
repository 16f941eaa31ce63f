// Package c holds the static rules for C sources, one file a rule.
//
// Invariant: a rule judges a function only when its whole text parsed without an error; macros that look like nothing
// in the language silence it.
//
// It is no data-flow analyser: what cannot be seen in the statements of one function is left alone.
package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives the C rules in a fixed order.
func Rules() []rule.Rule {
	return []rule.Rule{
		getsCall(),
		unboundedCopy(),
		formatString(),
		sizeofPointer(),
		useAfterFree(),
		offByOne(),
		assignmentInCondition(),
		strncpyTerminator(),
		returnLocalAddress(),
		uncheckedAllocation(),
		unsignedNegative(),
		charEOF(),
		mallocStrlen(),
		operatorPrecedence(),
		commandInjection(),
		hardCodedSecret(),
		predictableKey(),
	}
}
