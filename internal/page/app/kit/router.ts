/**
 * Routes live in the hash, so that the page works the same from a server and from a file on disk:
 * `#/` the list of runs, `#/run/ID/SECTION/REST?name=value` a run's page. In a file, which holds one run,
 * `/run/ID` is absent. A path here is plain text; this module alone encodes and decodes it.
 */
import { useLayoutEffect, useState } from "preact/hooks";

/** Where the page is. */
interface Route {
  /** The run's id; null on the list of runs, "" in a file. */
  run: string | null;
  /** What follows the run: section and rest, decoded. */
  path: string[];
  /** What a link carries beside the path: filters, sort order, the selected tab. */
  query: Query;
}

export type Query = { readonly [name: string]: string };
/** undefined or "" takes a name away. */
type QueryChange = { readonly [name: string]: string | number | undefined };

/** Reads a hash. `single`: the page holds one run and routes do not name it. */
export function parseRoute(hash: string, single: boolean): Route {
  const text = hash.replace(/^#/, "");
  const cut = text.indexOf("?");
  const segments = (cut < 0 ? text : text.slice(0, cut)).split("/").filter((s) => s !== "").map(decode);
  const query: Record<string, string> = Object.create(null) as Record<string, string>;
  if (cut >= 0) {
    for (const [name, value] of new URLSearchParams(text.slice(cut + 1))) query[name] = value;
  }
  if (single) return { run: "", path: segments, query };
  if (segments[0] === "run" && segments[1] !== undefined) {
    return { run: segments[1], path: segments.slice(2), query };
  }
  return { run: null, path: segments, query };
}

/** Writes a hash: the inverse of parseRoute. */
export function formatRoute(run: string | null, path: string, query?: QueryChange): string {
  const prefix = run ? "/run/" + encodeURIComponent(run) : "";
  const segments = path.split("/").filter((s) => s !== "").map(encodeURIComponent);
  let hash = "#" + prefix + (segments.length > 0 ? "/" + segments.join("/") : prefix ? "" : "/");
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") search.set(name, String(value));
  }
  const tail = search.toString();
  if (tail !== "") hash += "?" + tail;
  return hash;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // a hand-made link with a stray percent sign: taken as it is
  }
}

let single = false;

/** Says, once at the start, whether the page holds one run only. */
export function holdsOneRun(yes: boolean): void {
  single = yes;
}

/** Where the page is now. */
function currentRoute(): Route {
  return parseRoute(location.hash, single);
}

/** The link to a page of the current run ("turns/12"), or from the top with a leading slash ("/", "/run/ID"). */
export function href(path: string, query?: QueryChange): string {
  if (path.startsWith("/")) {
    const top = path.split("/").filter((s) => s !== "");
    if (top[0] === "run" && top[1] !== undefined) return formatRoute(top[1], top.slice(2).join("/"), query);
    return formatRoute(null, path, query);
  }
  return formatRoute(currentRoute().run, path, query);
}

/** Goes to a page; see href. */
export function go(path: string, query?: QueryChange): void {
  location.hash = href(path, query);
}

/** Goes to a page without a step in the browser's history: for keys that pass many pages on their way. See href. */
export function replace(path: string, query?: QueryChange): void {
  replaceHash(href(path, query));
}

/** Changes the query of the page that is shown, without a step in the browser's history. */
export function setQuery(change: QueryChange): void {
  const now = currentRoute();
  replaceHash(formatRoute(now.run, now.path.join("/"), { ...now.query, ...change }));
}

function replaceHash(hash: string): void {
  if (hash === location.hash) return;
  history.replaceState(null, "", hash);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/**
 * Where Esc leads from a place of a run: one step up. `first` is the section that the run opens with; null is the list of runs.
 * What has a name of its own, as a file or a rollout, goes with the word before it.
 */
export function above(path: readonly string[], first: string | undefined): string | null {
  const [section, kind] = path;
  if (section === undefined || (path.length === 1 && section === first)) return null;
  if (path.length === 1) return "";
  if (kind === "file" || kind === "task" || path.length <= 3) return section;
  if (path[2] === "dispatch" || path[2] === "cell") return path.slice(0, 2).join("/");
  return path.slice(0, path.length === 4 ? 3 : 4).join("/");
}

/** The route, followed as it changes. */
export function useRoute(): Route {
  const [route, set] = useState(currentRoute);
  // Before anything is painted: an address that changed between the drawing and a later effect would be missed.
  useLayoutEffect(() => {
    const follow = () => set(currentRoute());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return route;
}
