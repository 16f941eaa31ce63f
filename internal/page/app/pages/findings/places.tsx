/** The other places of a finding, and the way of a value to it. */
import type { Finding } from "../../documents";
import { href, plural, Visible } from "../../kit";
import { placeOf } from "./place";

/** Places and steps that are listed. */
const listed = 50;

/** All places of a defect that stands in several. */
export function Places(p: { finding: Finding }) {
  const places = p.finding.places ?? [];
  if (places.length < 2) return null;
  return (
    <section class="detail-part">
      <h3>All {plural(places.length, "place")}</h3>
      <ul class="sources">
        {places.slice(0, listed).map((at, i) => <li key={i}><At file={at.file} line={at.line} text={placeOf(at)} /></li>)}
        {places.length > listed ? <li class="muted">and {places.length - listed} more</li> : null}
      </ul>
    </section>
  );
}

/** The way of a value from where it enters to where it does harm. */
export function Way(p: { finding: Finding }) {
  const path = p.finding.path ?? [];
  if (path.length === 0) return null;
  return (
    <section class="detail-part">
      <h3>Way of the value</h3>
      <ol class="sources">
        {path.slice(0, listed).map((step, i) => (
          <li key={i}>
            <span class="muted">{step.kind === "source" || step.kind === "sink" ? step.kind : "step"}</span>{" "}
            <At file={step.file} line={step.line} text={`${step.file}:${step.line}`} /> <Visible text={step.text} />
          </li>
        ))}
        {path.length > listed ? <li class="muted">and {path.length - listed} more</li> : null}
      </ol>
    </section>
  );
}

function At(p: { file: string; line: number; text: string }) {
  return (
    <a class="mono" href={href("code/file/" + p.file, p.line > 0 ? { line: p.line } : {})}>
      <Visible text={p.text} />
    </a>
  );
}
