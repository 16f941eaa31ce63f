package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func uploadName() rule.Rule {
	return rule.Rule{
		ID: "php/upload-name", Title: "an uploaded file is stored under the name the client gave it",
		Category: "path-traversal", CWE: "CWE-434", Severity: "high", Confidence: 0.85,
		Languages:   []string{"php"},
		Explanation: "The client chooses the extension. A file called shell.php below the document root is run by the web server at its next request.",
		Suggestion:  "Store it under a generated name with an extension chosen from a list, outside of the document root.",
		Bad: []rule.Sample{
			{Source: "<?php\nmove_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . $_FILES['f']['name']);\n"},
			{Source: "<?php\n$target = 'uploads/';\n$target .= basename($_FILES['f']['name']);\nmove_uploaded_file($_FILES['f']['tmp_name'], $target);\n"},
			{Source: "<?php\n$target = 'uploads/' . basename($_FILES['f']['name']);\nif (move_uploaded_file($_FILES['f']['tmp_name'], $target)) {\n    echo 'ok';\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nmove_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . bin2hex(random_bytes(16)) . '.png');\n"},
			{Source: "<?php\n$ext = pathinfo($_FILES['f']['name'], PATHINFO_EXTENSION);\nif (!in_array($ext, ['png', 'jpg'])) {\n    exit;\n}\nmove_uploaded_file($_FILES['f']['tmp_name'], 'uploads/' . $_FILES['f']['name']);\n"},
			{Source: "<?php\n$name = sanitize_file_name($_FILES['f']['name']);\nmove_uploaded_file($_FILES['f']['tmp_name'], \"uploads/$name\");\n"},
		},
		Check: func(p *rule.Pass) {
			looked := regexp.MustCompile(`(?i)PATHINFO_EXTENSION|pathinfo|\bext\b|extension|mime|getimagesize|finfo|preg_match|allowed|sanit|sandbox|strrchr|['"]\.(jpe?g|png|gif|pdf|csv|zip)`)
			for _, call := range p.Calls() {
				target := p.Arg(call, 1)
				if p.Callee(call) != "move_uploaded_file" || looked.MatchString(p.Scope(call).Text()) {
					continue
				}
				named := clientName(p, target)
				for _, a := range p.Assignments(p.Scope(call)) {
					named = named || a.Target.Text() == target.Text() && a.Node.End() < call.Start() && clientName(p, a.Value)
				}
				if named {
					p.Report(call, "")
				}
			}
		},
	}
}

// clientName tells whether n contains the name of an uploaded file as the client sent it.
func clientName(p *rule.Pass, n syntax.Node) bool {
	found := false
	n.Walk(func(c syntax.Node) bool {
		if c.Kind() == "subscript_expression" && c.NumNamed() == 2 && strings.HasPrefix(c.Text(), "$_FILES") {
			key, _, _ := p.String(c.NamedChild(1))
			found = found || key == "name"
		}
		return !found
	})
	return found
}
