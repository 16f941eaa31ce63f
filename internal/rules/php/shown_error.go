package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ShownError(p *rule.Pass) { rule.CheckShownErrors(p) }
