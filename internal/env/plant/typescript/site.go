package typescript

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// maxDescription is the longest description that a truth may have, in bytes.
const maxDescription = 200

// file is one file that sites are sought in.
type file struct{ *plant.File }

// report adds a site; the description is shortened where a program's names are very long.
func (f file) report(edits []plant.Edit, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxDescription {
		cut := maxDescription - 3
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = strings.TrimSpace(text[:cut]) + "..."
	}
	f.Sites = append(f.Sites, plant.Site{Edits: edits, Description: text})
}
