import assert from "node:assert/strict";
import { test } from "node:test";
import { segments } from "../kit/code";
import { csv } from "../kit/csv";
import { highlight, type Span } from "../kit/highlight";
import { lex, safeLink } from "../kit/markdown";
import { languageOfPath } from "../kit/languages";
import { pieces } from "../kit/visible";
import { busy } from "./busy";

function tinted(text: string, language: string): string[] {
  const lines = text.split("\n");
  return highlight(text, language).flatMap((spans: Span[], i) => spans.map((s) => s.tint + " " + lines[i]!.slice(s.from, s.to)));
}

test("code is coloured by comments, strings, keywords and numbers", () => {
  assert.deepEqual(tinted('def f(x): # it\'s\n  return "a\\"b" + 1.5e3', "python"), [
    "keyword def", "comment # it's", "keyword return", 'string "a\\"b"', "number 1.5e3",
  ]);
  assert.deepEqual(tinted('"""one\ntwo"""\nx = 0xff', "python"), ['string """one', 'string two"""', "number 0xff"]);
  assert.deepEqual(tinted("/* a\n\nb */ if (x) `t\nu`", "typescript"), [
    "comment /* a", "comment b */", "keyword if", "string `t", "string u`",
  ]);
  assert.deepEqual(tinted('s := "open\nfor', "go"), ['string "open', "keyword for"], "a string that nobody closed ends with its line");
  assert.deepEqual(tinted("echo $# # n", "shell"), ["comment # n"]);
  assert.deepEqual(tinted("fn f<'a>(x: &'a str)", "rust"), ["keyword fn", "keyword str"], "a lifetime is no string");
  assert.deepEqual(tinted("SELECT 1 -- one", "sql"), ["keyword SELECT", "number 1", "comment -- one"]);
  assert.deepEqual(tinted("anything 1", "no such language"), []);
});

test("every line of a text has its list of spans, within the line", () => {
  for (const text of ["", "\n", "a\n\n", "/*\n\n\n", '"\n"', "`\n\n`\n", "x\r\n/* \r\n */"]) {
    const lines = text.split("\n");
    const spans = highlight(text, "javascript");
    assert.equal(spans.length, lines.length, JSON.stringify(text));
    spans.forEach((of, i) => of.forEach((s) => assert(s.from < s.to && s.to <= lines[i]!.length, JSON.stringify([text, i, s]))));
  }
});

test("colouring is linear on hostile text", () => {
  const long = 1_000_000;
  for (const text of [
    "/*".repeat(long / 2), '"\\'.repeat(long / 2), "'\n".repeat(long / 2), "a".repeat(long), "1_".repeat(long / 2), "`".repeat(long),
    "\n".repeat(long), '"""'.repeat(long / 3), "<!".repeat(long / 2), "e1".repeat(long / 2), "/".repeat(long),
  ]) {
    for (const language of ["javascript", "python", "html", "shell"]) {
      const took = busy(() => highlight(text, language));
      assert(took < 3000, `${took} ms for ${language}, ${JSON.stringify(text.slice(0, 4))}`);
    }
  }
});

test("a line's colours and changes are cut into pieces that make up the line", () => {
  const cut = segments(10, [{ from: 1, to: 4, tint: "string" }, { from: 6, to: 9, tint: "number" }], [[3, 7]]);
  assert.deepEqual(
    cut.map((s) => [s.from, s.to, s.tint, s.changed]),
    [
      [0, 1, undefined, false],
      [1, 3, "string", false],
      [3, 4, "string", true],
      [4, 6, undefined, true],
      [6, 7, "number", true],
      [7, 9, "number", false],
      [9, 10, undefined, false],
    ],
  );
  assert.deepEqual(segments(0, [], []), []);
  assert.deepEqual(
    segments(2, [{ from: 0, to: 9, tint: "string" }], []).map((s) => [s.from, s.to]),
    [[0, 2]], "a line that was cut cuts its colours",
  );
});

test("hiding characters are named", () => {
  assert.deepEqual(pieces("a\u202eb\u0000"), [
    { text: "a" },
    { text: "\u202e", hidden: "U+202E" },
    { text: "b" },
    { text: "\u0000", hidden: "U+0000" },
  ]);
  assert.deepEqual(pieces("plain\ttext\nand é 漢 🙂"), [{ text: "plain\ttext\nand é 漢 🙂" }]);
  for (const ch of ["\u200b", "\u2066", "\u2028", "\ufeff", "\u001b", "\u00ad", "\u{e0041}"])
    assert(pieces("x" + ch)[1]?.hidden, ch.codePointAt(0)!.toString(16));
});

test("CSV quotes what must be quoted and disarms formulas", () => {
  assert.equal(
    csv(
      ["a", "b"],
      [
        ["x,y", 'say "hi"'],
        ["two\nlines", null],
        [-1.5, 0],
      ],
    ),
    'a,b\r\n"x,y","say ""hi"""\r\n"two\nlines",\r\n-1.5,0\r\n',
  );
  for (const text of ["=1+1", "+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", " =1"]) {
    const cell = csv([], [[text]]).split("\r\n").slice(1).join("\r\n");
    assert.match(cell, /^"?'/, JSON.stringify(text));
  }
  assert.equal(csv([], [["a=b", "x-y", "1-2"]]), "\r\na=b,x-y,1-2\r\n", "what no spreadsheet runs is left as it is");
});

test("links lead to the web or nowhere", () => {
  assert.equal(safeLink("https://example.org/a?b#c"), "https://example.org/a?b#c");
  for (const target of [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x",
    "file:///etc/passwd", "blob:https://example.org/1", "//example.org", "/etc", "#x", "", "\u0001javascript:alert(1)",
  ]) {
    assert.equal(safeLink(target), null, JSON.stringify(target));
  }
});

test("Markdown is taken apart in bounded time, or shown as it is", () => {
  assert.deepEqual(lex("# A\n\n*b*")!.map((t) => t.type), ["heading", "space", "paragraph"]);
  const hostile = [
    ">".repeat(100_000), "- ".repeat(50_000), "[".repeat(100_000), "![".repeat(50_000), "*a_".repeat(30_000),
    "*a_".repeat(900) + "\n\n" + "*a_".repeat(90_000), ("*a_".repeat(1000) + "\n\n").repeat(90),
    ("> " + "*a_".repeat(10) + "\n").repeat(3000), "`".repeat(100_000), "<a ".repeat(30_000),
    "|a".repeat(50_000) + "\n" + "|-".repeat(50_000), "a\n".repeat(100_000), "[a](".repeat(30_000), "\\".repeat(200_000),
    "1. ".repeat(30_000), "&lt;".repeat(50_000), "http://".repeat(30_000), "_a ".repeat(40_000), "x".repeat(299_000),
    " ".repeat(250_000) + "x", "~~~a\n".repeat(40_000), "* ".repeat(9) + "\n".repeat(200_000),
  ];
  for (const text of hostile) {
    const took = busy(() => lex(text));
    assert(took < 3000, `${Math.round(took)} ms for ${JSON.stringify(text.slice(0, 12))}`);
  }
});

test("a file has the language of its extension, and other names have none", () => {
  const wanted = { "a/b.PY": "python", "x.d.ts": "typescript", "main.c++": "cpp", Makefile: "", "a.py/b": "", "x.constructor": "", "": "" };
  for (const [path, language] of Object.entries(wanted)) assert.equal(languageOfPath(path), language, path);
  assert.deepEqual(tinted("x = 1 # no", "py"), tinted("x = 1 # no", "python"));
  assert.deepEqual(tinted("func f() {}", "golang"), ["keyword func"]);
});
