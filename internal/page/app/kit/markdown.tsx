/** Markdown by models: never HTML, links shown with where they lead. */
import { Raw } from "./text";

/** Markdown as elements of the page. */
export function Markdown(p: { text: string }) {
  return <Raw text={p.text} />;
}
