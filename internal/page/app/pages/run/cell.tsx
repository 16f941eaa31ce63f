/** One cell: its code, its output exactly as the root saw it, its error, what it did to the REPL's variables. */
import type { Call, Cell, Variable } from "../../documents";
import { Badge, Code, Copy, count, href, plural, Raw, seconds, Table, Visible, type Column, type Query } from "../../kit";
import { Clip } from "./clip";
import { Part } from "./part";
import { limit } from "./words";

/** What the engine writes where it cut an output. */
const cutLine = /\n\[output cut: \d+ of \d+ characters are shown(?:: more\(\d*\) prints on)?\]/;

/** A cell. `at` is the path of its turn's page; `only` says that the turn has no other. */
export function CellView(p: { cell: Cell; at: string; query: Query; repeated: boolean; only: boolean }) {
  const { cell } = p;
  const asked = cell.dispatches.length > 0 ? `, ${plural(cell.dispatches.length, "dispatch", "dispatches")}` : "";
  return (
    <div class="pair">
      <Part
        event={cell.seq}
        title={<a href={href(`${p.at}/cell/${cell.seq}`, p.query)}>{p.only ? "Cell" : `Cell ${cell.index}`}</a>}
        note={`${count(cell.steps)} steps, ${seconds(cell.seconds)} of Python${asked}`}
        tools={<Copy text={cell.code} label="Copy" />}
      >
        <Clip text={cell.code.replace(/\n$/, "")} lines={60} what="cell">
          {(text) => <Code text={text} language="python" name={`Code of cell ${cell.index}`} />}
        </Clip>
      </Part>
      {cell.calls && cell.calls.length > 0 ? <Calls list={cell.calls} cell={cell.index} /> : null}
      <CellOutput cell={cell} repeated={p.repeated} />
      {cell.variables && cell.variables.length > 0 ? (
        <Variables list={cell.variables} total={cell.variables_total} cell={cell.index} />
      ) : null}
    </div>
  );
}

function CellOutput(p: { cell: Cell; repeated: boolean }) {
  const { cell } = p;
  const failed = cell.error_type !== undefined || cell.stop !== undefined;
  // The line alone could be printed by the cell, and the total alone is larger by the line breaks that were trimmed.
  const shown = cell.output.search(cutLine);
  const cut = shown >= 0 && cell.output_total > shown;
  return (
    <Part
      title="Output"
      note={
        <>
          {cut ? <>the root saw the first {count(shown)} of {count(cell.output_total)} characters </> : "as the root saw it "}
          {cell.error_type ? <Badge tone="bad">{cell.error_type}</Badge> : null}
          {cell.stop ? <Badge tone="bad">{limit(cell.stop)}</Badge> : null}
          {p.repeated ? <Badge tone="warn" title="The same error several times in a row">repeated error</Badge> : null}
          {cut ? <Badge tone="warn">cut</Badge> : null}
        </>
      }
      tools={cell.output === "" ? null : <Copy text={cell.output} label="Copy" />}
    >
      {cell.error ? <p class="cell-error"><Visible text={(cell.error_type ? cell.error_type + ": " : "") + cell.error} /></p> : null}
      {cell.output === "" ? null : (
        <div class={"output" + (failed ? " output-failed" : "")}>
          <Clip text={cell.output} lines={40} what="output">{(text) => <Raw text={text} name={`Output of cell ${cell.index}`} />}</Clip>
        </div>
      )}
    </Part>
  );
}

const callColumns: readonly Column<Call>[] = [
  { key: "name", title: "Name", value: (c) => c.name, render: (c) => <code><Visible text={c.name} /></code>, width: "8rem" },
  {
    key: "arguments", title: "Arguments", value: (c) => c.arguments,
    render: (c) => <code class="value"><Visible text={c.arguments} /></code>,
  },
  { key: "result", title: "Result", value: (c) => c.result, render: (c) => <Visible text={c.result} />, width: "35%" },
];

function Calls(p: { list: Call[]; cell: number }) {
  return (
    <Part title="Calls" note="what the cell looked at and judged">
      <Table name={`Calls of cell ${p.cell}`} rows={p.list} columns={callColumns} />
    </Part>
  );
}

const tones: { readonly [change: string]: "good" | "warn" | "bad" } = { new: "good", changed: "warn", deleted: "bad" };

const columns: readonly Column<Variable>[] = [
  {
    key: "change", title: "Change", value: (v) => v.change, render: (v) => <Badge tone={tones[v.change] ?? "plain"}>{v.change}</Badge>,
    width: "6rem",
  },
  { key: "name", title: "Name", value: (v) => v.name, render: (v) => <code><Visible text={v.name} /></code>, width: "12rem" },
  { key: "type", title: "Type", value: (v) => v.type, render: (v) => <code><Visible text={v.type} /></code>, width: "8rem" },
  { key: "value", title: "Value", value: (v) => v.value, render: (v) => <code class="value"><Visible text={v.value} /></code> },
];

function Variables(p: { list: Variable[]; total: number | undefined; cell: number }) {
  return (
    <Part
      title="Variables"
      note={`what the cell made, changed and deleted${p.total && p.total > p.list.length ? `: ${p.list.length} of ${count(p.total)}` : ""}`}
    >
      <Table name={`Variables of cell ${p.cell}`} rows={p.list} columns={columns} />
    </Part>
  );
}
