package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var randomDrawing = regexp.MustCompile(`^random\.(random|randint|randrange|choices?|getrandbits|sample|randbytes|uniform|` +
	`normalvariate|gauss|triangular|betavariate|expovariate)$`)

// A key or token is made of a number's digest.
var (
	digestCall = regexp.MustCompile(`^hashlib\.(md5|sha1|sha224|sha256|sha384|sha512|blake2b)$`)
	keyMaker   = regexp.MustCompile(`(?i)key|token|secret|session|passw|otp|reset|nonce`)
)

func (*checks) WeakRandom(p *rule.Pass) {
	text := imported(p, "torch", "tensorflow", "transformers", "numpy", "nltk", "spacy") // whose tokens are words
	for _, call := range p.Calls() {
		if !randomDrawing.MatchString(callee(p, call)) || strings.Contains(p.Scope(call).ChildByField("name").Text(), "boundary") {
			continue
		}
		if strings.Contains(callee(p, call), "choice") && rule.SecretPurpose([]string{p.Arg(call, 0).Text()}) != "" {
			continue // one of several tokens is chosen
		}
		if rule.Any(rule.Around(call, "call"), func(up rule.Node) bool { return digestCall.MatchString(callee(p, up)) }) &&
			keyMaker.MatchString(p.Function(call).ChildByField("name").Text()) {
			p.Report(call, "its digest is handed out")
			continue
		}
		purpose := rule.SecretPurpose(p.Purpose(call).To)
		if purpose == "" || text && strings.HasSuffix(strings.TrimSuffix(strings.ToLower(purpose), "s"), "token") {
			continue
		}
		p.Report(call, "used for "+purpose)
	}
}
