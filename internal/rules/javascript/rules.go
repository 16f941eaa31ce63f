package javascript

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// Rules gives every rule for JavaScript and TypeScript, the gravest kinds first.
func Rules() []rule.Rule {
	return []rule.Rule{
		codeInjection(), commandInjection(), sqlInjection(), nosqlInjection(), pathTraversal(), ssrf(), xss(),
		prototypePollution(), unsafeDeserialization(), jwtUnverified(), openRedirect(), regexInput(),
		hardcodedSecret(), weakPasswordHash(), obsoleteCipher(), weakRandom(), tlsUnverified(),
		corsCredentials(), insecureCookie(), postMessage(),
		promiseAsValue(), unawaited(), asyncForEach(), emptyCatch(), conditionAssignment(), impossibleComparison(), offByOne(),
		numericSort(), mapWithoutReturn(), stateMutation(), focusedTest(), testWithoutCheck(),
	}
}
