/** Starts the page: the one entry of the bundle. */
import { render } from "preact";
import { startKeys } from "./kit/keys";
import { holdsOneRun } from "./router";
import { Shell } from "./shell";
import { findSource } from "./source";
import { startTheme } from "./theme";

const source = findSource(document);
holdsOneRun(source.single);
startTheme();
startKeys();
const place = document.getElementById("app");
if (place !== null) render(<Shell source={source} />, place);
