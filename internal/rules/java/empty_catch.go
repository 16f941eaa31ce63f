package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func emptyCatch() rule.Rule {
	broad := []string{"Exception", "Throwable", "RuntimeException", "IOException", "SQLException", "Error", "GeneralSecurityException"}
	expected := regexp.MustCompile(`(?i)ignor|expected|unused|^_+$|swallow|nothing|never|impossible|not_?used|dummy`)
	trivial := regexp.MustCompile(`(?i)(^|\.)(close\w*|sleep|flush|shutdown\w*|disconnect|release|delete\w*|rollback|destroy|stop|cancel|join|wait|interrupt|free|dispose|unlock|remove\w*|unregister\w*)$`)
	return rule.Rule{
		ID: "java/swallowed-exception", Title: "an exception is caught and thrown away",
		Category: "error-handling", CWE: "CWE-390", Severity: "low", Confidence: 0.8,
		Languages: []string{"java"}, InTests: rule.SkipInTests,
		Explanation: "The catch block is empty and no comment says why. When the operation fails the program goes on with half the work done, and neither a log nor the " +
			"caller learns of it.",
		Suggestion: "Log it with its cause, wrap and rethrow it, or say in a comment why it may be ignored.",
		Bad: []rule.Sample{
			{Source: "class Config {\n  void load(File f) {\n    try {\n      values.load(new FileReader(f));\n    } catch (IOException e) {\n    }\n  }\n}\n"},
			{Source: "class Bank {\n  void transfer(Account a, Account b, int n) {\n    try {\n      a.take(n);\n      b.put(n);\n    } catch (Exception e) {}\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Config {\n  void load(File f) {\n    try {\n      values.load(new FileReader(f));\n    } catch (IOException e) {\n      log.warn(\"no configuration\", e);\n    }\n  }\n}\n"},
			{Source: "class Config {\n  void load(File f) {\n    try {\n      values.load(new FileReader(f));\n    } catch (IOException e) {\n      // the defaults stand\n    }\n  }\n}\n"},
			{Source: "class Config {\n  void stop() {\n    try {\n      in.close();\n    } catch (IOException e) {\n    }\n  }\n}\n"},
			{Source: "class Config {\n  int port(String s) {\n    try {\n      return Integer.parseInt(s);\n    } catch (NumberFormatException e) {\n    }\n    return 80;\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for c := range p.Nodes("catch_clause") {
				body := c.ChildByField("body")
				var caught syntax.Node
				for n := range c.NamedChildren() {
					if n.Kind() == "catch_formal_parameter" {
						caught = n
					}
				}
				if body.NumNamed() > 0 || !caught.Valid() || expected.MatchString(caught.ChildByField("name").Text()) {
					continue
				}
				types := ""
				for n := range caught.Find("catch_type") {
					types = n.Text()
				}
				tried := c.Parent().ChildByField("body")
				work := statements(tried)
				quiet := len(work) == 0
				for _, s := range work { // giving up a resource may fail unseen; a value returned or assigned has a fallback
					last := s.NamedChild(0)
					if s.Kind() == "return_statement" || last.Kind() == "assignment_expression" || p.IsCall(last) && trivial.MatchString(callee(p, last)) {
						quiet = true
					}
					if s.Kind() == "if_statement" || s.Kind() == "try_statement" {
						for call := range s.Find("method_invocation") {
							quiet = quiet || trivial.MatchString(callee(p, call))
						}
					}
				}
				around := p.Tree.Source()[tried.End():c.End()]
				if slices.Contains(broad, types) && !quiet && !strings.Contains(string(around), "//") && !strings.Contains(string(around), "/*") && c.NextSibling().Kind() != "catch_clause" && !commented(c) {
					p.Report(c, "")
				}
			}
		},
	}
}

// commented tells whether a comment stands right behind the try statement of a catch clause.
func commented(c syntax.Node) bool {
	next := c.Parent().NextSibling()
	return isComment(next) && next.Line() <= c.EndLine()
}
