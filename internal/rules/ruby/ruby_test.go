package ruby

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules/rule/ruletest"
)

func TestRules(t *testing.T) { ruletest.Check(t, Rules()) }
