/** What was not part of the review, and why. */
import type { SkippedFile } from "../../documents";
import { count, Empty, plural, Visible } from "../../kit";

/** Paths listed for one reason. */
const listed = 500;

/** Skipped files by reason, most first. */
export function Skipped(p: { skipped: readonly SkippedFile[] }) {
  if (p.skipped.length === 0) return <Empty title="No file was skipped." />;
  const groups = new Map<string, string[]>();
  for (const s of p.skipped) {
    // "too large: 3 MiB, the limit is 1 MiB" is one of the files that are too large.
    const reason = s.why.split(":")[0] ?? s.why;
    const note = s.why.length > reason.length ? " " + s.why.slice(reason.length + 1).trim() : "";
    const paths = groups.get(reason);
    const path = s.path + (note ? " —" + note : "");
    if (paths === undefined) groups.set(reason, [path]);
    else paths.push(path);
  }
  const sorted = [...groups].sort((a, b) => b[1].length - a[1].length);
  return (
    <div class="skipped">
      {sorted.map(([reason, paths]) => (
        <details key={reason} open={sorted.length === 1 || paths.length <= 12}>
          <summary>
            <Visible text={reason} /> <span class="muted">{count(paths.length)}</span>
          </summary>
          <ul>
            {paths.slice(0, listed).map((path, i) => (
              <li key={i} class="mono">
                <Visible text={path} />
              </li>
            ))}
            {paths.length > listed ? <li class="muted">and {plural(paths.length - listed, "more file")}, in report.json</li> : null}
          </ul>
        </details>
      ))}
    </div>
  );
}
