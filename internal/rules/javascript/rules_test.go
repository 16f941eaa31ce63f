package javascript_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules/javascript"
	"github.com/deeprepo/deeprepo/internal/rules/rule/ruletest"
)

func TestRules(t *testing.T) { ruletest.Check(t, javascript.Rules()) }
