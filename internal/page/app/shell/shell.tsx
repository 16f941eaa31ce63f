/** The frame of every page: header, where one is, the run's sections, what is told when something changes. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { PlaceProvider, ProblemBox, useAnswer, type Rows, type Run, type Section } from "../documents";
import type { Source } from "../documents/source";
import { useKeys } from "../kit/keys";
import { above, go, href, useRoute } from "../kit/router";
import { Loading } from "../kit/small";
import { Visible } from "../kit/text";
import { FleetPage } from "../pages/fleet";
import { About } from "../pages/overview/about";
import { RunHead, titleOf } from "../pages/overview/head";
import { Runs } from "../pages/runs";
import { newestFirst } from "../pages/runs-order";
import { sectionTitles } from "../pages/sections";
import { Help } from "./help";
import { pages } from "./registry";
import { ThemeSwitch } from "./theme";

/** The page. */
export function Shell(p: { source: Source }) {
  const route = useRoute();
  const { version, connected } = useChanges(p.source, route.run);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      {route.run === null ? (
        <ListPage source={p.source} version={version} fleet={route.path[0] === "fleet"} />
      ) : (
        <RunPage key={route.run} source={p.source} id={route.run} path={route.path} version={version} />
      )}
      {connected ? null : (
        <p class="stale" role="alert">
          The server does not answer. This is the last state it sent; the page catches up when the server is back.
        </p>
      )}
    </>
  );
}

/** Counts what the server says has changed, and follows whether it is there. */
function useChanges(source: Source, run: string | null): { version: number; connected: boolean } {
  const [version, setVersion] = useState(0);
  const [connected, setConnected] = useState(true);
  useEffect(() => source.watch(run, () => setVersion((v) => v + 1), setConnected), [source, run]);
  return { version, connected };
}

/** The header and the content below it; `title` names the page in the window's title. */
function Frame(p: {
  source: Source; version: number; title: string; run?: Run; section?: string | undefined; fleet?: boolean;
  /** Where Esc leads; absent where there is no way up. */
  up?: (() => void) | undefined;
  children: ComponentChildren;
}) {
  const main = useRef<HTMLElement>(null);
  const [help, setHelp] = useState(false);
  const sections = sectionsOf(p.run);
  useEffect(() => {
    document.title = p.title;
  }, [p.title]);
  const bare = sections.length === 0 && p.fleet !== true;
  useEffect(() => {
    document.documentElement.classList.toggle("no-sections", bare);
  }, [bare]);
  useEffect(() => scrollTo(0, 0), [p.section]);
  const keys: { [key: string]: (() => void) | undefined } = {
    Escape: p.up,
    "?": () => setHelp(true),
    "/": () => main.current?.querySelector<HTMLInputElement>('input[type="search"]')?.focus(),
  };
  sections.forEach((s, i) => (keys[String(i + 1)] = () => go(s)));
  useKeys(keys, "Everywhere");
  return (
    <>
      <header class={"header" + (bare ? "" : " with-sections")}>
        <nav class="crumbs" aria-label="Where you are">
          {p.source.single ? (
            <span class="brand">
              <Mark />
              deeprepo
            </span>
          ) : (
            <a class="brand" href={href("/")} aria-current={p.run ? undefined : "page"}>
              <Mark />
              deeprepo
            </a>
          )}
          {p.run ? (
            <>
              <span class="crumb-step" aria-hidden="true">/</span>
              <a class="crumb-name" href={href("")} title={p.run.path}>
                <Visible text={p.run.name} />
              </a>
            </>
          ) : null}
        </nav>
        {sections.length > 0 ? (
          <nav class="sections" aria-label="Sections of this run">
            {sections.map((s) => (
              <a key={s} href={href(s)} aria-current={p.section === s ? "page" : undefined}>{sectionTitles[s]}</a>
            ))}
          </nav>
        ) : null}
        {p.fleet === true ? (
          <nav class="sections" aria-label="Pages">
            <a href={href("/")} aria-current={p.section === undefined ? "page" : undefined}>Runs</a>
            <a href={href("/fleet")} aria-current={p.section === "fleet" ? "page" : undefined}>Fleet</a>
          </nav>
        ) : null}
        <div class="header-tools">
          <ThemeSwitch />
          <button type="button" class="icon-button" aria-label="Keys and help" title="Keys and help (?)" onClick={() => setHelp(true)}>
            ?
          </button>
        </div>
      </header>
      <main id="main" ref={main} tabIndex={-1}>{p.children}</main>
      <Told version={p.version} />
      {help ? <Help onClose={() => setHelp(false)} /> : null}
    </>
  );
}

/** The sections that a run has, in their order. It opens with the first. */
function sectionsOf(run: Run | undefined): Section[] {
  return (Object.keys(sectionTitles) as Section[]).filter((s) => run?.sections.includes(s) ?? false);
}

function Mark() {
  return (
    <svg class="brand-mark" viewBox="0 0 16 16" aria-hidden="true">
      <rect width="16" height="16" rx="3" />
      <path d="M3 3h5v10H3zM9 3h4v4H9zM9 8h4v5H9z" />
    </svg>
  );
}

/** Tells who does not see the page that it changed, at most every ten seconds. */
function Told(p: { version: number }) {
  const [text, set] = useState("");
  const last = useRef(0);
  useEffect(() => {
    if (p.version === 0 || Date.now() - last.current < 10_000) return;
    last.current = Date.now();
    set(`Updated at ${new Date().toLocaleTimeString()}.`);
  }, [p.version]);
  return <p class="off-screen" role="status" aria-live="polite">{text}</p>;
}

/** The list of runs, or the fleet where the server shows one. */
function ListPage(p: { source: Source; version: number; fleet: boolean }) {
  const { doc, error } = useAnswer<Rows>("runs", p.version, () => p.source.list());
  return (
    <PlaceProvider place={{ source: p.source, run: null, version: p.version }}>
      <Frame
        source={p.source} version={p.version} title={p.fleet ? "Fleet · deeprepo" : "Runs · deeprepo"} fleet={doc?.fleet ?? p.fleet}
        section={p.fleet ? "fleet" : undefined} up={p.fleet ? () => go("/") : undefined}
      >
        {p.fleet ? <FleetPage /> : null}
        {error && !doc && !p.fleet ? <ProblemBox problem={error} /> : null}
        {p.fleet ? null : doc ? <Runs rows={newestFirst(doc.runs)} truncated={doc.truncated} title="Runs" /> : error ? null : <Loading />}
      </Frame>
    </PlaceProvider>
  );
}

function RunPage(p: { source: Source; id: string; path: string[]; version: number }) {
  const { doc, error } = useAnswer<Run>(p.id, p.version, () => p.source.get(p.id, ""));
  const list = p.source.single ? undefined : () => go("/");
  if (doc === undefined) {
    return (
      <Frame source={p.source} version={p.version} title="deeprepo" up={list}>
        {error ? <ProblemBox problem={error} /> : <Loading />}
      </Frame>
    );
  }
  const run = p.source.single ? doc : { ...doc, id: p.id };
  const first = sectionsOf(run)[0];
  const section = p.path[0] ?? first;
  const up = above(p.path, first);
  // The run opens with its first section. A finding is no page of its own: the head stays while the reader goes through them.
  const opening = section === first && (p.path.length < 2 || section === "findings");
  const { name, commit } = titleOf(run);
  const known = section !== undefined && Object.hasOwn(sectionTitles, section) ? (section as Section) : undefined;
  const Page = known === undefined ? undefined : pages[known];
  return (
    <PlaceProvider place={{ source: p.source, run, version: p.version }}>
      <Frame
        source={p.source} version={p.version} run={run} section={section} up={up === null ? list : () => go(up)}
        title={`${known === undefined ? "" : sectionTitles[known] + " · "}${name}${commit && " at " + commit} · deeprepo`}
      >
        {opening ? <RunHead run={run} /> : null}
        {section === undefined ? null : Page === undefined ? (
          <ProblemBox problem={{ status: 404, message: "There is no such page.", hint: "The sections of this run are named above." }} />
        ) : (
          <>
            {opening ? null : <h1 class="off-screen">{sectionTitles[known!]} of {name}</h1>}
            <Page key={section} run={run} rest={p.path.slice(1)} base="" at={section} />
          </>
        )}
        {opening ? <About run={run} single={p.source.single} /> : null}
      </Frame>
    </PlaceProvider>
  );
}
