/** Goes from a dispatch's key, by which findings name their sources, to the dispatch itself. */
import { useEffect } from "preact/hooks";
import type { Trace, Turn } from "../../documents";
import { Empty, href, Loading, ProblemBox, replace, useDoc, type Query } from "../../kit";
import { turnOfKey } from "./place";
import type { Timeline } from "./timeline";

/** Replaces itself by the dispatch, once the turn that made it has been read. */
export function FindByKey(p: { base: string; at: string; wanted: string; trace: Trace; timeline: Timeline; query: Query }) {
  const of = turnOfKey(p.wanted);
  const rows = p.timeline.rows.filter((row) => row.kind === "turn" && row.number === of?.turn && p.trace.nodes[row.node] === of.node);
  const row = rows.at(-1); // a turn that was asked again has its dispatches under the later reply
  const { doc, error } = useDoc<Turn>(row ? `${p.base}turn/${row.seq}` : null);
  const found = doc?.dispatches.find((d) => d.key === p.wanted);
  useEffect(() => {
    if (row && found) replace(`${p.at}/${row.seq}/dispatch/${found.seq}`, p.query);
  }, [row, found]);
  if (error) return <ProblemBox problem={error} />;
  if ((row && !doc) || found) return <Loading />;
  return (
    <Empty title={`The trace has no dispatch ${p.wanted}.`}>
      <a href={href(p.at, p.query)}>All turns</a>
    </Empty>
  );
}
