/** Documents of a run beside the one that is shown. */
import { useAnswer, useRun, useSource, type Answer, type Row, type Rows } from "../../documents";

/** A document of any run of the server's; null asks for nothing. It is not asked for again while it is shown. */
export function useOther<T>(run: string | null, resource: string): Answer<T> {
  const source = useSource();
  return useAnswer<T>(run === null ? null : run + "\n" + resource, 0, () => source.get(run ?? "", resource));
}

/** The runs of one kind beside this one: its siblings first. None in a file. */
export function useRunsLike(kind: Row["kind"]): Row[] {
  const source = useSource();
  const run = useRun();
  const { doc } = useAnswer<Rows>(source.single ? null : "runs", 0, () => source.list());
  const all = (doc?.runs ?? []).filter((r) => r.kind === kind && r.id !== run.id);
  const near = (r: Row) => (run.parent !== undefined && r.parent === run.parent ? 0 : 1);
  return all.sort((a, b) => near(a) - near(b) || a.path.localeCompare(b.path));
}
