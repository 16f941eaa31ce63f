package ruby

import (
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func massAssignment() rule.Rule {
	return rule.Rule{
		ID: "ruby/mass-assignment", Title: "every parameter of the request may be assigned to the record",
		Category: "auth", CWE: "CWE-915", Severity: "high", Confidence: 0.85,
		Languages:   []string{"ruby"},
		Explanation: "permit! switches the parameter filter off. A client adds user[admin]=true, or the id of somebody else's record, and the model takes it.",
		Suggestion:  "List the fields: params.require(:user).permit(:name, :email).",
		Bad: []rule.Sample{
			{Source: "class UsersController < ApplicationController\n  def update\n    @user.update(params[:user].permit!)\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def user_params\n    params.require(:user).permit!\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class UsersController < ApplicationController\n  def user_params\n    params.require(:user).permit(:name, :email)\n  end\nend\n"},
			{Source: "class Form\n  def open(gate)\n    gate.permit!\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def index\n    @filters = params.permit(:q, :page)\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if p.Method(call) != "permit!" {
					continue
				}
				root := receiver(call)
				for root.Valid() && root.Kind() != "identifier" {
					switch root.Kind() {
					case "call":
						root = receiver(root)
					case "element_reference":
						root = root.ChildByField("object")
					default:
						root = syntax.Node{}
					}
				}
				// Parameters for a link, a filter or a log are not assigned to a record.
				use := call.Parent()
				if root.Valid() && request(p, root) && p.Method(use) != "to_h" && p.Method(use) != "to_hash" && p.Method(use) != "merge" {
					p.Report(call, "")
				}
			}
		},
	}
}
