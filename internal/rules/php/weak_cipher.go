package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakCipher(p *rule.Pass) {
	for _, call := range p.Calls() {
		name := strings.ToLower(p.Callee(call))
		switch {
		case name == "openssl_encrypt":
			n := p.Only(p.Scope(call), p.Arg(call, 1))
			if s, _, _ := p.String(n); weakCipherName.MatchString(s) {
				p.Report(call, s)
			}
		case name == "mcrypt_encrypt":
			if m := p.Arg(call, 3).Text(); strings.HasSuffix(m, "_ECB") || m == `"ecb"` || m == "'ecb'" ||
				weakCipherConstant.MatchString(p.Arg(call, 0).Text()) {
				p.Report(call, "")
			}
		}
	}
}

var (
	weakCipherName     = regexp.MustCompile(`(?i)^(des|des-.*|desx.*|rc4.*|rc2.*|bf.*|.*-ecb)$`)
	weakCipherConstant = regexp.MustCompile(`^MCRYPT_(DES|3DES|TRIPLEDES|BLOWFISH|RC2|RC4|ARCFOUR|XTEA)$`)
)
