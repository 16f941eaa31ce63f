package typescript

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// maxDescription is the longest description that a truth may have, in bytes.
const maxDescription = 200

// site puts a site together; the description is shortened where a program's names are very long.
func site(edits []plant.Edit, format string, args ...any) plant.Site {
	text := fmt.Sprintf(format, args...)
	if len(text) > maxDescription {
		cut := maxDescription - 3
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = strings.TrimSpace(text[:cut]) + "..."
	}
	return plant.Site{Edits: edits, Description: text}
}
