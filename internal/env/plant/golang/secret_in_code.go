package golang

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
)

var secretVariable = regexp.MustCompile("(?i)^[\"`][A-Z0-9_]*(KEY|SECRET|TOKEN|PASSWORD)[\"`]$")

// SecretInCode writes a secret into the program that came from its environment.
func (*operators) SecretInCode(s *source) {
	for call, args := range s.callsTo("os", "Getenv") {
		if len(args) != 1 || !secretVariable.MatchString(args[0].Text()) {
			continue
		}
		name := strings.Trim(args[0].Text(), "\"`")
		e := s.Replace(call, fmt.Sprintf("%q", made(name)))
		edits, ok := s.tidy(e)
		if !ok {
			continue
		}
		where := "The package"
		if fn := function(call); fn.Valid() {
			where = nameOf(fn)
		}
		s.ReportAll(edits, "%s takes %s from the source code instead of the environment: whoever can read the code has the secret.", where, name)
	}
}

// made is a secret that looks like one and belongs to nobody.
func made(name string) string {
	sum := sha256.Sum256([]byte(name))
	return hex.EncodeToString(sum[:16])
}
