/** Names that the program and the page both know. */

/** Languages of files, by their extension in lower case. */
export const extensions: { readonly [extension: string]: string } = {
  adoc: "asciidoc", asm: "assembly", astro: "astro", bash: "shell", bat: "batch", bats: "shell", c: "c", "c++": "cpp", cc: "cpp",
  cfg: "ini", cjs: "javascript", clj: "clojure", cljc: "clojure", cljs: "clojure", cmake: "cmake", cmd: "batch", coffee: "coffeescript",
  conf: "ini", cpp: "cpp", cs: "csharp", csproj: "xml", css: "css", csv: "csv", csx: "csharp", cts: "typescript", cu: "cpp", cuh: "cpp",
  cxx: "cpp", d: "d", dart: "dart", dockerfile: "dockerfile", ejs: "ejs", el: "elisp", env: "ini", erb: "erb", erl: "erlang", ex: "elixir",
  exs: "elixir", fish: "shell", fs: "fsharp", fsx: "fsharp", gemspec: "ruby", go: "go", gotmpl: "template", gql: "graphql",
  gradle: "groovy", graphql: "graphql", groovy: "groovy", h: "c", hbs: "handlebars", hcl: "hcl", hh: "cpp", hpp: "cpp", hrl: "erlang",
  hs: "haskell", htm: "html", html: "html", hxx: "cpp", inc: "php", ini: "ini", inl: "cpp", ipp: "cpp", ipynb: "json", j2: "jinja",
  java: "java", jinja: "jinja", jinja2: "jinja", jl: "julia", js: "javascript", json: "json", json5: "json", jsonc: "json", jsonl: "json",
  jsx: "javascript", ksh: "shell", kt: "kotlin", kts: "kotlin", less: "less", lua: "lua", m: "objective-c", mak: "make",
  markdown: "markdown", md: "markdown", mdx: "markdown", mjs: "javascript", mk: "make", ml: "ocaml", mli: "ocaml", mm: "objective-c",
  mts: "typescript", nim: "nim", nix: "nix", php: "php", php5: "php", phtml: "php", pl: "perl", plist: "xml", pm: "perl", properties: "ini",
  proto: "protobuf", ps1: "powershell", psm1: "powershell", pug: "pug", py: "python", pyi: "python", pyw: "python", pyx: "python", r: "r",
  rake: "ruby", rb: "ruby", rs: "rust", rst: "rst", ru: "ruby", s: "assembly", sass: "sass", sc: "scala", scala: "scala", scss: "scss",
  sh: "shell", sol: "solidity", sql: "sql", svelte: "svelte", svg: "xml", swift: "swift", tex: "tex", tf: "hcl", tfvars: "hcl",
  thrift: "thrift", tmpl: "template", toml: "toml", ts: "typescript", tsv: "csv", tsx: "tsx", twig: "twig", txt: "text", vb: "vb",
  vim: "vim", vue: "vue", wat: "wat", xhtml: "html", xml: "xml", xsd: "xml", xsl: "xml", xslt: "xml", yaml: "yaml", yml: "yaml", zig: "zig",
  zsh: "shell",
};

/** Severities of findings, from the worst to the mildest. */
export const severities: readonly string[] = ["critical", "high", "medium", "low", "info"];
