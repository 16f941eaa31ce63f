/** The map of a codebase: a rectangle a file, as large as its lines, framed by its directories. */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { count, percent, plural, useWidth, Visible } from "../../kit";
import { severities } from "../../kit/tables";
import { head, layout, neighbour, type Box } from "./layout";
import { coverageSteps, findingSteps, stepOf, type Shade } from "./scale";
import { share, unanswered, unjudged, type Node } from "./tree";

const arrows: { readonly [key: string]: readonly [number, number] } = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

interface Props {
  /** The directory that fills the map. */
  dir: Node;
  shade: Shade;
  /** Files that a filter keeps; the others are drawn faint. Defaults to all. */
  keep?: (path: string) => boolean;
  onFile: (path: string) => void;
  onDirectory: (path: string) => void;
  /** One directory up; absent at the root. */
  onUp?: () => void;
}

/** The map. Arrows go from file to file, Enter opens, Backspace goes one directory up. */
export function TreeMap(p: Props) {
  const [box, width] = useWidth<HTMLDivElement>();
  const height = Math.round(Math.max(280, Math.min(width * 0.6, innerHeight - 240)));
  const boxes = useMemo(() => layout(p.dir, width, height), [p.dir, width, height]);
  const leaves = useMemo(() => boxes.filter((b) => !b.frame), [boxes]);
  const [chosen, choose] = useState<string | null>(null);
  const [over, point] = useState<string | null>(null);
  const at = leaves.find((b) => b.node.path === chosen);
  const told = boxes.find((b) => b.node.path === (over ?? chosen))?.node ?? p.dir;

  const open = (b: Box) => (b.node.row === undefined ? p.onDirectory(b.node.path) : p.onFile(b.node.path));
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = arrows[event.key];
    if (step !== undefined) {
      const next = at === undefined ? leaves[0] : neighbour(leaves, at, step[0], step[1]);
      if (next !== undefined) choose(next.node.path);
    } else if (event.key === "Enter" && at !== undefined) open(at);
    else if (event.key === "Backspace" && p.onUp !== undefined) p.onUp();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  // One listener for all rectangles: there may be thousands.
  const boxAt = (event: Event): Box | undefined => {
    const i = event.target instanceof Element ? event.target.closest("[data-i]")?.getAttribute("data-i") : undefined;
    return i == null ? undefined : boxes[Number(i)];
  };
  const drawing = useMemo(
    () => boxes.map((b, i) => draw(b, i, p.shade, p.keep !== undefined && b.node.row !== undefined && !p.keep(b.node.path))),
    [boxes, p.shade, p.keep],
  );
  const title = `Map of ${p.dir.path || "the codebase"}`;
  return (
    <div class="codemap" ref={box}>
      {width > 0 ? (
        <svg
          width={width}
          height={height}
          role="listbox"
          aria-label={`${title}: ${plural(p.dir.files, "file")}, sized by their lines. Arrows choose a file, Enter opens it.`}
          aria-activedescendant={at ? "map-" + boxes.indexOf(at) : undefined}
          tabIndex={0}
          onKeyDown={key}
          onFocus={() => at === undefined && leaves[0] !== undefined && choose(leaves[0].node.path)}
          onPointerOver={(e) => point(boxAt(e)?.node.path ?? null)}
          onPointerLeave={() => point(null)}
          onClick={(e) => {
            const b = boxAt(e);
            if (b !== undefined) open(b);
          }}
        >
          <defs>
            <pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
              <rect class="hatch-ground" width="6" height="6" />
              <line class="hatch-line" x1="0" y1="0" x2="0" y2="6" />
            </pattern>
            <pattern id="stripes" width="6" height="6" patternUnits="userSpaceOnUse">
              <rect class="hatch-ground" width="6" height="6" />
              <line class="stripes-line" x1="0" y1="3" x2="6" y2="3" />
            </pattern>
            <pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse">
              <rect class="dots-ground" width="6" height="6" />
              <circle class="dots-dot" cx="3" cy="3" r="1.4" />
            </pattern>
          </defs>
          {drawing}
          {at ? <rect class="chosen" x={at.x + 1} y={at.y + 1} width={Math.max(1, at.w - 2)} height={Math.max(1, at.h - 2)} /> : null}
        </svg>
      ) : null}
      <p class="codemap-told" aria-live="polite">
        <Told node={told} />
      </p>
      <Legend shade={p.shade} />
    </div>
  );
}

/** One file or directory. A plain function, for there are thousands; what is too small for words is one rectangle. */
function draw(b: Box, i: number, shade: Shade, faint: boolean): VNode {
  const { node } = b;
  const letters = Math.floor((b.w - 8) / 6.2);
  if (b.frame) {
    return (
      <g key={node.path + "/"} class="frame" data-i={i}>
        <rect x={b.x} y={b.y} width={b.w} height={b.h} />
        <text x={b.x + 4} y={b.y + head - 5}>
          {cut(node.name, letters)}
        </text>
      </g>
    );
  }
  const look = "leaf " + stepOf(node, shade) + (faint ? " faint" : "");
  const labelled = letters >= 3 && b.h >= 15;
  const open = shade === "coverage" && node.answered > 0 && b.h > 8 ? (unanswered(node) / node.lines) * b.w : 0;
  const flagged = shade === "coverage" && node.findings > 0 && b.w > 14 && b.h > 14;
  const framed = shade === "findings" && node.worst === 5 && b.w > 8 && b.h > 8;
  if (!labelled && !flagged && !framed && open === 0)
    return (
      <rect
        key={node.path} class={look} data-i={i} id={"map-" + i} role="option" aria-selected="false" aria-label={words(node)} x={b.x} y={b.y}
        width={b.w} height={b.h}
      />
    );
  const tag = shade === "coverage" ? percent(share(node)) : foundIn(node, letters);
  return (
    <g key={node.path} class={look} data-i={i} id={"map-" + i} role="option" aria-selected="false" aria-label={words(node)}>
      <rect x={b.x} y={b.y} width={b.w} height={b.h} />
      {open > 0 ? <rect class="open" x={b.x} y={b.y + b.h - 5} width={Math.max(3, open)} height="5" /> : null}
      {framed ? <rect class="worst-frame" x={b.x + 2.5} y={b.y + 2.5} width={b.w - 5} height={b.h - 5} /> : null}
      {labelled ? (
        <text x={b.x + 4} y={b.y + 12}>
          {cut(node.name + (node.row === undefined ? "/" : ""), letters)}
        </text>
      ) : null}
      {labelled && b.h >= 30 && tag !== "" && tag.length <= letters ? (
        <text class="tag" x={b.x + 4} y={b.y + 25}>
          {tag}
        </text>
      ) : null}
      {flagged ? <path class={"flag flag-" + node.worst} d={`M${b.x + b.w},${b.y} h-10 l10,10 z`} /> : null}
    </g>
  );
}

/** How many findings a rectangle has, with the word of the worst where there is room. */
function foundIn(node: Node, letters: number): string {
  if (node.findings === 0) return "";
  const long = `${count(node.findings)} ${severities[severities.length - node.worst] ?? ""}`.trim();
  return long.length <= letters ? long : count(node.findings);
}

/** What the map says of the file under the pointer. */
function Told(p: { node: Node }) {
  const { node } = p;
  return (
    <>
      <b>
        <Visible text={node.path === "" ? "All files" : node.path + (node.row === undefined ? "/" : "")} />
      </b>{" "}
      {words(node, true)}
    </>
  );
}

function words(node: Node, short = false): string {
  const parts = short ? [] : [node.path];
  if (node.row === undefined) parts.push(plural(node.files, "file"));
  const digits = node.row === undefined ? 1 : 0;
  const [open, blind] = [unanswered(node), unjudged(node)];
  const seen = percent(node.lines === 0 ? 1 : node.dispatched / node.lines, digits);
  parts.push(plural(node.lines, "line"), `${seen} seen by a worker`);
  if (open + blind > 0) parts.push(`${percent(share(node), digits)} reviewed`);
  if (open > 0) parts.push(`${plural(open, "line")} sent, not answered`);
  if (blind > 0) parts.push(`${plural(blind, "line")} read, not judged`);
  if (node.findings > 0) parts.push(plural(node.findings, "finding"));
  return parts.join(" · ");
}

function Legend(p: { shade: Shade }) {
  return (
    <ul class="codemap-legend" aria-label="What the colours mean">
      {(p.shade === "coverage" ? coverageSteps : findingSteps).map((s) => (
        <li key={s.key}>
          <svg width="14" height="14" aria-hidden="true" class={"leaf " + s.key}>
            <rect width="14" height="14" />
            {s.key === "s5" ? <rect class="worst-frame" x="2.5" y="2.5" width="9" height="9" /> : null}
          </svg>
          {s.title}
        </li>
      ))}
      {p.shade === "coverage" ? (
        <li>
          <svg width="14" height="14" aria-hidden="true">
            <path class="flag flag-4" d="M14,0 h-11 l11,11 z" />
          </svg>
          has findings
        </li>
      ) : null}
    </ul>
  );
}

function cut(text: string, letters: number): string {
  return text.length <= letters ? text : text.slice(0, Math.max(1, letters - 1)) + "…";
}
