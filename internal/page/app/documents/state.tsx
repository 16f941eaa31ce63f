/** What pages read: documents of the current run, kept while newer ones come; the run itself; the source. */
import { createContext, type ComponentChildren } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Problem, Run } from "./types";
import { toProblem, type Source } from "./source";

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
 * stays until the new one is here. The type is the caller's promise: types.ts has one for each resource.
 */
export function useDoc<T>(resource: string | null): Answer<T> {
  const { source, run, version } = usePlace();
  const id = run?.id ?? "";
  return useAnswer<T>(resource === null ? null : id + "\n" + resource, version, () => source.get(source.single ? "" : id, resource ?? ""));
}

/** One key's questions to the source: one at a time, the last one always asked. */
interface Job {
  alive: boolean;
  busy: boolean;
  /** The version that an answer is wanted for. */
  wanted: number;
}

/**
 * What `ask` answers, asked anew when the key or the version changes. An old answer stays for the same key only. While
 * a question is open no second one is sent: a run that changes faster than it is answered is shown all the same.
 */
export function useAnswer<T>(key: string | null, version: number, ask: () => Promise<unknown>): Answer<T> {
  const [state, set] = useState<{ key: string | null; answer: Answer<T> }>({ key: null, answer: { loading: true } });
  const job = useRef<Job | null>(null);
  const again = useRef<() => Promise<void>>(() => Promise.resolve());
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (key === null) return undefined;
    const mine: Job = { alive: true, busy: false, wanted: version };
    job.current = mine;
    const run = async () => {
      mine.busy = true;
      for (let asked = NaN; mine.alive && asked !== mine.wanted; ) {
        asked = mine.wanted;
        try {
          const doc = (await latest.current()) as T;
          if (mine.alive) set({ key, answer: { doc, loading: false } });
        } catch (thrown) {
          const error = toProblem(thrown);
          if (mine.alive)
            set((old) => ({ key, answer: old.key === key ? { ...old.answer, error, loading: false } : { error, loading: false } }));
        }
      }
      mine.busy = false;
    };
    again.current = run;
    void run();
    return () => {
      mine.alive = false;
    };
  }, [key]);
  useEffect(() => {
    const mine = job.current;
    if (mine === null || !mine.alive || mine.wanted === version) return;
    mine.wanted = version;
    if (!mine.busy) void again.current();
  }, [version]);
  if (key === null) return { loading: false };
  return state.key === key ? state.answer : { loading: true };
}
