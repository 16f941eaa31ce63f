package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func sqlInjection() rule.Rule {
	methods := []string{"where", "find_by_sql", "order", "having", "joins", "group", "execute", "exec_query", "select_all", "select_one", "select_value", "select_values", "update_all",
		"delete_all", "destroy_all", "count_by_sql", "reorder", "from", "pluck", "exists?", "exec_update", "exec_delete", "query"}
	clause := regexp.MustCompile(`(?i)\b(select|insert into|update|delete from|where|like|order by)\b|\w\s*(=|<>|!=|<=|>=)\s*'`)
	cleaned := regexp.MustCompile(`(?i)quote|sanitize|escape|\.to_[if]\b`)
	safe := regexp.MustCompile(`(?i)quote|sanitize|escape|to_i\b|to_f\b|\bid\b|_id\b|table|column|Arel|connection|\.to_sql`)
	return rule.Rule{
		ID: "ruby/sql-injection", Title: "a value is interpolated into an SQL statement",
		Category: "injection", CWE: "CWE-89", Severity: "high", Confidence: 0.85,
		Languages: []string{"ruby"},
		Explanation: "The value becomes part of the statement's text. One that contains a quote ends the literal and goes on as SQL: it reads or changes rows that were " +
			"never meant. Active Record quotes only what it is given separately.",
		Suggestion: "where(name: name), or where('name = ?', name). Choose the column of an order from a list.",
		Bad: []rule.Sample{
			{Source: "class UsersController < ApplicationController\n  def index\n    @users = User.where(\"name = '#{params[:name]}'\")\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def index\n    sort = params[:sort]\n    @users = User.order(\"#{sort} desc\")\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def update\n    user = User.where(\"id = '#{params[:user][:id]}'\")[0]\n  end\nend\n"},
			{Source: "class User\n  def self.named(name)\n    find_by_sql(\"SELECT * FROM users WHERE name = '#{name}'\")\n  end\nend\n"},
		},
		Good: []rule.Sample{
			{Source: "class UsersController < ApplicationController\n  def index\n    @users = User.where('name = ?', params[:name])\n  end\nend\n"},
			{Source: "class User\n  def self.active\n    where(\"#{table_name}.active = #{connection.quoted_true}\")\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def index\n    @users = User.where(\"age > #{params[:age].to_i}\")\n  end\nend\n"},
			{Source: "class Host\n  def rename(name)\n    machine.execute(\"echo '#{name}' > /etc/nodename\")\n  end\nend\n"},
			{Source: "class User\n  def self.named(name)\n    where(\"name = #{connection.quote(name)}\")\n  end\nend\n"},
			{Source: "class UsersController < ApplicationController\n  def index\n    sort = %w[name age].include?(params[:sort]) ? params[:sort] : 'name'\n    @users = User.where(name: params[:name]).order(:name)\n  end\nend\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains(methods, p.Method(call)) {
					continue
				}
				text := first(p, call)
				literal, _, ok := p.String(text)
				for _, hole := range holes(p, text) {
					if cleaned.MatchString(hole.Text()) {
						continue
					}
					if tainted(p, hole) && !listed(p, call, hole) {
						p.Report(call, hole.Text())
						break
					}
					if safe.MatchString(hole.Text()) {
						continue
					}
					// Quotes right around an argument of the method: a value, not a name of something.
					quoted := strings.Contains(text.Text(), "'#{"+hole.Text()+"}'") || strings.Contains(text.Text(), "'%#{"+hole.Text()+"}%'")
					if ok && quoted && clause.MatchString(literal) && hole.Kind() == "identifier" && slices.Contains(p.ParameterNames(p.Function(call)), hole.Text()) {
						p.Report(call, hole.Text())
						break
					}
				}
			}
		},
	}
}

// listed tells whether the method compares what is put in with a list before the call.
func listed(p *rule.Pass, call, hole syntax.Node) bool {
	for c := range p.Scope(call).Find("call") {
		if c.Start() >= call.Start() {
			break
		}
		if m := p.Method(c); m == "include?" || m == "key?" || m == "match?" || m == "has_key?" || m == "member?" || m == "column_names" {
			for _, a := range p.Args(c) {
				if a.Text() == hole.Text() || strings.Contains(hole.Text(), a.Text()) {
					return true
				}
			}
		}
	}
	return false
}
