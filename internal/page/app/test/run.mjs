// Runs the unit tests: bundles them with the same esbuild that makes dist/, then hands them to node's own runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = mkdtempSync(join(tmpdir(), "page-test-"));
const tests = readdirSync(here).filter((f) => /\.test\.tsx?$/.test(f)).map((f) => join(here, f));
const run = (command, args) => spawnSync(command, args, { stdio: "inherit", cwd: here }).status ?? 1;
let status = run("go", [
  "tool", "-modfile=../../../../tools/go.mod", "esbuild", ...tests, "--bundle", "--platform=node", "--format=esm", "--jsx=automatic",
  "--jsx-import-source=preact", "--out-extension:.js=.mjs", "--loader:.css=text", "--log-level=warning", "--sourcemap=inline",
  `--outdir=${out}`,
]);
if (status === 0) status = run(process.execPath, ["--test", "--test-reporter=dot", ...readdirSync(out).map((f) => join(out, f))]);
rmSync(out, { recursive: true });
process.exitCode = status;
