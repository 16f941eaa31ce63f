/**
 * Where documents come from: the server that has the page open, or the archive inside an exported file. Nothing else
 * in the page knows which of the two it is.
 */
import type { Decisions, Problem } from "./types";

/** What is decided about a finding: see `deeprepo triage`. */
export interface Decision {
  finding: string;
  state: string;
  reason: string;
  until: string;
}

/** Answers resource paths with documents. */
export interface Source {
  /** True when it holds one run and no list. */
  readonly single: boolean;
  /** A document of a run; rejects with a Problem. The run "" is the only one of a file. */
  get(run: string, resource: string): Promise<unknown>;
  /** The list of runs; rejects with a Problem where there is none. */
  list(): Promise<unknown>;
  /** What a fleet does now; rejects with a Problem where none is shown. */
  fleet(): Promise<unknown>;
  /** Decides about a finding of a run, and answers with all decisions; rejects with a Problem, always where nothing may be decided. */
  decide(run: string, decision: Decision): Promise<Decisions>;
  /** Calls back when something of a run (or, with null, of the list) changed, and when the server went or is back; the answer stops it. */
  watch(run: string | null, changed: () => void, connected: (yes: boolean) => void): () => void;
}

/** The documents of a server. */
function fromServer(): Source {
  const ask = async (path: string, more: RequestInit): Promise<unknown> => {
    let answer: Response;
    try {
      answer = await fetch(path, { cache: "no-store", ...more });
    } catch {
      throw problem(0, "The server does not answer.", "Is deeprepo ui still running?");
    }
    const body: unknown = await answer.json().catch(() => null);
    if (!answer.ok) throw asProblem(answer.status, body);
    return body;
  };
  const get = (path: string) => ask(path, { headers: { Accept: "application/json" } });
  return {
    single: false,
    get: (run, resource) => get(`api/runs/${encodeURIComponent(run)}/${encodePath(resource)}`),
    list: () => get("api/runs"),
    fleet: () => get("api/fleet"),
    decide: (run, decision) =>
      ask(`api/runs/${encodeURIComponent(run)}/triage`, {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(decision),
      }) as Promise<Decisions>,
    watch(run, changed, connected) {
      const address = run === null ? "api/live" : `api/runs/${encodeURIComponent(run)}/live`;
      const events = new EventSource(address);
      let version: string | null = null;
      let missed = 0;
      events.onopen = () => {
        missed = 0;
        connected(true);
      };
      events.onerror = () => {
        if (++missed > 1) connected(false); // once is a proxy's or a laptop's nap
        if (events.readyState !== EventSource.CLOSED) return;
        // Somebody has answered, with no events. A server that knows no such run is there.
        const asked = new AbortController();
        fetch(address, { cache: "no-store", signal: asked.signal })
          .then((answer) => connected(answer.status === 404), () => connected(false))
          .finally(() => asked.abort());
      };
      events.onmessage = (event: MessageEvent<string>) => {
        // The first event only says where we are; the same version again, after a reconnection, is no news.
        if (version !== null && version !== event.data) changed();
        version = event.data;
      };
      return () => events.close();
    },
  };
}

/** The documents of an exported file: some plain, the rest packed. */
export function fromArchive(plain: { [resource: string]: unknown }, packed: string): Source {
  let unpacked: Promise<Map<string, string>> | null = null;
  return {
    single: true,
    async get(_run, resource) {
      if (Object.hasOwn(plain, resource)) return plain[resource];
      if (packed !== "") {
        unpacked ??= unpack(packed);
        const text = (await unpacked).get(resource);
        if (text !== undefined) return JSON.parse(text) as unknown;
      }
      throw problem(404, "This file does not hold it.", "deeprepo ui, on the run's directory, shows everything.");
    },
    list: () => Promise.reject(problem(404, "This file holds one run.")),
    fleet: () => Promise.reject(problem(404, "This file holds one run.")),
    decide: () => Promise.reject(problem(403, "Nothing can be decided in a file.", "deeprepo triage decides.")),
    watch: () => () => undefined,
  };
}

/** The source that the document around us calls for: an archive where one is inlined, else the server. */
export function findSource(page: Document): Source {
  const plain = page.getElementById("archive")?.textContent;
  if (plain == null) return fromServer();
  return fromArchive(
    JSON.parse(plain) as { [resource: string]: unknown }, page.getElementById("archive-packed")?.textContent?.trim() ?? "",
  );
}

/** Reads gzip in base64 of lines: a path as JSON, its document, the next path ... Documents are parsed when asked for. */
async function unpack(base64: string): Promise<Map<string, string>> {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const lines = (await new Response(stream).text()).split("\n");
  const documents = new Map<string, string>();
  for (let i = 0; i + 1 < lines.length; i += 2) documents.set(JSON.parse(lines[i] ?? "") as string, lines[i + 1] ?? "");
  return documents;
}

function encodePath(resource: string): string {
  return resource.split("/").map(encodeURIComponent).join("/");
}

function problem(status: number, message: string, hint?: string): Problem {
  return hint === undefined ? { status, message } : { status, message, hint };
}

function asProblem(status: number, body: unknown): Problem {
  if (typeof body === "object" && body !== null && "message" in body && typeof body.message === "string") {
    return problem(status, body.message, "hint" in body && typeof body.hint === "string" ? body.hint : undefined);
  }
  return problem(status, `The server answered ${status}.`);
}

/** What went wrong, as a Problem, whatever was thrown. */
export function toProblem(thrown: unknown): Problem {
  if (typeof thrown === "object" && thrown !== null && "status" in thrown && "message" in thrown) return thrown as Problem;
  return problem(0, thrown instanceof Error ? thrown.message : String(thrown));
}
