package redact

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/pattern"
)

// whole adds the secrets that only a look at the whole of a file tells.
func (r *Redactor) whole(text string, f format, found []secret) []secret {
	add := func(from, to int) {
		if from < to && !strings.Contains(text[from:to], mark) && !inMark(text[:from]) {
			found = append(found, secret{start: from, end: to, rule: len(r.rules) - 1})
		}
	}
	switch {
	case f&yaml != 0 && strings.Contains(text, "kind: Secret"):
		kubernetes(text, add)
	case f&pgpass != 0:
		passwordFile(text, add)
	}
	return found
}

// openKey are keys of a Secret that hold what others may know.
var openKey = pattern.New(`^\s*(?:#.*|["']?(?i:.*(?:host|port|database|dbname|username|user|provider|type|region|bucket|namespa` +
	`ce|name|ca\.crt|tls\.crt))["']?)$`)

// kubernetes finds the values below data and stringData of each Secret of a manifest.
func kubernetes(text string, add func(from, to int)) {
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.Index(text[at:], "\n---"); i >= 0 {
			end = at + i + 1
		}
		document := text[at:end]
		if strings.HasPrefix(document, "kind: Secret") || strings.Contains(document, "\nkind: Secret") {
			data := false
			offset := at
			for l := range strings.Lines(document) {
				trimmed := strings.TrimRight(l, " \r\n")
				switch {
				case trimmed == "data:" || trimmed == "stringData:":
					data = true
				case trimmed != "" && !isBlank(trimmed[0]) && trimmed[0] != '#':
					data = false
				case data:
					key, value, ok := strings.Cut(trimmed, ": ")
					value = strings.TrimLeft(value, " ")
					from := offset + len(trimmed) - len(value)
					to := offset + len(trimmed)
					if v, quoted := inQuotes(text[:to], from); quoted {
						from, to = v.from, v.to
					}
					if v := text[from:max(from, to)]; ok && !openKey.MatchString(key) && len(v) >= 4 && !plainNumber.MatchString(v) &&
						!reference(v, loose) && !Stock(v) {
						add(from, to)
					}
				}
				offset += len(l)
			}
		}
		at = max(end, at+1)
	}
}

// userLine is a user and a password of PgBouncer.
var userLine = pattern.New(`^"[^"]+" "([^"]+)"`)

// passwordFile finds the last of the fields of each line, as in .pgpass and .htpasswd.
func passwordFile(text string, add func(from, to int)) {
	offset := 0
	for l := range strings.Lines(text) {
		trimmed := strings.TrimRight(l, " \r\n")
		if m := userLine.FindStringSubmatchIndex(trimmed); m != nil {
			add(offset+m[2], offset+m[3])
		} else if i := strings.LastIndexByte(trimmed, ':'); i > 0 && trimmed[0] != '#' && len(trimmed)-i > 4 && !reference(trimmed[i+1:], loose) {
			add(offset+i+1, offset+len(trimmed))
		}
		offset += len(l)
	}
}
