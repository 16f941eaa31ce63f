/** What workers of a review at work have claimed so far: nothing of it is checked yet. */
import { useDoc, type Claims } from "../../documents";
import { Markdown, plural, Severity, Visible } from "../../kit";
import { placeOf } from "../findings/place";

/** The claims, the gravest first. */
export function Claimed() {
  const { doc } = useDoc<Claims>("claims");
  if (doc === undefined) return null;
  const all = doc.findings.length + doc.more;
  return (
    <section class="claimed" aria-label="Claimed so far">
      <h2>Claimed so far: {plural(all, "finding")}</h2>
      {all === 0 ? null : <p class="muted">Workers said so; quotes are checked and doubles joined at the end.</p>}
      {doc.findings.map((f) => (
        <details key={f.id}>
          <summary>
            <Severity s={f.severity} /> <Visible text={f.title} /> <span class="mono muted"><Visible text={placeOf(f)} /></span>
          </summary>
          <Markdown text={[f.explanation, f.suggestion].filter((t) => t !== "").join("\n\n")} />
        </details>
      ))}
      {doc.more > 0 ? <p class="muted">and {plural(doc.more, "more", "more")}</p> : null}
    </section>
  );
}
