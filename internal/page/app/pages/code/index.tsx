/** The codebase: a map and a list of its files, and each file with what was seen of it and found in it. */
import { Codebase } from "./codebase";
import { FileView } from "./file";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";

/** The section "code": "code", "code/file/PATH". */
export function CodePage(p: PageProps) {
  const path = p.rest.slice(1).join("/");
  if (p.rest[0] === "file" && path !== "") return <FileView key={path} path={path} />;
  return p.rest.length === 0 ? <Codebase /> : <Unknown what={p.rest.join("/")} />;
}
