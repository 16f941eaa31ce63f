/** One file: its code, what of it was reviewed, what was found in it. */
import { useMemo } from "preact/hooks";
import { ProblemBox, useDoc, type File } from "../../documents";
import {
  Code, Copy, count, Empty, Fact, go, href, Loading, plural, setQuery, Severity, useKeys, useRoute, Visible, type Mark,
} from "../../kit";
import { holes, step, without } from "./holes";
import { CoverageBar } from "./list";
import { Overview } from "./strip";
import { Place } from "../findings/place";

/** The file at a path. The query says: line, the line that stands out. */
export function FileView(p: { path: string }) {
  const { doc, error } = useDoc<File>("file/" + p.path);
  return (
    <div class="file">
      <FilePath path={p.path} />
      {error ? <ProblemBox problem={error} /> : null}
      {doc ? <Shown file={doc} /> : error ? null : <Loading />}
    </div>
  );
}

function Shown(p: { file: File }) {
  const { file } = p;
  const { query } = useRoute();
  const reviewed = useMemo(() => without(without(file.covered, file.unanswered), file.unjudged), [file]);
  const gaps = useMemo(() => holes(reviewed, file.lines), [reviewed, file]);
  const unseen = useMemo(() => holes(file.covered, file.lines), [file]);
  const marks = useMemo<Mark[]>(
    () =>
      file.findings
        .filter((f) => f.line > 0)
        .map((f) => ({ from: f.line, to: Math.max(f.line, f.end_line), severity: f.severity, id: f.id })),
    [file],
  );
  const asked = Number(query.line);
  const line = Number.isInteger(asked) && asked > 0 ? asked : undefined;
  const at = line ?? 0;
  const places = useMemo(() => [...new Set(marks.map((m) => m.from))].sort((a, b) => a - b), [marks]);
  const starts = useMemo(() => gaps.map(([from]) => from), [gaps]);
  const toLine = (n: number | undefined) => n !== undefined && setQuery({ line: n });
  const next = () => toLine(step(places, at, 1));
  const previous = () => toLine(step(places, at, -1));
  const hole = () => toLine(step(starts, at, 1));
  useKeys(
    {
      ...(places.length > 0 ? { n: next, p: previous } : {}),
      ...(starts.length > 0 ? { h: hole } : {}),
      ...(file.next ? { "]": () => go("code/file/" + (file.next ?? "")) } : {}),
      ...(file.previous ? { "[": () => go("code/file/" + (file.previous ?? "")) } : {}),
    },
    "File: n and p go through its findings, h to the next hole, [ and ] to the files beside it",
  );
  const [dispatched, open, blind] = [countLines(file.covered), countLines(file.unanswered), countLines(file.unjudged)];
  const known = file.lines > 0;
  return (
    <>
      <div class="file-head">
        <dl class="facts">
          {file.language ? <Fact name="language">{file.language}</Fact> : null}
          {known ? <Fact name="lines">{count(file.lines)}</Fact> : null}
          {known ? (
            <Fact name={open + blind > 0 ? "reviewed" : "seen by a worker"}>
              <CoverageBar lines={file.lines} dispatched={dispatched} answered={dispatched - open} judged={dispatched - open - blind} />
            </Fact>
          ) : null}
          {open > 0 ? <Fact name="sent, not answered">{plural(open, "line")}</Fact> : null}
          {blind > 0 ? <Fact name="read, not judged">{plural(blind, "line")}</Fact> : null}
          {known ? <Fact name="holes">{gaps.length === 0 ? "none" : count(gaps.length)}</Fact> : null}
          <Fact name="findings">{file.findings.length === 0 ? "none" : count(file.findings.length)}</Fact>
        </dl>
        <div class="buttons">
          <button type="button" class="button small" disabled={places.length === 0} onClick={previous} aria-keyshortcuts="p">
            Previous finding
          </button>
          <button type="button" class="button small" disabled={places.length === 0} onClick={next} aria-keyshortcuts="n">
            Next finding
          </button>
          <button type="button" class="button small" disabled={starts.length === 0} onClick={hole} aria-keyshortcuts="h">Next hole</button>
          <Copy text={file.path} label="Copy path" />
        </div>
      </div>
      {file.text && gaps.length > 0 ? (
        <ul class="file-legend" aria-label="What the marks beside the lines mean">
          <li><span class="file-key key-reviewed" aria-hidden="true" />reviewed</li>
          {unseen.length + blind > 0 ? (
            <li>
              <span class="file-key key-unseen" aria-hidden="true" />
              {[...(unseen.length > 0 ? ["not seen"] : []), ...(blind > 0 ? ["read, not judged"] : [])].join(" or ")}
            </li>
          ) : null}
          {open > 0 ? <li><span class="file-key key-unanswered" aria-hidden="true" />sent, not answered</li> : null}
        </ul>
      ) : null}
      <div class={"file-body" + (file.findings.length > 0 ? " with-findings" : "")}>
        <div class="file-code">
          {file.text === null ? (
            <Empty title="The text is not shown.">
              <p><Visible text={sentence(file.why ?? "it is not in this file")} /></p>
            </Empty>
          ) : file.text === "" ? (
            <Empty title="The file is empty." />
          ) : (
            <>
              <Code
                name={file.path} text={file.text} language={file.language} marks={marks} covered={reviewed} unanswered={file.unanswered}
                onLine={(n) => setQuery({ line: n === line ? undefined : n })} {...(line === undefined ? {} : { line })}
              />
              <Overview
                lines={file.lines} holes={gaps} unanswered={file.unanswered} marks={marks} onLine={toLine}
                {...(line === undefined ? {} : { line })}
              />
            </>
          )}
        </div>
        {file.findings.length > 0 ? (
          <aside class="file-findings" aria-label="Findings in this file">
            <h2>{plural(file.findings.length, "finding")}</h2>
            {file.findings.map((f) => (
              <article
                key={f.id}
                class={"file-finding" + (line !== undefined && line >= f.line && line <= Math.max(f.line, f.end_line) ? " selected" : "")}
              >
                <p class="file-finding-head">
                  <Severity s={f.severity} /> <span class="muted">{f.category}</span>
                </p>
                <h3><a href={href("findings/" + f.id)}><Visible text={f.title} /></a></h3>
                <Place finding={f} near />
                {f.explanation ? <p class="clamp"><Visible text={f.explanation} /></p> : null}
              </article>
            ))}
          </aside>
        ) : null}
      </div>
    </>
  );
}

/** The path, each directory a link to its place on the map. */
function FilePath(p: { path: string }) {
  const names = p.path.split("/");
  return (
    <h1 class="file-path mono">
      <a href={href("code")}>All files</a>
      {names.map((name, i) => (
        <span key={i}>
          <span class="muted"> / </span>
          {i === names.length - 1 ? (
            <Visible text={name} />
          ) : (
            <a href={href("code", { dir: names.slice(0, i + 1).join("/") })}>
              <Visible text={name} />
            </a>
          )}
        </span>
      ))}
    </h1>
  );
}

function countLines(ranges: readonly (readonly [number, number])[]): number {
  return ranges.reduce((sum, [a, b]) => sum + b - a + 1, 0);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith(".") ? "" : ".");
}
