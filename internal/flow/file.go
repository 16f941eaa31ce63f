package flow

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// namesOnly: of new File(x).getName() only the last name is used, and no file; nor where a variable stands between both.
func namesOnly(file syntax.Node) bool {
	if !file.Is("object_creation_expression") {
		return false
	}
	up := file.Parent()
	if !up.Is("variable_declarator") {
		return nameOf(file)
	}
	name, block := up.ChildByField("name"), up.Parent().Parent()
	if block.End()-block.Start() > maxBlock {
		return false
	}
	used := false
	for n := range block.Find("identifier") {
		if n.Text() != name.Text() || n.Start() <= name.Start() {
			continue
		}
		if used = nameOf(n); !used {
			return false
		}
	}
	return used
}

// maxBlock bounds the block, in bytes, that is looked through for the uses of a variable.
const maxBlock = 20_000

// nameOf reports a file of which the name is asked for.
func nameOf(file syntax.Node) bool {
	up := file.Parent()
	return up.ChildByField("object") == file && up.ChildByField("name").Text() == "getName"
}

// What a program does with a file's path before it opens it: it hands it to a check, or looks where it leads and compares.
var (
	pathCheck = pattern.New(`(?i)\b\w*(check|valid|verif|safe|allow|inside|within|under|child|contain|normali[sz]e|escape)\w*\(\s*$`)
	resolves  = pattern.New(`^\s*\.\s*(toPath\(\)\s*\.\s*)?(getCanonical\w*|toRealPath|normalize|getAbsoluteFile\(\)\.normalize)\(`)
	compares  = pattern.New(`\.(startsWith|equals|contains)\(`)
)

// checked reports a new File that is kept in a variable which is checked before, or where, it is used: the path alone opens nothing.
func checked(file syntax.Node) bool {
	if !file.Is("object_creation_expression") {
		return false
	}
	up := file.Parent()
	for up.Is("argument_list") && up.Parent().Is("object_creation_expression") { // new File(new File(base, x), y)
		up = up.Parent().Parent()
	}
	name, block := up.ChildByField("name"), up.Parent().Parent()
	if up.Is("assignment_expression") {
		name, block = up.ChildByField("left"), up.Enclosing("method_declaration", "constructor_declaration")
	} else if !up.Is("variable_declarator") {
		return false
	}
	if !name.Is("identifier") || block.End()-block.Start() > maxBlock {
		return false
	}
	src := block.Tree().Source()
	for n := range block.Find("identifier") {
		if n.Text() != name.Text() || n.Start() <= up.End() {
			continue
		}
		before, after := src[max(0, n.Start()-80):n.Start()], src[n.End():min(len(src), n.End()+80)]
		if pathCheck.Match(before) || resolves.Match(after) && compares.Match(src[n.End():block.End()]) {
			return true
		}
	}
	return false
}

// Where programs of Java are administrated: whoever may go there says which files are used.
var administration = pattern.New(`(^|/)(admin|administration|manager|management)/(.*/)?\w*(Admin|Manage)\w*\.java$`)

// Administers reports a file of Java by its path whose class administrates a server.
func Administers(path string) bool { return administration.MatchString(path) }

var lastSlash = pattern.New(`[lL]ast_?[iI]ndex[oO]f\(\s*("/"|'/'|(File|path)\.sep\w*)\s*\)\s*\+\s*1$`)

// lastName reports what takes the last name of a path: x.substring(x.lastIndexOf("/") + 1).
func lastName(c *call) bool {
	return (c.short == "substring" || c.short == "slice" || c.short == "substr") && len(c.args) == 1 &&
		lastSlash.MatchString(c.x.Args[1].Node.Text())
}

// holdsPart: x.indexOf("/") >= 0, and the like, where b is the bound.
func (f *frame) holdsPart(a, b *ir.Expr, bound string, holds bool) {
	if a.Op != ir.Call || a.Args[0].Op != ir.Member ||
		strings.ReplaceAll(b.Node.Text(), " ", "") != bound {
		return
	}
	switch strings.ToLower(a.Args[0].Text) {
	case "indexof", "lastindexof":
		f.contains(a.Args[0].Args[0], a.Args[1:], holds)
	}
}
