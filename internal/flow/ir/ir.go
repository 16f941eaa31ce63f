// Package ir is a program as the flow engine reads it: one small language that Python, JavaScript, TypeScript, Java, Go, PHP
// and Ruby are lowered to. It keeps what carries values (calls, assignments, containers, texts made of parts) and the shape of
// control flow; types, access modifiers and everything else is left out. Nothing here knows a library.
package ir

import "github.com/deeprepo/deeprepo/internal/syntax"

// Op says what an expression does.
type Op uint8

// The expressions.
const (
	Unknown Op = iota // of parts whose values it does not hand on
	Const             // a literal: Text is its value, Kind what it is
	Name              // a variable: Text
	Member            // Args[0].Text
	Index             // Args[0][Args[1]]; Args[1] may be absent
	Call              // Args[0](Args[1:]...); Names are those of keyword arguments, "" for positional ones
	New               // an instance of Args[0], made with Args[1:]
	Concat            // the texts of all Args, one after the other
	Binary            // Text is the operator
	Not               // of Args[0]
	List              // of Args, in order
	Map               // of Args under Names; "" where the key is not constant
	Spread            // the contents of Args[0]
	Choose            // Args[1] where Args[0] holds, else Args[2]
	Either            // Args[0] or Args[1]: what || and ?? give
	Both              // Args[0] and Args[1]: a condition
	Same              // Args[0]: awaited, cast, in parentheses
	Lambda            // Func
	Set               // Args[1] is assigned to Args[0], as an expression
	Typed             // Args[0] as a value of type Text
	Each              // a list of Args[2] for each Args[1] out of Args[0] for which Args[3:] hold
	Yield             // hands Args[0] to the caller
)

// Kind is what a literal is.
type Kind uint8

// The kinds of literals.
const (
	Null Kind = iota
	Text
	Number
	Bool
)

// Expr is an expression.
type Expr struct {
	Op    Op
	Kind  Kind // of a Const
	Text  string
	Args  []*Expr
	Names []string
	Func  *Func
	Node  syntax.Node // where it stands
}

// StmtOp says what a statement does.
type StmtOp uint8

// The statements.
const (
	Do       StmtOp = iota // Value
	Assign                 // Value to Target; Text is the operator of an augmented one
	If                     // Value, Body, Else
	Loop                   // over Value with Target, or while Value holds where Target is nil
	Switch                 // on Value by Cases
	Try                    // Body, then one of Cases, then Else
	Return                 // Value
	Leave                  // the function, by an exception
	Break                  // the loop or switch
	Continue               // the loop
	Block                  // Body
)

// Stmt is a statement.
type Stmt struct {
	Op     StmtOp
	Text   string
	Target *Expr
	Value  *Expr
	Type   string // declared, of an Assign
	Body   []*Stmt
	Else   []*Stmt
	Cases  []Case
}

// Case is a branch of a Switch, or a handler of a Try.
type Case struct {
	Values  []*Expr // none for the default
	Body    []*Stmt
	Through bool // it falls through into the next one where nothing leaves it
}

// Func is a function, method, closure, or the top level of a file.
type Func struct {
	Name       string
	Class      string // that it is a method of, "" for none
	Params     []Param
	Body       []*Stmt
	Decorators []*Expr // and annotations
	Result     string  // its declared type
	Static     bool
	Generator  bool
	Private    bool // or protected
	Node       syntax.Node
	File       *File
	Outer      *Func // the function that it stands in
}

// Param is a parameter.
type Param struct {
	Name       string
	Type       string
	Pattern    *Expr // what it is taken apart into, nil for a plain one
	Default    *Expr
	Rest       bool
	Shared     bool // with the caller's variable: what is assigned to it is assigned there
	Decorators []*Expr
	Node       syntax.Node
}

// Class is what a file says of a class.
type Class struct {
	Name       string
	Bases      []string
	Fields     map[string]string // declared types
	Order      []string          // the names of Go's fields, as they are declared
	Decorators []*Expr
}

// File is one file.
type File struct {
	Path     string
	Language string
	Imports  map[string]string // full names by the names that they have here
	Package  string
	Classes  map[string]*Class
	Funcs    []*Func // outer before inner; the first is the top level
}
