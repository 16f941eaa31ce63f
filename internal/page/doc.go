// Package page is the web page: the one bundle of scripts and styles that `deeprepo ui` serves and that report.html holds.
//
// The bundle shows documents: JSON answers to resource paths such as "turn/12" or "findings". Served, it asks for them;
// in a file they lie beside it, as an Archive. It is made from the TypeScript in app/ by esbuild (go generate) and lies
// in dist/, committed, so that building the program needs no Node.
//
// Invariant: nothing that a run, a model or a repository wrote is ever part of the page as code or markup. Documents are
// JSON in data blocks that no parser of HTML can leave, and a file that WriteFile makes allows, by the hashes in its
// content security policy, this bundle and nothing else, and no request to anywhere.
//
// It is not the documents: package view makes them. It is not a server either: package web/ui is.
package page
