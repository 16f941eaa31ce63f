/** The root's own document, and what of it could be checked. */
import type { Findings } from "../../documents";
import { Copy, count, Empty, href, Markdown, plural, Visible } from "../../kit";

/** The document as Markdown, then the sentences that the codebase contradicts. */
export function Analysis(p: { doc: Findings }) {
  const { analysis, verification: v } = p.doc;
  const [supported, contradicted] = [v?.claims.supported ?? 0, v?.claims.contradicted ?? 0];
  const checked = supported + contradicted;
  if (analysis === "") return <Empty title="The root wrote no document." />;
  return (
    <div class="analysis">
      <div class="codebase-bar">
        <p class="muted">
          {checked > 0
            ? `${plural(checked, "claim")} checked against the code: ${count(supported)} supported, ${count(contradicted)} contradicted.`
            : "In the words of the root."}
        </p>
        <Copy text={analysis} label="Copy as Markdown" />
      </div>
      {v && v.contradicted.length > 0 ? (
        <section class="problem" aria-label="Contradicted sentences">
          <p class="problem-message">The codebase contradicts {plural(v.contradicted.length, "sentence")}:</p>
          <ul>
            {v.contradicted.map((c, i) => (
              <li key={i}>
                “<Visible text={c.sentence} />” <Visible text={c.why} />{" "}
                {c.proof ? (
                  <a class="mono" href={href("code/file/" + c.proof.file, { line: c.proof.line })}>
                    <Visible text={`${c.proof.file}:${c.proof.line}`} />
                  </a>
                ) : null}
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      <Markdown text={analysis} />
    </div>
  );
}
