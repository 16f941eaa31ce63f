package python_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules/python"
	"github.com/deeprepo/deeprepo/internal/rules/rule/ruletest"
)

func TestRules(t *testing.T) { ruletest.Check(t, python.Rules()) }
