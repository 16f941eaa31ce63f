/** The frame of every page: header, where one is, the run's sections, what is shown when there is nothing to show. */
import { useEffect, useState } from "preact/hooks";
import type { Rows, Run } from "./documents";
import { Loading, ProblemBox } from "./kit/small";
import { PlaceProvider, useAnswer } from "./kit/state";
import { Overview } from "./pages/overview";
import { pages, sectionTitles } from "./pages/registry";
import { Runs } from "./pages/runs";
import { href, useRoute } from "./router";
import type { Section } from "./documents";
import type { Source } from "./source";
import { ThemeSwitch } from "./theme";

/** The page. */
export function Shell(p: { source: Source }) {
  const route = useRoute();
  const version = useVersion(p.source, route.run);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to the content
      </a>
      {route.run === null ? <ListPage source={p.source} version={version} /> : <RunPage key={route.run} source={p.source} id={route.run} path={route.path} version={version} />}
    </>
  );
}

function useVersion(source: Source, run: string | null): number {
  const [version, set] = useState(0);
  useEffect(() => source.watch(run, () => set((v) => v + 1)), [source, run]);
  return version;
}

function Header(p: { source: Source; run?: Run | undefined; section?: string | undefined }) {
  return (
    <header class="header">
      <nav class="crumbs" aria-label="Where you are">
        {p.source.single ? <span class="brand">deeprepo</span> : <a class="brand" href={href("/")}>deeprepo</a>}
        {p.run ? <a href={href("")} aria-current={p.section === undefined ? "page" : undefined}>{p.run.name}</a> : null}
      </nav>
      {p.run ? (
        <nav class="sections" aria-label="Sections of this run">
          {(Object.keys(sectionTitles) as Section[]).filter((s) => p.run?.sections.includes(s)).map((s) => (
            <a key={s} href={href(s)} aria-current={p.section === s ? "page" : undefined}>
              {sectionTitles[s]}
            </a>
          ))}
        </nav>
      ) : null}
      <ThemeSwitch />
    </header>
  );
}

function ListPage(p: { source: Source; version: number }) {
  const { doc, error } = useAnswer<Rows>("runs", p.version, () => p.source.list());
  return (
    <PlaceProvider place={{ source: p.source, run: null, version: p.version }}>
      <Header source={p.source} />
      <main id="main" tabIndex={-1}>
        {error ? <ProblemBox problem={error} /> : null}
        {doc ? <Runs rows={doc} /> : error ? null : <Loading />}
      </main>
    </PlaceProvider>
  );
}

function RunPage(p: { source: Source; id: string; path: string[]; version: number }) {
  const { doc: run, error } = useAnswer<Run>(p.id, p.version, () => p.source.get(p.id, ""));
  const section = p.path[0];
  if (run === undefined) {
    return (
      <>
        <Header source={p.source} />
        <main id="main" tabIndex={-1}>{error ? <ProblemBox problem={error} /> : <Loading />}</main>
      </>
    );
  }
  const Page = section !== undefined && Object.hasOwn(pages, section) ? pages[section as Section] : undefined;
  return (
    <PlaceProvider place={{ source: p.source, run: { ...run, id: p.id }, version: p.version }}>
      <Header source={p.source} run={run} section={section} />
      <main id="main" tabIndex={-1}>
        {section === undefined ? (
          <Overview run={run} />
        ) : Page === undefined ? (
          <ProblemBox problem={{ status: 404, message: "There is no such page.", hint: "The sections of this run are named above." }} />
        ) : (
          <Page run={run} rest={p.path.slice(1)} base="" at={section} />
        )}
      </main>
    </PlaceProvider>
  );
}
