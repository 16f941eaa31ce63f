package typescript

import (
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// staticIV encrypts everything with one initialisation vector of zeros: equal texts give equal ciphertexts, and with GCM
// two of them give the key for forging a third.
func staticIV() plant.Operator {
	return plant.Operator{
		Name: "typescript/static-iv", Language: language, Split: env.Heldout, Category: "weak-crypto", CWE: "CWE-329", Severity: "high",
		Hint: "createCipheriv",
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for d := range find(p, path, "variable_declarator") {
				name, call := d.ChildByField("name").Text(), d.ChildByField("value")
				object, made := callee(call)
				args := arguments(call)
				if made != "randomBytes" || len(args) != 1 || !simple(args[0]) || !initialises(function(d), name) {
					continue
				}
				edits := []plant.Edit{replace(path, call, "Buffer.alloc("+args[0].Text()+")")}
				if !object.Valid() {
					more, _ := reimport(p, path, made, 1, "")
					edits = append(edits, more...)
				}
				out = append(out, site(edits, "%s encrypts every text with the same all-zero %s under one key, so equal texts show and the cipher's protection is lost.", where(d), short(name)))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "import { createCipheriv, randomBytes } from 'node:crypto';\n\nexport function seal(key: Buffer, text: string): Buffer {\n  const iv = randomBytes(12);\n  const cipher = createCipheriv('aes-256-gcm', key, iv);\n  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);\n}\n"},
				After: "import { createCipheriv } from 'node:crypto';\n\nexport function seal(key: Buffer, text: string): Buffer {\n  const iv = Buffer.alloc(12);\n  const cipher = createCipheriv('aes-256-gcm', key, iv);\n  return Buffer.concat([iv, cipher.update(text), cipher.final(), cipher.getAuthTag()]);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "import crypto from \"crypto\"\nconst seal = (k: Buffer) =>\n{\n\tlet nonce = crypto\n\t\t.randomBytes( SIZE ), c = crypto.createCipheriv( \"aes-256-gcm\", k, nonce )\n\treturn c\n}\n"},
				After: "import crypto from \"crypto\"\nconst seal = (k: Buffer) =>\n{\n\tlet nonce = Buffer.alloc(SIZE), c = crypto.createCipheriv( \"aes-256-gcm\", k, nonce )\n\treturn c\n}\n"},
		},
		Never: []string{
			"function seal(key: Buffer) {\n  const salt = randomBytes(12);\n  return createCipheriv('aes-256-gcm', scrypt(key, salt), ivOf(key));\n}\n",
			"function seal(key: Buffer) {\n  const iv = Buffer.alloc(12);\n  return createCipheriv('aes-256-gcm', key, iv);\n}\n",
		},
	}
}

// initialises says whether a function gives the variable to a cipher as its initialisation vector.
func initialises(fn syntax.Node, name string) bool {
	for call := range fn.Find("call_expression") {
		_, made := callee(call)
		if args := arguments(call); made == "createCipheriv" && len(args) > 2 && args[2].Text() == name {
			return true
		}
	}
	return false
}
