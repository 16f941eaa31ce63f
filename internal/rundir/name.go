package rundir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/deeprepo/deeprepo/internal/hint"
)

// Slug is what of a name is harmless in a path: Latin letters, digits, dots, dashes and underscores, which stand for
// everything else. It neither begins nor ends with a dot or an underscore, and is otherwise where nothing is left.
func Slug(name, otherwise string) string {
	slug := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.' {
			return r
		}
		return '_'
	}, name)
	if slug = strings.Trim(slug, "._"); slug == "" {
		return otherwise
	}
	return slug
}

// Fresh makes an empty directory called base, with a number behind it where that name is taken.
func Fresh(base string, k Kind) (string, error) {
	err := os.MkdirAll(filepath.Dir(base), 0o755)
	name := base
	for i := 2; err == nil; i++ {
		if err = os.Mkdir(name, 0o755); err == nil {
			return name, nil
		}
		if errors.Is(err, fs.ErrExist) && i <= 1000 {
			name, err = fmt.Sprintf("%s-%d", base, i), nil
		}
	}
	return "", hint.Wrap(k.fault(err), another)
}
