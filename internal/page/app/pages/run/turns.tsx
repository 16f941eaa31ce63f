/**
 * The page of a trace: what the root did, turn by turn. The timeline stands on the left, what is selected on the right;
 * on a narrow page one of the two. A review shows its own trace, an eval that of each rollout: they differ in where the
 * documents are (base) and where the page is (at).
 */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { ProblemBox, type Run, type Trace } from "../../documents";
import { Empty, go, href, Loading, replace, useKeys, useRoute, type Query } from "../../kit";
import { DispatchView } from "./dispatch";
import { shown, type Wanted } from "./filter";
import { TurnList } from "./list";
import { Overview } from "./overview";
import { readPlace, type Place } from "./place";
import { Summary } from "./summary";
import { addressOf, type Row, type Timeline } from "./timeline";
import { useTrace } from "./trace";
import { TurnView } from "./turn";

/**
 * A trace. base is where its documents are, "" or "rollout/17/"; at is the path of its page within the run, "turns" or
 * "eval/rollout/17/turns"; rest is what follows it in the route.
 */
export function Turns(p: { run: Run; rest: string[]; base: string; at: string }) {
  const { trace, timeline, error } = useTrace(p.base);
  const { query } = useRoute();
  const wanted = useMemo(() => wantedOf(query), [query["q"], query["errors"], query["loop"]]);
  const rows = useMemo(() => (timeline && trace ? shown(timeline, trace, wanted) : []), [timeline, trace, wanted]);
  const place = readPlace(p.rest);
  const turn =
    place.turn !== undefined ? timeline?.numbered(place.turn) : place.event !== undefined ? timeline?.turnOf(place.event) : undefined;
  const name = (row: Row) => (timeline ? addressOf(timeline, row) : "");
  const [follow, setFollow] = useState(false);
  const newest = timeline?.rows[timeline.turns.at(-1) ?? -1];

  useLayoutEffect(() => {
    if (timeline) performance.mark("turns"); // what the measurements of speed wait for
  }, [timeline !== undefined]);
  useEffect(() => {
    // A link names the event where it does not know the turn: the address says the turn, as all others do.
    if (turn && place.event !== undefined && name(turn) !== "e" + place.event)
      replace([p.at, name(turn), ...p.rest.slice(1)].join("/"), query);
  }, [turn?.seq, place.event]);
  useEffect(() => {
    if (follow && newest && newest !== turn) replace(`${p.at}/${name(newest)}`, query);
  }, [follow, newest?.seq]);

  const step = (by: number) => {
    const turns = rows.filter((row) => row.kind === "turn");
    const now = turns.findIndex((row) => row.seq === turn?.seq);
    const next = turns[now < 0 ? (by > 0 ? 0 : turns.length - 1) : now + by];
    if (!next) return;
    setFollow(false);
    replace(`${p.at}/${name(next)}`, query);
  };
  const up = () => go(place.dispatch !== undefined && turn ? `${p.at}/${name(turn)}` : p.at, query);
  useKeys(
    {
      j: () => step(1),
      k: () => step(-1),
      f: p.run.live ? () => setFollow(!follow) : undefined,
      Escape: p.rest.length > 0 ? up : undefined,
    },
    "Turns",
  );

  const box = useRef<HTMLDivElement>(null);
  const top = useTop(box, timeline !== undefined);

  if (!trace || !timeline) return error ? <ProblemBox problem={error} /> : <Loading />;
  return (
    <div ref={box} class={"trace" + (p.rest.length > 0 ? " trace-open" : "")} style={{ height: `calc(100dvh - ${top + 12}px)` }}>
      <Summary run={p.run} base={p.base} at={p.at} trace={trace} timeline={timeline} selected={turn} query={query} />
      <div class="trace-side">
        <TurnList
          trace={trace}
          timeline={timeline}
          rows={rows}
          wanted={wanted}
          selected={turn}
          open={(row) => href(`${p.at}/${name(row)}`, query)}
          follow={p.run.live ? { on: follow, set: setFollow } : undefined}
        />
      </div>
      <div class="trace-main">
        <Selected run={p.run} base={p.base} at={p.at} place={place} turn={turn} trace={trace} timeline={timeline} query={query} />
      </div>
    </div>
  );
}

/** How far below the top of the page an element begins, in pixels: the trace fills what is left of the window. */
function useTop(box: { current: HTMLElement | null }, there: boolean): number {
  const [top, set] = useState(0);
  useLayoutEffect(() => {
    const measure = () => box.current && set(Math.round(box.current.getBoundingClientRect().top + scrollY));
    measure();
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, [there]);
  return top;
}

function wantedOf(query: Query): Wanted {
  const loop = Number(query["loop"]);
  return {
    text: query["q"] ?? "", errors: query["errors"] === "1", node: query["loop"] !== undefined && Number.isInteger(loop) ? loop : undefined,
  };
}

/** What stands beside the timeline: the trace as a whole, a turn, or one of its dispatches. */
function Selected(p: {
  run: Run; base: string; at: string; place: Place; turn: Row | undefined; trace: Trace; timeline: Timeline; query: Query;
}) {
  const { place, turn } = p;
  if (place.turn === undefined && place.event === undefined && place.unknown === undefined) return <Overview {...p} />;
  if (turn === undefined) {
    const event = place.event !== undefined ? `turn with event ${place.event}` : place.unknown;
    const what = place.turn !== undefined ? `turn ${place.turn}` : event;
    return (
      <Empty title={`The trace has no ${what ?? "such turn"}.`}>
        <a href={href(p.at, p.query)}>All turns</a>
      </Empty>
    );
  }
  if (place.dispatch !== undefined) return <DispatchView {...p} turn={turn} seq={place.dispatch} />;
  return <TurnView {...p} turn={turn} cell={place.cell} />;
}
