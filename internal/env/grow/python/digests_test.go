package python_test

import (
	_ "embed"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/growtest"
	"github.com/deeprepo/deeprepo/internal/env/grow/python"
)

//go:embed testdata/digests.txt
var digests string

func TestGeneratedBytesStay(t *testing.T) { growtest.BytesStay(t, python.Templates(), digests) }
