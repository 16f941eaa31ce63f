/** One dispatch by itself: the exact prompt that a worker was sent, its exact reply, and the findings that came of it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ProblemBox, useDoc, type Dispatch, type Finding, type Findings, type Run, type Trace } from "../../documents";
import {
  Badge, Code, Copy, count, Empty, Fact, go, href, languageOfPath, Loading, money, plural, Raw, replace, seconds, Severity, useKeys,
  Visible, type Query,
} from "../../kit";
import { Clip } from "./clip";
import { Part } from "./part";
import { sections, type Section } from "./sections";
import { StepLink } from "./step";
import { addressOf, type Row, type Timeline } from "./timeline";

/** The dispatch with event number seq, of a turn. */
export function DispatchView(p: {
  run: Run; base: string; at: string; turn: Row; seq: number; trace: Trace; timeline: Timeline; query: Query;
}) {
  const { turn, trace } = p;
  const index = turn.dispatches.indexOf(p.seq - trace.seq0);
  const { doc, error } = useDoc<Dispatch>(index < 0 ? null : `${p.base}dispatch/${p.seq}`);
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.parentElement?.scrollTo({ top: 0 }), [p.seq]);
  const near = (by: number) => {
    const event = turn.dispatches[index + by];
    return event === undefined ? undefined : trace.seq0 + event;
  };
  const back = `${p.at}/${addressOf(p.timeline, turn)}`;
  const step = (by: number) => {
    const seq = near(by);
    if (seq !== undefined) replace(`${back}/dispatch/${seq}`, p.query);
  };
  useKeys({ J: () => step(1), K: () => step(-1), "]": () => step(1), "[": () => step(-1), Escape: () => go(back, p.query) }, "Dispatch");
  if (index < 0) {
    return (
      <Empty title={`Turn ${turn.number} has no dispatch with event ${p.seq}.`}>
        <a href={href(back, p.query)}>The turn</a>
      </Empty>
    );
  }
  return (
    <article class="turn" ref={box} aria-labelledby="dispatch-title">
      <header class="turn-head">
        <h2 id="dispatch-title">
          <a href={href(back, p.query)}>Turn {turn.number}</a> <span class="muted">›</span> Dispatch {count(index + 1)}{" "}
          <span class="muted">of {count(turn.dispatches.length)}</span>
        </h2>
        <nav class="steps" aria-label="Neighbouring dispatches">
          <StepLink to={near(-1)} at={back + "/dispatch"} query={p.query} title="Previous dispatch (K)">‹</StepLink>
          <StepLink to={near(1)} at={back + "/dispatch"} query={p.query} title="Next dispatch (J)">›</StepLink>
        </nav>
      </header>
      {doc ? <DispatchBody run={p.run} base={p.base} doc={doc} /> : error ? <ProblemBox problem={error} /> : <Loading />}
    </article>
  );
}

function DispatchBody(p: { run: Run; base: string; doc: Dispatch }) {
  const { doc } = p;
  return (
    <>
      <dl class="facts facts-dense">
        <Fact name="Model">{doc.model || "?"}</Fact>
        <Fact name="Prompt">{count(doc.usage.input_tokens)} tokens</Fact>
        <Fact name="Reply">{count(doc.usage.output_tokens)} tokens</Fact>
        <Fact name="Time">{seconds(doc.seconds)}</Fact>
        <Fact name="Cost">{money(doc.usage.cost_usd)}</Fact>
        {doc.purpose ? <Fact name="Asked for">a {doc.purpose}</Fact> : null}
        {doc.cached ? <Fact name="Cache"><Badge title="Answered from the content cache, at no cost">cached</Badge></Fact> : null}
        {doc.redacted > 0 ? <Fact name="Redacted"><Badge tone="warn">{plural(doc.redacted, "secret")} taken out</Badge></Fact> : null}
        <Fact name="Key"><code><Visible text={doc.key} /></code></Fact>
      </dl>
      {doc.error ? <ProblemBox problem={{ status: 0, message: "The dispatch failed.", hint: doc.error }} /> : null}
      <FileLinks run={p.run} base={p.base} files={doc.files} />
      {p.base === "" && p.run.sections.includes("findings") ? <FromHere wanted={doc.key} /> : null}
      <div class="exchange">
        <PromptText run={p.run} base={p.base} doc={doc} />
        <ReplyText reply={doc.reply} failed={doc.error !== undefined} />
      </div>
    </>
  );
}

/** The most files that are listed before the reader asks for all of them. */
const fewFiles = 8;

/** Links to the code page, where the run has one. */
function FileLinks(p: { run: Run; base: string; files: string[] }) {
  const [all, set] = useState(false);
  if (p.files.length === 0) return null;
  const linked = p.base === "" && p.run.sections.includes("code");
  const shown = all || p.files.length <= fewFiles + 2 ? p.files : p.files.slice(0, fewFiles);
  return (
    <Part
      title="Files"
      note={`whose lines the prompt held: ${count(p.files.length)}`}
      tools={
        p.files.length > shown.length || all ? (
          <button type="button" class="button small" aria-pressed={all} onClick={() => set(!all)}>
            {all ? "Fewer" : `All ${count(p.files.length)}`}
          </button>
        ) : null
      }
    >
      <ul class="file-links">
        {shown.map((path) => (
          <li key={path}>{linked ? <a href={href("code/file/" + path)}><Visible text={path} /></a> : <Visible text={path} />}</li>
        ))}
      </ul>
    </Part>
  );
}

/** The findings that this dispatch claimed, and those that it checked. */
function FromHere(p: { wanted: string }) {
  const { doc } = useDoc<Findings>("findings");
  if (!doc) return null;
  const kinds: [Finding[], string][] = [
    [doc.findings, ""],
    [doc.ungrounded, "ungrounded"],
    [doc.refuted, "refuted"],
    [doc.dismissed, "dismissed"],
    [doc.suppressed, "suppressed"],
  ];
  const mine = kinds.flatMap(([list, kind]) =>
    list.flatMap((f) => {
      const claimed = f.sources.includes(p.wanted);
      return claimed || f.verification?.source === p.wanted ? [{ f, kind, claimed }] : [];
    }),
  );
  if (mine.length === 0) return null;
  return (
    <Part title="Findings" note={`that this dispatch claimed or checked: ${count(mine.length)}`}>
      <ul class="found">
        {mine.map(({ f, kind, claimed }) => (
          <li key={f.id}>
            <Severity s={f.severity} /> <a href={href("findings/" + f.id)}><Visible text={f.title} /></a>{" "}
            <span class="muted">
              <Visible text={`${f.file}:${f.line}`} />
            </span>{" "}
            {kind ? <Badge>{kind}</Badge> : null} {claimed ? null : <Badge>checked here</Badge>}
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** The prompt with each file that it holds as code; "Exact text" shows it as it was sent. */
function PromptText(p: { run: Run; base: string; doc: Dispatch }) {
  const [exact, set] = useState(false);
  const { prompt } = p.doc;
  const parts = sections(prompt);
  const plain = exact || parts.every((part) => part.path === undefined);
  return (
    <Part
      title="Prompt"
      note={`${count(prompt.length)} characters, as sent`}
      tools={
        <>
          {parts.some((part) => part.path !== undefined) ? (
            <button type="button" class="button small" aria-pressed={exact} onClick={() => set(!exact)}>
              Exact text
            </button>
          ) : null}
          <Copy text={prompt} label="Copy" />
        </>
      }
    >
      {plain ? (
        <Clip text={prompt} lines={200} what="prompt">{(text) => <Raw text={text} name="Prompt" />}</Clip>
      ) : (
        parts.map((part, i) => (
          <PromptPart key={i} part={part} linked={p.base === "" && p.run.sections.includes("code")} lines={parts.length > 3 ? 16 : 80} />
        ))
      )}
    </Part>
  );
}

function PromptPart(p: { part: Section; linked: boolean; lines: number }) {
  const { part } = p;
  if (part.path === undefined) return <Clip text={part.text.trimEnd()} lines={40} what="text">{(text) => <Raw text={text} />}</Clip>;
  return (
    <div class="prompt-file">
      <p class="prompt-file-head">
        {p.linked ? (
          <a href={href("code/file/" + part.path, { line: part.from })}>
            <Visible text={part.head.trimEnd()} />
          </a>
        ) : (
          <Visible text={part.head.trimEnd()} />
        )}
      </p>
      <Clip text={part.text.replace(/\n$/, "")} lines={p.lines} what="piece">
        {(text) => <Code text={text} language={languageOfPath(part.path ?? "")} from={part.from} name={part.path} />}
      </Clip>
    </div>
  );
}

/** The reply; JSON can be laid out for reading. */
function ReplyText(p: { reply: string; failed: boolean }) {
  const [laidOut, set] = useState(true);
  const json = indented(p.reply);
  const text = json !== undefined && laidOut ? json : p.reply;
  if (p.reply === "") return <Part title="Reply" note={p.failed ? "there is none" : "empty"}>{null}</Part>;
  return (
    <Part
      title="Reply"
      note={`${count(p.reply.length)} characters`}
      tools={
        <>
          {json !== undefined && json !== p.reply ? (
            <button type="button" class="button small" aria-pressed={!laidOut} onClick={() => set(!laidOut)}>
              Exact text
            </button>
          ) : null}
          <Copy text={p.reply} label="Copy" />
        </>
      }
    >
      <Clip text={text} lines={200} what="reply">
        {(part) => (json === undefined ? <Raw text={part} name="Reply" /> : <Code text={part} language="json" name="Reply" />)}
      </Clip>
    </Part>
  );
}

/** A JSON text with line breaks and indentation; undefined for any other text, and for one too long to be worth it. */
function indented(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text) || text.length > 1_000_000) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
