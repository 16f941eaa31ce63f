package shell

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var checkedHost = regexp.MustCompile(`https://([a-z0-9\-]+\.)+(com|org|io|net|dev|de|uk|gov|edu|co|app|cloud|fr|eu)\b`)

func (*checks) CertificateCheckOff(p *rule.Pass) {
	for _, c := range commands(p, "curl", "wget") {
		w := words(c)
		off := func(n rule.Node) bool {
			t := n.Text()
			return rule.OneOf(t, "-k", "--insecure", "--no-check-certificate") || checkedFlags.MatchString(t)
		}
		if slices.ContainsFunc(w, off) && slices.ContainsFunc(w, func(n rule.Node) bool { return checkedHost.MatchString(n.Text()) }) {
			p.Report(c, "")
		}
	}
}

var checkedFlags = regexp.MustCompile(`^-[sSLfv]*k[sSLfv]*[oO]?$`)
