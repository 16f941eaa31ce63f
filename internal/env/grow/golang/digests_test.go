package golang_test

import (
	_ "embed"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/golang"
	"github.com/deeprepo/deeprepo/internal/env/grow/growtest"
)

//go:embed testdata/digests.txt
var digests string

func TestGeneratedBytesStay(t *testing.T) { growtest.BytesStay(t, golang.Templates(), digests) }
