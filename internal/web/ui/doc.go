// Package ui serves the web page over HTTP: the bundle of package page, the documents of package view, and word of what
// has changed, as server-sent events.
//
//	GET /                          the page; its own places are in the hash: #/run/ID/turns/12
//	GET /app.js, /app.css          the bundle
//	GET /api/runs                  {"runs": [...], "truncated": false}: the runs in and below the directories
//	GET /api/runs/ID               a run's header
//	GET /api/runs/ID/RESOURCE      a document of it, as "turn/12" or "file/cmd/main.go"
//	GET /api/runs/ID/eval/compare/ID, /api/runs/ID/training/compare/ID,ID   what the compare commands print of them
//	GET /api/runs/ID/history       what became of the codebase of a review over all its reviews
//	GET /api/fleet                 what a fleet does now, where one was named
//	GET /api/live, /api/runs/ID/live   {"version": "..."} at once, and whenever something has changed
//
// Everything below /t/TOKEN/ is the same, for programs that send no headers. An error is {"status", "message", "hint"}.
//
// Invariants: nothing is written but the index of reviews in the cache, and no method but GET and HEAD answered; a client
// knows the token, names this server by its address and is not another web page (package access); an ID names a directory
// that a look for runs has found, so no request names a path; an answer's content security policy lets a browser run the
// bundle and nothing else; the number, duration and size of documents in the making and the number of listeners are
// bounded. A document that cannot be made, whatever lies in the run's directory, is an error in its answer, and the server
// continues.
//
// It is not the documents (view) nor the page (page), and it knows nothing of what is in either. Only documents over
// several runs, which no run's directory could answer, are made here.
package ui
