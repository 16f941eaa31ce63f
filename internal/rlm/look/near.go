package look

import (
	"fmt"
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/suggest"
)

// Near says which path somebody may have meant who named one that is not there, as the end of a sentence; "" where none is
// close.
func Near(code *codebase.Codebase, missing string) string {
	const most, compared = 3, 20_000
	var near []string
	for _, p := range code.Paths() {
		switch {
		case missing != "" && strings.HasPrefix(p, strings.TrimSuffix(missing, "/")+"/"):
			return ", but a directory: tree(prefix) lists it"
		case strings.EqualFold(path.Base(p), path.Base(missing)) && len(near) < most:
			near = append(near, fmt.Sprintf("%q", p))
		}
	}
	if len(near) == 0 && len(code.Paths()) <= compared {
		if p := suggest.Nearest(missing, code.Paths()); p != "" {
			near = append(near, fmt.Sprintf("%q", p))
		}
	}
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}
