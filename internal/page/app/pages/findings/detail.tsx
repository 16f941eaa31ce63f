/** One finding: its code beside what is wrong with it, what to do, and where the claim comes from. */
import { useMemo } from "preact/hooks";
import { useDoc, type Files, type Finding, type Findings } from "../../documents";
import { Badge, Code, Copy, Empty, Fact, href, Markdown, percent, Severity, Visible } from "../../kit";
import { aside, decided, inChange } from "./aside";
import { decidable, Decide, type Deciding } from "./decide";
import { whyFirst } from "./groups";
import { Place } from "./place";
import { Places, Way } from "./places";
import { Second } from "./second";

/** Dispatches that are listed. */
const listed = 20;

/** A finding in full. */
export function Detail(p: { finding: Finding; doc: Findings; issue: () => string; deciding: Deciding | null; onBack: () => void }) {
  const { finding: f, doc } = p;
  const snippet = Object.hasOwn(doc.snippets, f.id) ? doc.snippets[f.id] : undefined;
  const language = useLanguage(f.file);
  const first = doc.top.find((t) => t.id === f.id || t.same?.includes(f.id));
  const dismissed = doc.dismissed.some((d) => d.id === f.id);
  return (
    <article class="detail" aria-label={f.title}>
      <div class="detail-head">
        <button type="button" class="button small detail-back" onClick={p.onBack}>Back to the list</button>
        <h2><Visible text={f.title} /></h2>
        <p class="detail-facts">
          <Severity s={f.severity} /> <Badge>{f.category}</Badge> {f.cwe ? <Cwe cwe={f.cwe} /> : null} <Place finding={f} />{" "}
          {f.status ? <Badge tone={f.status === "new" ? "warn" : "plain"}>{inChange[f.status] ?? f.status}</Badge> : null}
        </p>
        <div class="buttons">
          <Copy text={p.issue} label="Copy as issue" />
          <a class="button small" href={href("code/file/" + f.file, f.line > 0 ? { line: f.line } : {})}>Open the file</a>
        </div>
      </div>
      <div class="detail-body">
        <div class="detail-code">
          {snippet ? (
            <Code
              text={snippet.text} from={snippet.from} language={language}
              marks={f.line > 0 ? [{ from: f.line, to: Math.max(f.line, f.end_line), severity: f.severity, id: f.id }] : []}
              name={`${f.file}, from line ${snippet.from}`}
            />
          ) : f.evidence ? (
            <>
              <p class="muted">{f.grounded ? "As it stood when it was reviewed:" : "As the claim quotes it:"}</p>
              <Code text={f.evidence} from={Math.max(1, f.line)} language={language} name="The quoted code" />
            </>
          ) : (
            <Empty title="The claim quotes no code." />
          )}
        </div>
        <div class="detail-words">
          {first ? (
            <section class="detail-part"><h3>Why it is among the first</h3><p><Visible text={whyFirst(first)} /></p></section>
          ) : null}
          {f.why || f.by ? (
            <section class="detail-part">
              <h3><Visible text={aside(f, dismissed)} /></h3>
              {f.why ? <p><Visible text={f.why} /></p> : <p class="muted">No reason is given.</p>}
            </section>
          ) : null}
          {f.triage ? (
            <section class="detail-part">
              <h3>Decided</h3>
              <p><Visible text={decided(f.triage)} /></p>
              {f.triage.reason && f.triage.reason !== f.why ? <p><Visible text={f.triage.reason} /></p> : null}
            </section>
          ) : null}
          {f.proof ? (
            <section class="detail-part">
              <h3>The proof</h3>
              <p>
                <a class="mono" href={href("code/file/" + f.proof.file, { line: f.proof.line })}>
                  <Visible text={`${f.proof.file}:${f.proof.line}`} />
                </a>
              </p>
              <Code text={f.proof.quote} from={Math.max(1, f.proof.line)} language={language} name="The proof" />
            </section>
          ) : null}
          {f.explanation ? <section class="detail-part"><h3>What is wrong</h3><Markdown text={f.explanation} /></section> : null}
          {f.suggestion ? <section class="detail-part"><h3>Suggestion</h3><Markdown text={f.suggestion} /></section> : null}
          {p.deciding && decidable(f, doc.findings.includes(f)) ? <Decide finding={f} deciding={p.deciding} /> : null}
          <Way finding={f} />
          <Places finding={f} />
          <Second finding={f} />
          <section class="detail-part">
            <h3>Where it comes from</h3>
            <dl class="facts">
              <Fact name="confidence">{Number.isFinite(f.confidence) ? percent(f.confidence) : "?"}</Fact>
              {f.rule ? (
                <Fact name="rule"><code><Visible text={f.rule} /></code></Fact>
              ) : f.reader ? (
                <Fact name="found by">{f.reader === "rules" ? "a static rule" : "a language model"}</Fact>
              ) : null}
              {f.introduced ? (
                <Fact name="introduced">
                  <code><Visible text={f.introduced.commit.slice(0, 12)} /></code> <Visible text={f.introduced.date.slice(0, 10)} />
                </Fact>
              ) : null}
              <Fact name="grounded">{f.grounded ? "yes: the quote stands at this line" : "no"}</Fact>
              {f.id.includes("-") ? null : <Fact name="id"><code>{f.id}</code></Fact>}
            </dl>
            <Sources finding={f} doc={doc} />
          </section>
        </div>
      </div>
    </article>
  );
}

/** The dispatches that made the claim, and the one that checked it. */
function Sources(p: { finding: Finding; doc: Findings }) {
  const keys = [
    ...p.finding.sources.map((key) => ({ key, what: "claimed by" })),
    ...(p.finding.verification?.source ? [{ key: p.finding.verification.source, what: "checked by" }] : []),
  ];
  if (keys.length === 0) return null;
  return (
    <ul class="sources">
      {keys.slice(0, listed).map(({ key, what }, i) => {
        const place = Object.hasOwn(p.doc.dispatches, key) ? p.doc.dispatches[key] : undefined;
        return (
          <li key={i}>
            <span class="muted">{what}</span>{" "}
            {place ? (
              <a href={href(`turns/e${place.turn}/dispatch/${place.seq}`)}>
                dispatch <code><Visible text={key} /></code>
              </a>
            ) : (
              <code><Visible text={key} /></code>
            )}
          </li>
        );
      })}
      {keys.length > listed ? <li class="muted">and {keys.length - listed} more</li> : null}
    </ul>
  );
}

/** A weakness's number, as a link to its description. */
function Cwe(p: { cwe: string }) {
  const number = /^CWE-(\d{1,5})$/.exec(p.cwe)?.[1];
  if (number === undefined) return <Badge>{p.cwe}</Badge>;
  return <a href={`https://cwe.mitre.org/data/definitions/${number}.html`} target="_blank" rel="noreferrer noopener">{p.cwe}</a>;
}

/** The language of a file, as the codebase has it. */
function useLanguage(path: string): string {
  const { doc } = useDoc<Files>("files");
  return useMemo(() => doc?.files.find((f) => f.path === path)?.language ?? "", [doc, path]);
}
