/** What a review found: a list in groups, each finding with its code and its reasons, and the findings that do not count. */
import { useMemo, useRef } from "preact/hooks";
import { ProblemBox, useDoc, type Finding, type Findings } from "../../documents";
import { count, Empty, href, Loading, plural, replace, setQuery, Tabs, useKeys, useRoute } from "../../kit";
import { Analysis } from "./analysis";
import { useDeciding } from "./decide";
import { Detail } from "./detail";
import { group, keeps, type By, type Filter } from "./groups";
import { issueText } from "./issue";
import { copyText, FindingList } from "./list";
import { Narrow } from "./narrow";
import { Printed } from "./print";
import { secondSentence } from "./second";
import type { PageProps } from "../props";

const lists = ["findings", "ungrounded", "refuted", "dismissed", "suppressed", "fixed"] as const;
type List = (typeof lists)[number];

const titles: { readonly [list in List]: string } = {
  findings: "Findings", ungrounded: "Not confirmed", refuted: "Refuted", dismissed: "Dismissed", suppressed: "Suppressed",
  fixed: "Fixed",
};

const bys = ["severity", "first", "file", "category", "rule"] as const;

const notes: { readonly [list in List]: string } = {
  findings: "",
  ungrounded: "These claims quoted no code that could be found in the codebase. They do not count.",
  refuted:
    "The named verifier says that the code proves these findings wrong. They do not count; judge the proof yourself.",
  dismissed: "The root took these findings back. They do not count; judge its reason yourself.",
  suppressed: "These are left out by a comment in the source, by the suppress file, or by what people decided about them.",
  fixed: "The change mended these. They are as the code before it has them.",
};

/** The section "findings": "findings", "findings/ID". The query says: tab, by, and the filter q, severity, category, second. */
export function FindingsPage(p: PageProps) {
  const { doc, error } = useDoc<Findings>("findings");
  return (
    <>
      {error ? <ProblemBox problem={error} /> : null}
      {doc ? <Shown doc={doc} page={p} /> : error ? null : <Loading />}
    </>
  );
}

function Shown(p: { doc: Findings; page: PageProps }) {
  const { doc } = p;
  const { query } = useRoute();
  const id = p.page.rest[0] ?? "";
  // A link to a finding opens the list that it is in.
  const home = useMemo(() => lists.find((l) => doc[l].some((f) => f.id === id)), [doc, id]);
  const asked = query.tab ?? "";
  const tab = asked === "analysis" ? "analysis" : (lists.find((l) => l === asked) ?? home ?? "findings");
  const list: List = tab === "analysis" ? "findings" : tab;
  const usual = usualOrder(doc);
  const by: By = bys.find((b) => b === query.by) ?? usual;
  const filter: Filter = {
    text: query.q ?? "", severity: query.severity ?? "", category: query.category ?? "", second: query.second ?? "",
  };
  const kept = useMemo(
    () => doc[list].filter((f) => keeps(filter, f)),
    [doc, list, filter.text, filter.severity, filter.category, filter.second],
  );
  const rows = useMemo(() => group(kept, by, doc.top), [kept, by, doc.top]);
  const order = useMemo(() => rows.flatMap((r) => ("finding" in r ? [r.finding] : [])), [rows]);
  const named = order.find((f) => f.id === id);
  const chosen = named ?? order[0]; // on a wide window the first one is open until another one is chosen
  const unknown = id !== "" && home === undefined;
  const deciding = useDeciding();
  const field = useRef<HTMLInputElement>(null);
  const facts = { repository: p.page.run.review?.repository ?? "", commit: fact(p.page, "commit") };
  const issue = (f: Finding) =>
    issueText(f, facts.repository, facts.commit, Object.hasOwn(doc.snippets, f.id) ? doc.snippets[f.id] : undefined);

  const select = (f: Finding | undefined) => f && replace("findings/" + f.id, { ...query, tab: list === "findings" ? "" : list });
  const nothingOpen = chosen === undefined || (named === undefined && !wide());
  const move = (by: number) =>
    select(order[nothingOpen ? 0 : Math.min(order.length - 1, Math.max(0, order.indexOf(chosen) + by))]);
  useKeys(
    {
      "/": () => field.current?.focus(),
      ...(tab === "analysis" ? {} : { j: () => move(1), k: () => move(-1) }),
      ...(chosen
        ? {
            c: () => void copyText(issue(chosen)),
            Enter: () => (location.hash = href("code/file/" + chosen.file, chosen.line > 0 ? { line: chosen.line } : {})),
            ...(named ? { Escape: () => replace("findings", query) } : {}),
          }
        : {}),
    },
    "Findings: Enter opens the file, c copies as an issue",
  );
  return (
    <div class={"findings" + (named && tab !== "analysis" ? " has-chosen" : "")}>
      {unknown ? (
        <ProblemBox problem={{ status: 404, message: `This review has no finding ${id}.`, hint: "It may be of another run." }} />
      ) : null}
      <Printed doc={doc} />
      <Tabs
        name="Findings"
        selected={tab}
        onSelect={(key) => replace("findings", { ...query, tab: key === "findings" ? "" : key })}
        tabs={[
          ...lists
            .filter((l) => l === "findings" || l === tab || doc[l].length > 0)
            .map((l) => ({
              key: l,
              title: (
                <>
                  {titles[l]} <span class="muted">{count(doc[l].length)}</span>
                </>
              ),
            })),
          ...(doc.analysis || tab === "analysis" ? [{ key: "analysis", title: "Analysis" }] : []),
        ]}
      />
      {tab === "analysis" ? (
        <Analysis doc={doc} />
      ) : (
        <>
          <p class="muted findings-note">
            {notes[list] || (doc.verification ? secondSentence(doc.verification) : "")}
            {list === "findings" && doc.change ? ` ${doc.change}.` : ""}
            {list === "findings" && doc.known
              ? ` ${plural(doc.known, "finding")} known from the baseline report ${doc.known === 1 ? "is" : "are"} left out here.`
              : ""}
            {doc.truncated ? " There are more in report.json." : ""}
            {list === "findings" && p.page.run.status === "partial"
              ? " The review is partial: what is not listed may simply not have been looked at."
              : ""}
          </p>
          {doc[list].length === 0 ? (
            <Empty title={list === "findings" ? noneTitle(doc, p.page.run.status) : "None."}>
              {list === "findings" ? <p>{noneMeans(p.page)}</p> : null}
            </Empty>
          ) : (
            <>
              <Narrow
                field={field} findings={doc[list]} filter={filter} by={by} usual={usual} shown={kept.length}
                second={doc.verification !== undefined && list === "findings"}
              />
              <div class="findings-body">
                {rows.length > 0 ? <FindingList rows={rows} by={by} chosen={chosen} onChoose={select} query={query} /> : <div />}
                {chosen ? (
                  <Detail
                    key={chosen.id} finding={chosen} doc={doc} issue={() => issue(chosen)} deciding={deciding}
                    onBack={() => replace("findings", query)}
                  />
                ) : (
                  <div class="detail detail-none">
                    <Empty title="No finding passes the filter.">
                      <button type="button" class="button" onClick={() => setQuery({ q: "", severity: "", category: "", second: "" })}>
                        Show all
                      </button>
                    </Empty>
                  </div>
                )}
              </div>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** How the list is grouped until the reader chooses: by what to do first, where that leaves something out. */
export function usualOrder(doc: Pick<Findings, "top" | "findings">): By {
  return doc.top.length > 0 && doc.top.length < doc.findings.length ? "first" : "severity";
}

/** Whether list and finding stand side by side: findings.css has the same width. */
function wide(): boolean {
  return matchMedia("(min-width: 900px)").matches;
}

function fact(page: PageProps, name: string): string {
  return page.run.facts.find((f) => f.name === name)?.value ?? "";
}

/** What an empty list says: one that failed, or leaves out what is known, does not say that there are none. */
export function noneTitle(doc: Pick<Findings, "known">, status: string): string {
  if (status === "failed") return "The review failed before anything was found.";
  return doc.known !== undefined ? "Nothing new." : "No findings.";
}

/** What it means that there are none. */
function noneMeans(page: PageProps): string {
  return page.run.score === undefined || page.run.score > 0.999
    ? "That does not prove that there is nothing to find."
    : "Not every line was reviewed: Code shows which were missed.";
}
