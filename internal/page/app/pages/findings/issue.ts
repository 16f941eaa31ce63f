/** A finding as the text of an issue, in Markdown. */
import type { Finding, Snippet } from "../../documents";
import { languageOfPath } from "../../kit/languages";
import { placeOf } from "./place";

/** What a second look says of a finding. */
const looked: { readonly [status: string]: string } = {
  stands: "stands", partly: "partly true", by_design: "documented as meant", unsure: "doubted",
};

/** What is pasted into an issue tracker: what, where, the code, why, what to do. Texts of models stay text. */
export function issueText(f: Finding, repository: string, commit: string, snippet?: Snippet): string {
  const parts = [`# ${line(f.title)}`];
  const facts = [
    `**Severity:** ${line(f.severity)}`, `**Category:** ${line(f.category)}${f.cwe ? ` (${line(f.cwe)})` : ""}`,
    `**Where:** ${span(placeOf(f))}`,
  ];
  if (repository !== "") facts.push(`**Repository:** ${span(repository)}${commit === "" ? "" : ` at ${span(commit)}`}`);
  parts.push(facts.join("  \n"));
  const code = snippet?.text ?? f.evidence;
  if (code !== "") parts.push((snippet ? `From line ${snippet.from}:\n\n` : "") + fence(code, languageOfPath(f.file)));
  if (f.explanation !== "") parts.push(plain(f.explanation));
  if (f.suggestion !== "") parts.push("**Suggestion:** " + plain(f.suggestion));
  const second = f.verification;
  if (second !== undefined && second.status !== "unverified") {
    const word = looked[second.status] ?? "refuted";
    parts.push(`**Second look:** ${word}${second.reason ? `: ${plain(second.reason)}` : ""}`);
    const ran = second.execution;
    if (ran) {
      const at = span(`${ran.file}:${ran.line}`);
      parts.push(`Demonstrated by execution against ${span(ran.function)} at ${at}:\n\n${fence(ran.check, "python")}`);
    }
  }
  const id = f.id.includes("-") ? "" : `, finding ${span(f.id)}`;
  parts.push(`Confidence ${f.confidence.toFixed(2)}, as the model that found it says. Found by deeprepo${id}.`);
  return parts.join("\n\n") + "\n";
}

/** A fence that nothing in the code can close. */
export function fence(code: string, info: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).slice(0, 10_000).map((run) => run.length));
  const marks = "`".repeat(Math.max(3, longest + 1));
  return `${marks}${info}\n${code.replace(/\n$/, "")}\n${marks}`;
}

/** A code span that nothing in the text can close. */
export function span(text: string): string {
  const flat = text.replace(/[\r\n]+/g, " ");
  const longest = Math.max(0, ...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  const room = flat.startsWith("`") || flat.endsWith("`") ? " " : "";
  return marks + room + flat + room + marks;
}

/** Text of a model for Markdown: no HTML, no image, no mention that calls somebody. */
function plain(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/!\[/g, "!\\[")
    .replace(/(^|[^\w`])@(?=\w)/g, "$1@\u200b")
    .trim();
}

function line(text: string): string {
  return plain(text.replace(/\s+/g, " "));
}
