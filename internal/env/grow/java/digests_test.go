package java_test

import (
	_ "embed"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow/growtest"
	"github.com/deeprepo/deeprepo/internal/env/grow/java"
)

var (
	//go:embed testdata/digests.txt
	digests string
	//go:embed testdata/unsettled.txt
	unsettled string
)

func TestGeneratedBytesStay(t *testing.T) {
	growtest.BytesStay(t, java.Templates(), digests)
	growtest.BytesStay(t, java.Unsettled(), unsettled)
}
