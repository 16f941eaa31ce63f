package java_test

import (
	_ "embed"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/growtest"
	"github.com/deeprepo/deeprepo/internal/env/grow/java"
)

//go:embed testdata/digests.txt
var digests string

func TestGeneratedBytesStay(t *testing.T) { growtest.BytesStay(t, java.Templates(), digests) }
