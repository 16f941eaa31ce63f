/** What a root was told in a turn: what was new, or the whole prompt with what was new marked. */
import { useEffect, useRef } from "preact/hooks";
import { ProblemBox, useDoc, type Prompt } from "../../documents";
import { Badge, Copy, count, Loading, plural, Raw, setQuery, type Query } from "../../kit";
import { Clip } from "./clip";
import { Part } from "./part";

/** The prompt of a turn. Which of the two forms is shown is kept in the query. */
export function PromptView(p: { base: string; seq: number; message: string; first: boolean; query: Query }) {
  const whole = p.query["prompt"] === "whole";
  return (
    <Part
      title="Prompt"
      note={whole ? "everything that the root was sent" : p.first ? "the first message" : "what was new since the turn before"}
      tools={
        <>
          <span class="switch" role="group" aria-label="How much of the prompt">
            <button type="button" class="button small" aria-pressed={!whole} onClick={() => setQuery({ prompt: undefined })}>
              What was new
            </button>
            <button type="button" class="button small" aria-pressed={whole} onClick={() => setQuery({ prompt: "whole" })}>
              Whole prompt
            </button>
          </span>
          {whole ? null : <Copy text={p.message} label="Copy" />}
        </>
      }
    >
      {whole ? <WholePrompt base={p.base} seq={p.seq} /> : <Message text={p.message} />}
    </Part>
  );
}

function Message(p: { text: string }) {
  if (p.text === "") return <p class="muted">Nothing was recorded.</p>;
  return <Clip text={p.text} lines={18} what="message">{(text) => <Raw text={text} name="What was new in the prompt" />}</Clip>;
}

const roles: { readonly [role: string]: string } = { system: "System prompt", user: "To the root", assistant: "The root" };

function WholePrompt(p: { base: string; seq: number }) {
  const { doc, error } = useDoc<Prompt>(`${p.base}prompt/${p.seq}`);
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    box.current?.querySelector(".message-new")?.scrollIntoView({ block: "nearest" });
  }, [doc]);
  if (!doc) return error ? <ProblemBox problem={error} /> : <Loading />;
  const chars = doc.messages.reduce((n, m) => n + m.text.length + (m.calls ?? []).reduce((c, call) => c + call.length, 0), 0);
  return (
    <>
      <p class="muted prompt-size">
        {plural(doc.messages.length, "message")}, {count(chars)} characters; {count(doc.messages.length - doc.new_from)} new.
        {doc.exact ? "" : " This trace did not keep its system prompt."}
      </p>
      <ol class="messages" ref={box}>
        {doc.messages.map((m, i) => (
          <li key={i} class={"message message-" + m.role + (i >= doc.new_from ? " message-new" : "")}>
            <p class="message-head">
              {roles[m.role] ?? m.role}
              {m.turn > 0 ? <span class="muted"> · turn {m.turn}</span> : null}
              {i >= doc.new_from ? <Badge tone="live">new</Badge> : null}
              <Copy text={m.text} label="Copy" />
            </p>
            {m.text === "" && m.calls ? null : (
              <Clip text={m.text} lines={i >= doc.new_from ? 40 : 8} what="message">
                {(text) => <Raw text={text} name={roles[m.role] ?? m.role} />}
              </Clip>
            )}
            {m.calls?.map((call, k) => (
              <div key={k}>
                <p class="muted call-head">call of execute_python</p>
                <Clip text={call} lines={i >= doc.new_from ? 40 : 8} what="call">
                  {(text) => <Raw text={text} name="Call of execute_python" />}
                </Clip>
              </div>
            ))}
          </li>
        ))}
      </ol>
    </>
  );
}
