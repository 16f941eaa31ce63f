/** All files of a review: the map, the list, and what was left out. */
import { useMemo } from "preact/hooks";
import { ProblemBox, useDoc, type FileRow, type Files } from "../../documents";
import { count, Empty, go, Loading, percent, plural, setQuery, Tabs, useRoute, Visible } from "../../kit";
import { FileList } from "./list";
import { TreeMap } from "./map";
import { firstShade, type Shade } from "./scale";
import { Skipped } from "./skipped";
import { buildTree, find, unanswered, type Node } from "./tree";

/** The codebase. The query says: dir, shade, tab, and the list's filter (see FileList). */
export function Codebase() {
  const { doc, error, loading } = useDoc<Files>("files");
  const { query } = useRoute();
  const tree = useMemo(() => buildTree(doc?.files ?? []), [doc]);
  const text = (query.q ?? "").toLowerCase();
  const only = query.only ?? "";
  const keep = useMemo(() => filter(doc?.files ?? [], text, only), [doc, text, only]);
  const kept = useMemo(() => (keep === null ? undefined : (path: string) => keep.has(path)), [keep]);
  const dir = find(tree, query["dir"] ?? "");
  const inDir = useMemo(() => (doc?.files ?? []).filter((f) => dir.path === "" || f.path.startsWith(dir.path + "/")), [doc, dir]);
  if (doc === undefined)
    return error ? <ProblemBox problem={error} /> : loading ? <Loading /> : <Empty title="There is nothing to show." />;
  const usual = firstShade(tree);
  const shade: Shade = query.shade === "findings" || query.shade === "coverage" ? query.shade : usual;
  const unknown = query["dir"] !== undefined && query["dir"] !== "" && dir.path !== query["dir"] ? query["dir"] : undefined;
  const zoom = (path: string) => setQuery({ dir: path });
  const up = dir.path === "" ? undefined : () => zoom(dir.path.includes("/") ? dir.path.slice(0, dir.path.lastIndexOf("/")) : "");
  const tab = query.tab === "skipped" ? "skipped" : "files";
  return (
    <div class="codebase">
      {error ? <ProblemBox problem={error} /> : null}
      {unknown === undefined ? null : <ProblemBox problem={{ status: 404, message: `There is no directory ${unknown} in this review.` }} />}
      <section class="codebase-map" aria-label="Map">
        <div class="codebase-bar">
          <Crumbs dir={dir} onZoom={zoom} />
          {doc.partial ? null : (
            <label class="choice">
              Colour{" "}
              <select value={shade} onChange={(e) => setQuery({ shade: e.currentTarget.value === usual ? "" : e.currentTarget.value })}>
                <option value="coverage">by coverage</option>
                <option value="findings">by findings</option>
              </select>
            </label>
          )}
        </div>
        {doc.partial ? null : dir.files === 0 ? (
          <Empty title="No files were reviewed." />
        ) : (
          <TreeMap
            dir={dir} shade={shade} {...(kept ? { keep: kept } : {})} onFile={(path) => go("code/file/" + path)} onDirectory={zoom}
            {...(up ? { onUp: up } : {})}
          />
        )}
        {doc.partial ? (
          <p class="muted codebase-sum">
            {percent(doc.lines_total === 0 ? 1 : doc.lines_judged / doc.lines_total, 1)} of {plural(doc.lines_total, "line")} were
            reviewed. {sentence(doc.partial)}
          </p>
        ) : null}
      </section>
      <section class="codebase-list" aria-label="Files">
        <Tabs
          name="Files"
          selected={tab}
          onSelect={(key) => setQuery({ tab: key === "skipped" ? key : "" })}
          tabs={[
            { key: "files", title: <>Files <span class="muted">{count(doc.files.length)}</span></> },
            { key: "skipped", title: <>Skipped <span class="muted">{count(doc.skipped.length)}</span></> },
          ]}
        />
        {tab === "files" ? <FileList files={inDir} keep={keep} lines={!doc.partial} /> : <Skipped skipped={doc.skipped} />}
      </section>
    </div>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The paths that a filter keeps; null when there is none. */
function filter(files: readonly FileRow[], text: string, only: string): Set<string> | null {
  if (text === "" && only === "") return null;
  const kept = files.filter(
    (f) =>
      (f.path.toLowerCase().includes(text) || f.language.includes(text)) &&
      (only !== "findings" || f.findings > 0) &&
      (only !== "holes" || f.judged < f.lines) &&
      (only !== "unanswered" || unanswered(f) > 0),
  );
  return new Set(kept.map((f) => f.path));
}

function Crumbs(p: { dir: Node; onZoom: (path: string) => void }) {
  const names = p.dir.path === "" ? [] : p.dir.path.split("/");
  return (
    <nav class="dir-crumbs" aria-label="Directory">
      {["", ...names].map((name, i) => {
        const path = names.slice(0, i).join("/");
        const title = i === 0 ? "All files" : <Visible text={name} />;
        return (
          <span key={path}>
            {i > 0 ? <span class="muted"> / </span> : null}
            {i === names.length ? (
              <b aria-current="true">{title}</b>
            ) : (
              <button type="button" class="plain-link" onClick={() => p.onZoom(path)}>
                {title}
              </button>
            )}
          </span>
        );
      })}
    </nav>
  );
}
