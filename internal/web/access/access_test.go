package access_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/web/access"
)

func TestTokens(t *testing.T) {
	a, err := access.NewToken()
	if err != nil {
		t.Fatal(err)
	}
	b, _ := access.NewToken()
	if a == b || access.CheckToken(a) != nil {
		t.Errorf("%q, %q", a, b)
	}
	for _, bad := range []string{"", "short", "sixteen/characters", "sixteen characters", "ünïcödé-ünïcödé!"} {
		if access.CheckToken(bad) == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}
