/**
 * Markdown that models wrote. marked's lexer takes it apart; this module makes elements of the parts. No HTML is ever
 * made of it: tags in the text are shown as text, pictures as their description, and a link shows where it leads.
 */
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { Lexer, type MarkedToken, type Token } from "marked";
import { Code } from "./code";
import { Raw, Visible } from "./text";

/** Longer texts, and texts nested deeper, are shown as they are: the lexer's time and stack have bounds. */
const maxText = 300_000;
const maxDepth = 40;

/** Markdown as elements of the page. Headings begin at h3: they belong under the page's own. */
export function Markdown(p: { text: string }) {
  const tokens = useMemo(() => lex(p.text), [p.text]);
  if (tokens === null) return <Raw text={p.text} />;
  return <div class="markdown">{blocks(tokens, 0)}</div>;
}

/** The parts of a text, or null for one that is better shown as it is. */
export function lex(text: string): Token[] | null {
  if (text.length > maxText || hostile(text)) return null;
  try {
    return new Lexer({ gfm: true }).lex(text);
  } catch {
    return null; // too deep for the stack, or a text that the lexer cannot end
  }
}

/** Whether a text would cost the lexer more time or stack than one that a person would write. */
function hostile(text: string): boolean {
  // Each of these nests: quotes and lists on a line, brackets in a row.
  if (/^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){20}/m.test(text) || /[[\](*_~`!<]{60}/.test(text)) return true;
  // Within a paragraph the lexer's time grows with the square of what may open or close emphasis or a link.
  let cost = 0;
  let marks = 0;
  for (const line of text.split("\n")) {
    if (/^\s*$|^\s{0,8}(?:[-+*]|#{1,6}|\d{1,9}[.)])\s/.test(line)) marks = 0;
    const found = line.match(/[*_~[\]]/g)?.length ?? 0;
    cost += (marks + found) ** 2 - marks ** 2;
    marks += found;
  }
  return cost > 9_000_000;
}

/** The address that a link may lead to: http and https only. */
export function safeLink(target: string): string | null {
  try {
    const url = new URL(target);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
  } catch {
    return null;
  }
}

function blocks(tokens: readonly Token[], depth: number): ComponentChildren[] {
  return tokens.map((t, i) => block(t as MarkedToken, i, depth));
}

function block(t: MarkedToken, key: number, depth: number): ComponentChildren {
  if (depth > maxDepth) return <Raw key={key} text={t.raw} />;
  switch (t.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr key={key} />;
    case "heading": {
      const H = (["h3", "h4", "h5", "h6"] as const)[Math.min(3, Math.max(0, t.depth - 1))]!;
      return <H key={key}>{inline(t.tokens, depth + 1)}</H>;
    }
    case "code":
      return <Code key={key} bare text={t.text} language={(t.lang ?? "").split(/\s/)[0]!} />;
    case "blockquote":
      return <blockquote key={key}>{blocks(t.tokens, depth + 1)}</blockquote>;
    case "list": {
      const items = t.items.map((item, i) => <li key={i}>{blocks(item.tokens, depth + 1)}</li>);
      return t.ordered ? <ol key={key} start={typeof t.start === "number" ? t.start : 1}>{items}</ol> : <ul key={key}>{items}</ul>;
    }
    case "table":
      return (
        <div key={key} class="table-scroll">
          <table>
            <thead>
              <tr>{t.header.map((cell, i) => <th key={i} scope="col">{inline(cell.tokens, depth + 1)}</th>)}</tr>
            </thead>
            <tbody>
              {t.rows.map((row, r) => <tr key={r}>{row.map((cell, i) => <td key={i}>{inline(cell.tokens, depth + 1)}</td>)}</tr>)}
            </tbody>
          </table>
        </div>
      );
    case "paragraph":
      return <p key={key}>{inline(t.tokens, depth + 1)}</p>;
    case "html":
      return <p key={key}><Visible text={t.text} /></p>;
    default:
      return <span key={key}>{inline([t], depth + 1)}</span>;
  }
}

function inline(tokens: readonly Token[] | undefined, depth: number): ComponentChildren[] {
  return (tokens ?? []).map((token, i) => {
    const t = token as MarkedToken;
    if (depth > maxDepth) return <Visible key={i} text={t.raw} />;
    switch (t.type) {
      case "strong":
        return <strong key={i}>{inline(t.tokens, depth + 1)}</strong>;
      case "em":
        return <em key={i}>{inline(t.tokens, depth + 1)}</em>;
      case "del":
        return <del key={i}>{inline(t.tokens, depth + 1)}</del>;
      case "codespan":
        return <code key={i}><Visible text={t.text} /></code>;
      case "br":
        return <br key={i} />;
      case "checkbox":
        return <span key={i}>{t.checked ? "☑ " : "☐ "}</span>;
      case "link":
        return <Link key={i} target={t.href} text={t.text}>{inline(t.tokens, depth + 1)}</Link>;
      case "image":
        return <span key={i} class="muted">[picture: <Visible text={t.text || "no description"} />, <Visible text={t.href} />]</span>;
      case "text":
        return t.tokens === undefined ? <Visible key={i} text={entities(t.text)} /> : <span key={i}>{inline(t.tokens, depth + 1)}</span>;
      case "escape":
        return <Visible key={i} text={t.text} />;
      default:
        return <Visible key={i} text={t.raw} />;
    }
  });
}

/** The characters that Markdown writes as entities, most often in examples of HTML. */
function entities(text: string): string {
  const known: { [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", nbsp: "\u00a0" };
  return text.replace(/&(lt|gt|amp|quot|#39|nbsp);/g, (_, name: string) => known[name]!);
}

/** A link that says where it leads; one that leads elsewhere than to the web is text. */
function Link(p: { target: string; text: string; children: ComponentChildren }) {
  const address = safeLink(p.target);
  const told = p.text === p.target ? null : <span class="muted link-target"> (<Visible text={p.target} />)</span>;
  if (address === null) return <span>{p.children}{told}</span>;
  return <span><a href={address} target="_blank" rel="noreferrer noopener">{p.children}</a>{told}</span>;
}
