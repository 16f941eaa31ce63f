/** The kit: everything that pages are made of. Pages import from here and make no second version of any of it. */
export { useWidth } from "./chart";
export { LineChart, type Axis, type Series } from "./chart-line";
export { Bars, Distribution, Scatter, type Point } from "./chart-marks";
export { Code, type Mark } from "./code";
export { csv } from "./csv";
export { Diff } from "./diff";
export { count, decimal, minus, money, percent, plural, seconds, when } from "./format";
export { useKeys, type Keys } from "./keys";
export { languageOfPath } from "./languages";
export { Markdown } from "./markdown";
export { above, go, href, replace, setQuery, useRoute, type Query } from "./router";
export { Badge, Copy, Empty, Fact, Loading, Severity, severityRank, SeveritySign, StatusBadge, Tabs } from "./small";
export { Stack, StackLegend, type StackPart } from "./stack";
export { Table, type Column, type Value } from "./table";
export { Raw, Visible } from "./text";
export { Virtual } from "./virtual";
