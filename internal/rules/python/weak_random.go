package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var randomDrawing = regexp.MustCompile(`^random\.(random|randint|randrange|choices?|getrandbits|sample|randbytes|uniform|` +
	`normalvariate|gauss|triangular|betavariate|expovariate)$`)

func (*checks) WeakRandom(p *rule.Pass) {
	text := imported(p, "torch", "tensorflow", "transformers", "numpy", "nltk", "spacy") // whose tokens are words
	for _, call := range p.Calls() {
		if !randomDrawing.MatchString(callee(p, call)) || strings.Contains(p.Scope(call).ChildByField("name").Text(), "boundary") {
			continue
		}
		if strings.Contains(callee(p, call), "choice") && rule.SecretPurpose([]string{p.Arg(call, 0).Text()}) != "" {
			continue // one of several tokens is chosen
		}
		purpose := rule.SecretPurpose(p.Purpose(call).To)
		if purpose == "" || text && strings.HasSuffix(strings.TrimSuffix(strings.ToLower(purpose), "s"), "token") {
			continue
		}
		p.Report(call, "used for "+purpose)
	}
}
