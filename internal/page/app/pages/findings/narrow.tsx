/** What narrows the list of findings, and how it is grouped. */
import type { RefObject } from "preact";
import type { Finding } from "../../documents";
import { count, setQuery, severityRank } from "../../kit";
import { values, type By, type Filter } from "./groups";

/** The filter's fields; each is kept in the query. */
export function Narrow(p: {
  field: RefObject<HTMLInputElement | null>; findings: readonly Finding[]; filter: Filter; by: By; usual: By; shown: number;
  second: boolean;
}) {
  const severities = values(p.findings, (f) => f.severity).sort((a, b) => severityRank(b.value) - severityRank(a.value));
  const categories = values(p.findings, (f) => f.category);
  return (
    <div class="filters findings-filters" role="search">
      <input
        ref={p.field} type="search" placeholder="Filter by text, file, category" aria-label="Filter findings" value={p.filter.text}
        onInput={(e) => setQuery({ q: e.currentTarget.value })}
      />
      <Choice name="Severity" value={p.filter.severity} all="any" options={severities} onChoose={(severity) => setQuery({ severity })} />
      <Choice name="Category" value={p.filter.category} all="any" options={categories} onChoose={(category) => setQuery({ category })} />
      {p.second ? (
        <Choice
          name="Second look"
          value={p.filter.second}
          all="any"
          options={[
            ...values(p.findings, (f) => f.verification?.status ?? "unverified"),
            { value: "executed", count: p.findings.filter((f) => f.verification?.execution !== undefined).length },
          ].filter((o) => o.count > 0)}
          onChoose={(second) => setQuery({ second })}
        />
      ) : null}
      <label class="choice">
        Group by{" "}
        <select value={p.by} onChange={(e) => setQuery({ by: e.currentTarget.value === p.usual ? "" : e.currentTarget.value })}>
          <option value="severity">severity</option>
          <option value="first">what to do first</option>
          <option value="file">file</option>
          <option value="category">category</option>
          <option value="rule">rule</option>
        </select>
      </label>
      <span class="muted" role="status">
        {p.shown === p.findings.length ? "" : `${count(p.shown)} of ${count(p.findings.length)}`}
      </span>
    </div>
  );
}

function Choice(p: {
  name: string; value: string; all: string;
  options: { value: string; count: number }[]; onChoose: (value: string) => void;
}) {
  return (
    <label class="choice">
      {p.name}{" "}
      <select value={p.value} onChange={(e) => p.onChoose(e.currentTarget.value)}>
        <option value="">{p.all}</option>
        {p.options.map((o) => (
          <option key={o.value} value={o.value}>
            {o.value} ({count(o.count)})
          </option>
        ))}
      </select>
    </label>
  );
}
