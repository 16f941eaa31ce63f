/** The small arrows that lead to a neighbour. */
import type { ComponentChildren } from "preact";
import { href, type Query } from "../../kit";

/** A link to the neighbour called `to` below the path `at`; its mere place while there is none. */
export function StepLink(p: { to: number | string | undefined; at: string; query: Query; title: string; children: ComponentChildren }) {
  if (p.to === undefined) return <span class="step step-none" aria-hidden="true">{p.children}</span>;
  return (
    <a class="step" href={href(`${p.at}/${p.to}`, p.query)} title={p.title} aria-label={p.title}>
      {p.children}
    </a>
  );
}
