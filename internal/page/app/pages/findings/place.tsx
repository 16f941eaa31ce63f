/** Where a finding is, as a link to that line of the file. */
import type { Finding } from "../../documents";
import { href, Visible } from "../../kit";

/** The place in words: "app/web.py:13", or with several lines "app/web.py:13-15". */
export function placeOf(f: { file: string; line: number; end_line: number }): string {
  if (f.file === "") return "no file named";
  if (f.line === 0) return f.file;
  return `${f.file}:${f.line}` + (f.end_line > f.line ? `-${f.end_line}` : "");
}

/** A link to the lines; `near` leaves the file's name out. */
export function Place(p: { finding: Finding; near?: boolean }) {
  const { finding: f } = p;
  const text = p.near
    ? f.line === 0
      ? "no line named"
      : f.end_line > f.line
        ? `lines ${f.line} to ${f.end_line}`
        : `line ${f.line}`
    : placeOf(f);
  if (f.file === "") return <span class="muted">{text}</span>;
  return (
    <a class="mono place" href={href("code/file/" + f.file, f.line > 0 ? { line: f.line } : {})}>
      <Visible text={text} />
    </a>
  );
}
