/** The codebase: a map and a list of its files, and each file with what was seen of it and found in it. */
import { Codebase } from "./codebase";
import { FileView } from "./file";
import type { PageProps } from "../props";

/** The section "code": "code", "code/file/PATH". */
export function CodePage(p: PageProps) {
  const path = p.rest.slice(1).join("/");
  return p.rest[0] === "file" && path !== "" ? <FileView key={path} path={path} /> : <Codebase />;
}
