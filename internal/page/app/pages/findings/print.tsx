/** All findings on paper: the page shows one at a time, a print has each with its code and what to do. */
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Finding, Findings } from "../../documents";
import { Code, count, languageOfPath, Markdown, plural, Severity, Visible } from "../../kit";
import { placeOf } from "./place";

/** Findings that are printed: more would be a book. */
const most = 1000;

/** A place that is empty until the page is printed. */
export function Printed(p: { doc: Findings }) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(p.doc);
  latest.current = p.doc;
  useLayoutEffect(() => { // before the page is seen: it may be printed at first sight
    // Drawn at once: the browser takes its picture when this returns.
    const draw = () => box.current && render(<All doc={latest.current} />, box.current);
    const clear = () => box.current && render(null, box.current);
    addEventListener("beforeprint", draw);
    addEventListener("afterprint", clear);
    return () => {
      removeEventListener("beforeprint", draw);
      removeEventListener("afterprint", clear);
    };
  }, []);
  return <div class="printed" ref={box} />;
}

function All(p: { doc: Findings }) {
  const { findings, snippets } = p.doc;
  return (
    <>
      {findings.slice(0, most).map((f) => (
        <One key={f.id} finding={f} snippet={Object.hasOwn(snippets, f.id) ? snippets[f.id] : undefined} />
      ))}
      {findings.length > most ? <p>The first {count(most)} of {plural(findings.length, "finding")}.</p> : null}
    </>
  );
}

function One(p: { finding: Finding; snippet: Findings["snippets"][string] | undefined }) {
  const { finding: f, snippet } = p;
  const language = languageOfPath(f.file);
  return (
    <article>
      <h2><Severity s={f.severity} /> <Visible text={f.title} /></h2>
      <p class="mono"><Visible text={placeOf(f)} /> <span class="muted">{f.category}{f.cwe ? `, ${f.cwe}` : ""}</span></p>
      {snippet ? (
        <Code
          text={snippet.text} from={snippet.from} language={language}
          marks={f.line > 0 ? [{ from: f.line, to: Math.max(f.line, f.end_line), severity: f.severity, id: f.id }] : []}
        />
      ) : f.evidence ? (
        <Code text={f.evidence} from={Math.max(1, f.line)} language={language} />
      ) : null}
      {f.explanation ? <Markdown text={f.explanation} /> : null}
      {f.suggestion ? <><h3>What to do</h3><Markdown text={f.suggestion} /></> : null}
    </article>
  );
}
