/** A rollout of the environment localisation: the issue, what was ranked for it, what each signal gave, and what was missed. */
import type { EvalRollout, LevelName, Located, LocatedLevel, LocatedPlace } from "../../documents";
import { Badge, count, decimal, plural, Raw, Stack, StackLegend, Table, Visible, type Column, type StackPart } from "../../kit";
import { placeOf } from "../findings/place";
import { cutOffs, extent, figure, given, goldIn, metricOf, partNames, partsOf, saidOf, signalsOf } from "./signals";

const titles: { readonly [level in LevelName]: string } = { files: "Files", functions: "Functions", lines: "Lines" };

/** The issue and the rankings of all levels. */
export function LocatedPlaces(p: { located: Located; metrics: EvalRollout["metrics"] }) {
  const { levels } = p.located;
  const parts = partNames(levels);
  return (
    <>
      {p.located.issue ? (
        <section class="issue">
          <h2>Issue{p.located.repo ? <> of <Visible text={p.located.repo} /></> : null}</h2>
          <Raw text={p.located.issue} name="Issue" />
        </section>
      ) : null}
      {levels.some((l) => cutOffs.some((k) => metricOf(p.metrics, l.level, k) !== undefined)) ? (
        <section>
          <h2>All gold among the first k</h2>
          <Table name="All gold among the first k" rows={levels} columns={metricColumns(p.metrics)} />
        </section>
      ) : null}
      {levels.map((l) => <Level key={l.level} of={l} parts={parts} />)}
    </>
  );
}

function metricColumns(metrics: EvalRollout["metrics"]): Column<LocatedLevel>[] {
  return [
    { key: "level", title: "Level", value: (l) => titles[l.level] },
    ...cutOffs.map((k): Column<LocatedLevel> => ({
      key: `acc@${k}`, title: `acc@${k}`, align: "right", hint: `1 where all gold is among the first ${k}`,
      value: (l) => metricOf(metrics, l.level, k) ?? null, render: (l) => decimal(metricOf(metrics, l.level, k)),
    })),
  ];
}

/** One ranking. That of lines is mostly that of functions again, and folded. */
function Level(p: { of: LocatedLevel; parts: readonly string[] }) {
  const { of } = p;
  const signals = signalsOf(of);
  const bars = new Map(of.places.map((r) => [r, partsOf(r, p.parts)] as const));
  const drawn = (name: string) => [...bars.values()].some((bar) => bar.some((q) => q.name === name && q.value !== 0));
  const body = (
    <>
      <p class="muted">{words(of)}{signals.length > 0 ? " Scores and signals are as the answer gives them." : ""}</p>
      {signals.length > 0 ? <StackLegend names={p.parts} shown={drawn} /> : null}
      {of.places.length > 0 ? <Table name={titles[of.level]} rows={of.places} columns={columns(of, bars)} /> : null}
      <Missed of={of} />
      {signals.length > 0 ? (
        <details>
          <summary>What each signal gave, in figures</summary>
          <Table name={`Signals of ${of.level}`} rows={of.places} columns={signalColumns(of.level, signals)} />
        </details>
      ) : null}
    </>
  );
  if (of.level === "lines") {
    return (
      <details class="level">
        <summary><h2>Lines</h2></summary>
        {body}
      </details>
    );
  }
  return <section class="level"><h2>{titles[of.level]}</h2>{body}</section>;
}

/** "50 are ranked; these are the first 20. Gold among these: 1 of 2." */
function words(l: LocatedLevel): string {
  if (l.places.length === 0) return "Nothing was ranked.";
  const more = l.ranked > l.places.length ? `${count(l.ranked)} are ranked; these are the first ${count(l.places.length)}. ` : "";
  if (l.gold === 0) return more + "Which of them are gold is not known.";
  return `${more}Gold among these: ${count(goldIn(l))} of ${l.level === "lines" ? plural(l.gold, "line") : count(l.gold)}.`;
}

function columns(l: LocatedLevel, bars: ReadonlyMap<LocatedPlace, readonly StackPart[]>): Column<LocatedPlace>[] {
  const { from, to } = extent([...bars.values()]);
  const all: Column<LocatedPlace>[] = [rank, placeColumn(l.level)];
  if (l.gold > 0) {
    all.push({
      key: "gold", title: "Gold", align: "left", value: (r) => (l.level === "lines" ? r.gold : r.gold > 0 ? "gold" : ""),
      render: (r) => (r.gold === 0 ? "" : <Badge tone="good">{l.level === "lines" ? `${count(r.gold)} gold` : "gold"}</Badge>),
    });
  }
  if (l.places.some((r) => r.score !== undefined)) {
    all.push({ ...score, from: 700 }); // below it the figures say it
  }
  if (l.places.some((r) => r.why.length > 0)) {
    all.push({
      key: "why", title: "Signals", sort: false, width: "30%", value: saidOf,
      render: (r) => {
        if (r.why.length === 0) return "?";
        return <Stack parts={bars.get(r) ?? []} from={from} to={to} write={figure} label={`What gave the score: ${saidOf(r)}`} />;
      },
    });
  }
  return all;
}

const rank: Column<LocatedPlace> = { key: "rank", title: "#", value: (r) => r.rank, width: "2.5rem" };

const score: Column<LocatedPlace> = {
  key: "score", title: "Score", align: "right", value: (r) => r.score, render: (r) => (r.score === undefined ? "?" : figure(r.score)),
};

function placeColumn(level: LevelName): Column<LocatedPlace> {
  return {
    key: "place", title: level === "functions" ? "Function" : level === "files" ? "Path" : "Lines", value: (r) => nameOf(r, level),
    render: (r) => <PlaceName of={r} level={level} />,
  };
}

function signalColumns(level: LevelName, signals: readonly string[]): Column<LocatedPlace>[] {
  return [
    rank, placeColumn(level), score,
    ...signals.map((name): Column<LocatedPlace> => ({
      key: "signal " + name, title: name, align: "right", value: (r) => given(r, name),
      render: (r) => {
        const v = given(r, name);
        return v === null ? "" : figure(v);
      },
    })),
  ];
}

/** A place on one line: "a.py", "C.m in a.py:3-9", "a.py:3-9". */
function nameOf(r: LocatedPlace, level: LevelName): string {
  const at = placeOf({ file: r.path, line: level === "files" ? 0 : (r.line ?? 0), end_line: r.end_line ?? 0 });
  return r.name ? `${r.name} in ${at}` : at;
}

function PlaceName(p: { of: LocatedPlace; level: LevelName }) {
  const { of: r, level } = p;
  const at = placeOf({ file: r.path, line: level === "files" ? 0 : (r.line ?? 0), end_line: r.end_line ?? 0 });
  if (level === "files") return <span class="mono place-name"><Visible text={at} /></span>;
  return (
    <span class="mono place-name">
      {r.name || level === "functions" ? <><Visible text={r.name || "the file itself"} />{" "}</> : null}
      <span class="muted"><Visible text={at} /></span>
    </span>
  );
}

/** Gold that is not among the places that are shown. */
function Missed(p: { of: LocatedLevel }) {
  const { of } = p;
  if (of.missed.length === 0) return null;
  return (
    <>
      <h3>
        <Badge tone="bad">missed</Badge> {of.places.length > 0 ? `Gold, not in the first ${count(of.places.length)}` : "Gold"}
      </h3>
      <ul class="rules">
        {of.missed.map((r, i) => (
          <li key={i}>
            <span class="mono"><Visible text={nameOf(r, of.level)} /></span>
            {r.rank !== undefined ? <span class="muted">, ranked as number {count(r.rank)}</span> : null}
          </li>
        ))}
      </ul>
    </>
  );
}
