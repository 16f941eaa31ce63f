package typescript_test

import (
	_ "embed"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/growtest"
	"github.com/deeprepo/deeprepo/internal/env/grow/typescript"
)

//go:embed testdata/digests.txt
var digests string

func TestGeneratedBytesStay(t *testing.T) { growtest.BytesStay(t, typescript.Templates(), digests) }
