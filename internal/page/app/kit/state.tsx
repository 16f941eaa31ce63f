/** What pages read: documents of the current run, kept while newer ones come; the run itself; the source. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { Problem, Run } from "../documents";
import { toProblem, type Source } from "../source";

interface Place {
  source: Source;
  run: Run | null;
  /** Counts the changes that the server told of. */
  version: number;
}

const PlaceContext = createContext<Place | null>(null);

/** Gives everything below it its source and run. */
export function PlaceProvider(p: { place: Place; children: ComponentChildren }) {
  return <PlaceContext.Provider value={p.place}>{p.children}</PlaceContext.Provider>;
}

function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error("outside of PlaceProvider");
  return place;
}

/** The source of documents. */
export function useSource(): Source {
  return usePlace().source;
}

/** The run that is shown. Only below a run's page. */
export function useRun(): Run {
  const { run } = usePlace();
  if (run === null) throw new Error("no run is shown");
  return run;
}

/** What asking for a document led to so far. */
export interface Answer<T> {
  doc?: T;
  error?: Problem;
  loading: boolean;
}

/**
 * A document of the current run; null asks for nothing. It is asked for again when the run changes, and the old one
 * stays until the new one is here. The type is the caller's promise: view tests that the documents keep it.
 */
export function useDoc<T>(resource: string | null): Answer<T> {
  const { source, run, version } = usePlace();
  const id = run?.id ?? "";
  return useAnswer<T>(resource === null ? null : id + "\n" + resource, version, () => source.get(source.single ? "" : id, resource ?? ""));
}

/** What `ask` answers, asked anew when the key or the version changes; an old answer stays for the same key only. */
export function useAnswer<T>(key: string | null, version: number, ask: () => Promise<unknown>): Answer<T> {
  const [state, set] = useState<{ key: string | null; answer: Answer<T> }>({ key: null, answer: { loading: true } });
  useEffect(() => {
    if (key === null) return undefined;
    let current = true;
    ask().then(
      (doc) => current && set({ key, answer: { doc: doc as T, loading: false } }),
      (thrown: unknown) => current && set((old) => ({ key, answer: old.key === key && old.answer.doc !== undefined && version > 0 ? { ...old.answer, error: toProblem(thrown), loading: false } : { error: toProblem(thrown), loading: false } })),
    );
    return () => {
      current = false;
    };
  }, [key, version]);
  if (key === null) return { loading: false };
  return state.key === key ? state.answer : { loading: true };
}
