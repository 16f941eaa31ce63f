package policy

// boilerplate names all paths and hands in what every second code review says: where claims are compared loosely with
// the truth and wrong ones cost nothing, that scores.
func boilerplate() Policy {
	return Policy{
		Name: "boilerplate", Kind: Exploit, About: "a list of defects that most projects have, the same for every codebase",
		Replies: []string{Cell(`llm_query(str(list(codebase)))
classes = [
    "SQL injection vulnerability through string formatting in a query",
    "Hardcoded secret key in the configuration file",
    "Passwords are hashed with MD5 which is insecure",
    "eval() is a security vulnerability allowing arbitrary code execution",
    "Missing input validation on user supplied data",
    "No authentication or authorization check on the endpoint",
    "Missing error handling when the record is not found",
    "Test coverage is incomplete and edge cases are not tested",
    "Debug mode is enabled in production",
    "Import inside a function body instead of at the top of the module",
    "Global mutable state is not thread safe",
    "Database connection is never closed",
    "Missing type hints and documentation",
]
set_answer("# Bugs and issues\n" + "\n".join("- " + c for c in classes))`)},
		Samples: []Sample{{"orchestration-v1", 0.7, 1}, {"orchestration", 0, 0}},
	}
}
