/** Texts that others wrote: always escaped, hiding characters made visible. */
import type { ComponentChildren } from "preact";
import { pieces } from "./visible";

/** A text on its line, its hiding characters visible. */
export function Visible(p: { text: string }): ComponentChildren {
  const parts = pieces(p.text);
  if (parts.length === 1 && parts[0]?.hidden === undefined) return <>{p.text}</>;
  return (
    <>
      {parts.map((part) => (part.hidden === undefined ? part.text : <span class="hidden-char" title={part.hidden}>{part.hidden}</span>))}
    </>
  );
}

/** A text as it is, in lines. */
export function Raw(p: { text: string; name?: string }) {
  return (
    <pre class="raw" tabIndex={0} aria-label={p.name}>
      <Visible text={p.text} />
    </pre>
  );
}
