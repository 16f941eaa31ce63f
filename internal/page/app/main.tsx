/*!
 * This page holds, beside its own code:
 * Preact, Copyright (c) 2015-present Jason Miller;
 * uPlot, Copyright (c) 2022 Leon Sorokin;
 * Marked, Copyright (c) 2018+, MarkedJS, and Copyright (c) 2011-2018, Christopher Jeffrey;
 * each under the MIT License:
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
 * documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
 * rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
 * permit persons to whom the Software is furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
 * Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
 * WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
 * COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
 * OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
 */
/** Starts the page: the one entry of the bundle. */
import { render } from "preact";
import { findSource } from "./documents/source";
import { startKeys } from "./kit/keys";
import { holdsOneRun } from "./kit/router";
import { Shell } from "./shell/shell";
import { startTheme } from "./shell/theme";

const source = findSource(document);
holdsOneRun(source.single);
startTheme();
startKeys();
const place = document.getElementById("app");
if (place !== null) render(<Shell source={source} />, place);
