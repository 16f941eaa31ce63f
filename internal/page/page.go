package page

import (
	"embed"
	"io/fs"
)

//go:embed dist/app.js dist/app.css
var bundle embed.FS

// Names of what Index asks for, in Assets.
const (
	ScriptName = "app.js"
	StyleName  = "app.css"
)

// Assets holds the bundle: ScriptName and StyleName.
func Assets() fs.FS {
	assets, err := fs.Sub(bundle, "dist")
	if err != nil { // the name is constant and valid
		panic(err)
	}
	return assets
}

// icon is a treemap in miniature. It lies in the page, so that no browser asks for a file.
const icon = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E` +
	`%3Crect width='16' height='16' rx='3' fill='%232563eb'/%3E%3Cpath fill='%23fff' d='M3 3h5v10H3zM9 3h4v4H9zM9 8h4v5H9z'/%3E%3C/svg%3E">`

// head and noScript are the same in a served page and in a file.
const (
	head = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
`
	noScript = `<noscript>This page needs JavaScript: it asks for nothing outside and runs only what came with it.`
)

// Index is the page as a server gives it. All its scripts and styles are files beside it, by relative addresses, so that a
// content security policy needs to allow nothing inline.
func Index() []byte {
	return []byte(head + icon + `
<title>deeprepo</title>
<link rel="stylesheet" href="` + StyleName + `">
<script src="` + ScriptName + `" defer></script>
</head>
<body>
<div id="app"></div>
` + noScript + `</noscript>
</body>
</html>
`)
}
