/** The frame of one part of a turn or a dispatch. */
import type { ComponentChildren } from "preact";

/** A part with its title, what is to be said of it, and its switches; `event` is what a deep link brings into sight. */
export function Part(p: {
  title: ComponentChildren; note?: ComponentChildren; tools?: ComponentChildren; children: ComponentChildren; event?: number;
}) {
  return (
    <section class="part" data-event={p.event}>
      <header class="part-head">
        <h3>{p.title}</h3>
        {p.note ? <span class="muted part-note">{p.note}</span> : null}
        {p.tools ? <span class="part-tools">{p.tools}</span> : null}
      </header>
      {p.children}
    </section>
  );
}
