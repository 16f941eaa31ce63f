/** The files as a table. */
import { useMemo, useRef } from "preact/hooks";
import type { FileRow } from "../../documents";
import { Empty, go, href, percent, plural, setQuery, Severity, Table, useKeys, useRoute, Visible, type Column } from "../../kit";
import { share, unanswered, unjudged } from "./tree";

/** A bar for a share, with its number: reviewed to the left, then what was sent and not answered. */
export function CoverageBar(p: { lines: number; dispatched: number; answered: number; judged: number }) {
  const part = share(p);
  const [open, blind] = [unanswered(p), unjudged(p)];
  const width = Math.round(part * 64);
  return (
    <span class="seen">
      <svg class="seen-bar" width="64" height="8" aria-hidden="true">
        <rect class="seen-ground" width="64" height="8" rx="2" />
        <rect class="seen-fill" width={width} height="8" rx="2" />
        {open > 0 ? <rect class="seen-unanswered" x={width} width={Math.max(2, (open / p.lines) * 64)} height="8" /> : null}
      </svg>
      <span class="seen-number">{percent(part)}</span>
      {open > 0 ? <span class="off-screen">, {plural(open, "line")} sent, not answered</span> : null}
      {blind > 0 ? <span class="off-screen">, {plural(blind, "line")} read, not judged</span> : null}
    </span>
  );
}

const columns: readonly Column<FileRow>[] = [
  {
    key: "path", title: "File", value: (f) => f.path,
    render: (f) => (
      <a class="row-path" href={href("code/file/" + f.path)} onClick={(e) => e.stopPropagation()}>
        {f.path.split("/").map((part, i) => <>{i > 0 ? <>/<wbr /></> : null}<Visible text={part} /></>)}
      </a>
    ),
  },
  {
    key: "findings", title: "Findings", value: (f) => f.findings,
    render: (f) => (f.findings > 0 ? <>{f.worst ? <Severity s={f.worst} /> : null} {f.findings}</> : <span class="muted">0</span>),
  },
  { key: "seen", title: "Reviewed", value: (f) => share(f), render: (f) => <CoverageBar {...f} />, align: "right" },
  { key: "lines", title: "Lines", value: (f) => f.lines },
  { key: "language", title: "Language", value: (f) => f.language },
];
const named = columns.slice(0, 2);

/**
 * The files in a directory; of old runs `lines` are not known. The query says: q, a text; only, "findings", "holes" or
 * "unanswered".
 */
export function FileList(p: { files: readonly FileRow[]; keep: ReadonlySet<string> | null; lines: boolean }) {
  const { query } = useRoute();
  const field = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => field.current?.focus() }, "Filter the files");
  const { keep } = p;
  const filter = useMemo(() => (keep === null ? () => true : (f: FileRow) => keep.has(f.path)), [keep]);
  return (
    <Table
      name="Files"
      rows={p.files}
      columns={p.lines ? columns : named}
      filter={filter}
      onOpen={(f) => go("code/file/" + f.path)}
      empty={
        <Empty title="No file passes the filter.">
          <button type="button" class="button" onClick={() => setQuery({ q: "", only: "" })}>
            Show all
          </button>
        </Empty>
      }
      tools={
        <div class="filters" role="search" aria-label="Filter the files">
          <input
            ref={field} type="search" placeholder="Path or language" aria-label="Filter files by path or language" value={query["q"] ?? ""}
            onInput={(e) => setQuery({ q: e.currentTarget.value })}
          />
          <select aria-label="Which files" value={query["only"] ?? ""} onChange={(e) => setQuery({ only: e.currentTarget.value })}>
            <option value="">all files</option>
            <option value="findings">with findings</option>
            <option value="holes">not reviewed in full</option>
            <option value="unanswered">with lines not answered</option>
          </select>
        </div>
      }
    />
  );
}
