package page

// This makes the files that the page takes from Go's types and tables, and then, after `npm ci` in app/ (which brings the
// three libraries that the page uses and the type checker), the bundle in dist/.
//
//go:generate go run ../web/documents
//go:generate -command esbuild go tool -modfile=../../tools/go.mod esbuild --bundle --minify --target=es2022 --format=iife
//go:generate esbuild app=app/main.tsx app=app/app.css --charset=utf8 --legal-comments=eof --log-level=warning --outdir=dist
