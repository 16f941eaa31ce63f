package golang_test

import (
	"testing"

	"github.com/deeprepo/deeprepo/internal/rules/golang"
	"github.com/deeprepo/deeprepo/internal/rules/rule/ruletest"
)

func TestRules(t *testing.T) { ruletest.Check(t, golang.Rules()) }
