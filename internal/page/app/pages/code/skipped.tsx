/** What was not part of the review, why, and who left it out. */
import type { SkippedFile } from "../../documents";
import { Badge, count, Empty, plural, Visible } from "../../kit";
import { groupSkipped } from "./reasons";

/** Paths listed for one reason. */
const listed = 500;

/** Skipped files by reason and by who left them out, most first. */
export function Skipped(p: { skipped: readonly SkippedFile[] }) {
  if (p.skipped.length === 0) return <Empty title="No file was skipped." />;
  const groups = groupSkipped(p.skipped);
  return (
    <div class="skipped">
      {groups.map((g) => (
        <details key={g.reason + "\n" + g.by} open={groups.length === 1 || g.files.length <= 12}>
          <summary>
            <Visible text={g.reason} /> <span class="muted">{count(g.files.length)}</span>{" "}
            {g.by ? <Badge>{g.by}</Badge> : null}{" "}
            {g.source > 0 ? <Badge tone="warn">{g.source === g.files.length ? "" : count(g.source) + " "}source code</Badge> : null}
          </summary>
          <ul>
            {g.files.slice(0, listed).map((f, i) => (
              <li key={i} class="mono">
                <Visible text={f.path + (f.note ? " — " + f.note : "")} />{" "}
                {f.source ? <Badge tone="warn">source</Badge> : null}
              </li>
            ))}
            {g.files.length > listed ? <li class="muted">and {plural(g.files.length - listed, "more file")}, in report.json</li> : null}
          </ul>
        </details>
      ))}
    </div>
  );
}
