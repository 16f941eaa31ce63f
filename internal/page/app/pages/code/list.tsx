/** The files as a table. */
import { useMemo, useRef } from "preact/hooks";
import type { FileRow } from "../../documents";
import { go, href, percent, setQuery, Severity, Table, useKeys, useRoute, Visible, type Column } from "../../kit";
import { severityRank, share } from "./tree";

/** A bar for a share, with its number: covered to the left. */
export function CoverageBar(p: { lines: number; dispatched: number }) {
  const part = share(p);
  return (
    <span class="coverage">
      <svg class="coverage-bar" width="64" height="8" aria-hidden="true">
        <rect class="bar-ground" width="64" height="8" rx="2" />
        <rect class="bar-fill" width={Math.round(part * 64)} height="8" rx="2" />
      </svg>
      <span class="coverage-number">{percent(part)}</span>
    </span>
  );
}

/** The files in a directory. The query says: q, a text; only, "findings" or "holes". */
export function FileList(p: { files: readonly FileRow[]; keep: ReadonlySet<string> | null; lines: boolean }) {
  const { query } = useRoute();
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() }, "Files");
  const shown = useMemo(() => (p.keep === null ? p.files : p.files.filter((f) => p.keep?.has(f.path))), [p.files, p.keep]);
  const columns: Column<FileRow>[] = [
    { key: "path", title: "File", value: (f) => f.path, render: (f) => <a href={href("code/file/" + f.path)} onClick={(e) => e.stopPropagation()}><Visible text={f.path} /></a> },
    { key: "findings", title: "Findings", value: (f) => f.findings, render: (f) => (f.findings > 0 ? <>{f.worst ? <Severity s={f.worst} /> : null} {f.findings}</> : <span class="muted">0</span>), align: "right" },
    { key: "worst", title: "Worst", value: (f) => severityRank(f.worst), render: (f) => f.worst },
    { key: "coverage", title: "Seen", value: (f) => share(f), render: (f) => <CoverageBar {...f} />, align: "right" },
    { key: "lines", title: "Lines", value: (f) => f.lines },
    { key: "language", title: "Language", value: (f) => f.language },
  ];
  const listed = columns.filter((c) => c.key !== "worst" && (p.lines || c.key === "path" || c.key === "findings"));
  return (
    <>
      <div class="toolbar" role="search">
        <input ref={field} type="search" class="field" placeholder="Filter files by path or language" aria-label="Filter files by path or language" value={query.q ?? ""} onInput={(e) => setQuery({ q: e.currentTarget.value })} />
        <label class="choice">
          Show{" "}
          <select value={query.only ?? ""} onChange={(e) => setQuery({ only: e.currentTarget.value })}>
            <option value="">all files</option>
            <option value="findings">with findings</option>
            <option value="holes">not seen in full</option>
          </select>
        </label>
      </div>
      <Table name="Files" rows={shown} columns={listed} onOpen={(f) => go("code/file/" + f.path)} />
    </>
  );
}
