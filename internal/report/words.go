package report

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// about is what a report says of a category.
type about struct {
	title, sentence string
	security        bool
}

func aboutCategory(category string) about {
	switch category {
	case "injection":
		return about{"Injection", "Input reaches an interpreter (SQL, shell, code) as part of the program.", true}
	case "path-traversal":
		return about{"Path traversal", "Input decides which file is read or written.", true}
	case "xss":
		return about{"Cross-site scripting", "Input reaches a page without escaping.", true}
	case "ssrf":
		return about{"Server-side request forgery", "Input decides which host the server talks to.", true}
	case "weak-crypto":
		return about{"Weak cryptography", "A cipher, hash, random source or certificate check is too weak for its use.", true}
	case "secrets":
		return about{"Secret in the code", "A password, key or token stands in the source.", true}
	case "deserialization":
		return about{"Unsafe deserialization", "Untrusted bytes are turned into objects that can run code.", true}
	case "auth":
		return about{"Authentication or authorization gap", "Something can be done by someone who should not be able to.", true}
	case "csrf":
		return about{"Cross-site request forgery", "A foreign page can act in a user's name.", true}
	case "redirect":
		return about{"Open redirect", "Input decides where a user is sent.", true}
	case "xxe":
		return about{"XML external entity", "An XML parser follows what a document tells it to fetch or expand.", true}
	case "error-handling":
		return about{"Error handling", "An error is lost, hidden or handled wrongly.", false}
	case "resource-leak":
		return about{"Resource leak", "Something that is opened is not closed on every path.", false}
	case "concurrency":
		return about{"Concurrency", "Two things that run at once get in each other's way.", false}
	case "memory-safety":
		return about{"Memory safety", "Memory is read or written outside its bounds or its life.", true}
	case "null-dereference":
		return about{"Null dereference", "A value that may be absent is used as if it were there.", false}
	case "off-by-one":
		return about{"Off by one", "A boundary is one too far or one too near.", false}
	case "comparison":
		return about{"Comparison", "A comparison does not compare what it should.", false}
	case "api-misuse":
		return about{"API misuse", "A function is used against its contract.", false}
	case "data-loss":
		return about{"Data loss", "Data can be lost, cut or damaged.", false}
	case "dead-code":
		return about{"Dead code", "Code that can never run or has no effect.", false}
	case "test-quality":
		return about{"Test quality", "A test that cannot fail, or does not test what it says.", false}
	case "performance":
		return about{"Performance", "More time or memory is spent than the task needs.", false}
	case "configuration":
		return about{"Configuration", "A setting is unsafe or wrong.", true}
	case "logic":
		return about{"Logic", "The code does something else than it should.", false}
	case "privacy":
		return about{"Privacy", "Personal or internal data goes where it should not.", true}
	case "maintainability":
		return about{"Maintainability", "The code is harder to change than it needs to be.", false}
	}
	return about{"Other", "A defect of another kind.", false}
}

// statusSentence says in one sentence how the run ended.
func statusSentence(r runfile.Report) string {
	why := inline(r.Run.StopReason)
	switch r.Run.Status {
	case StatusCompleted:
		return "The review ran to its end."
	case StatusFailed:
		return fmt.Sprintf("The review failed (%s); what follows is what was saved.", orUnknown(why))
	}
	return fmt.Sprintf("The review is partial: it stopped early (%s), and parts of the codebase may not have been judged.", orUnknown(why))
}

// readerSentence says who did the reading.
func readerSentence(r runfile.Report) string {
	if r.Coverage.LinesDispatched == 0 {
		return "Nobody read this code."
	}
	switch r.Run.Worker {
	case "offline/rules":
		return "Static rules, not a language model, read this code."
	case "":
		return "No worker read this code."
	}
	return "The code was read by " + inline(r.Run.Worker) + "."
}

func orUnknown(s string) string {
	if s == "" {
		return "no reason given"
	}
	return s
}

// tally counts findings by severity.
func tally(fs []finding.Finding) map[string]int {
	n := map[string]int{}
	for _, f := range fs {
		n[f.Severity]++
	}
	return n
}
