#pragma once

#include <string_view>

namespace previct {

// The style of HTML pages. A page uses nothing else: no script, no picture, no font, no address. Its content security
// policy names the style by its SHA-256, which a test compares.
inline constexpr std::string_view kStyleHash = "sV8zVLCWMUljGMjunwm9Eqt8qVvU9e2YZes2RIoPFno=";
inline constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #fff; --text: #1b1f24; --dim: #57606a; --line: #d0d7de; --band: #f6f8fa;
  --goes: #b3261e; --safe: #116329; --soon: #7d4e00; --new: #0550ae; --link: #0550ae;
  --bar-plain: #c9d1d9; --bar-goes: #f2b8b5; --bar-safe: #aceebb; --bar-soon: #fae17d; --bar-new: #a5d0ff;
  --mark: #fff2a8; --h1: #fff3e8; --h2: #ffe0c7; --h3: #ffc79b; --h4: #ffa968; --h5: #f98b3c; }
@media screen and (prefers-color-scheme: dark) { :root { --page: #0d1117; --text: #e6edf3; --dim: #9198a1; --line: #3d444d;
  --band: #151b23; --goes: #ff8a80; --safe: #56d364; --soon: #e3b341; --new: #79c0ff; --link: #79c0ff;
  --bar-plain: #3d444d; --bar-goes: #8c1d18; --bar-safe: #1a5c2e; --bar-soon: #6b4f00; --bar-new: #0d4a8f;
  --mark: #5c4a00; --h1: #24190f; --h2: #3d2812; --h3: #5a3612; --h4: #7c4612; --h5: #9e5510; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 100rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: 0 0 .5rem; overflow-wrap: anywhere; max-width: 60rem; font-weight: 600; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p { margin: .25rem 0; overflow-wrap: anywhere; max-width: 75rem; }
header p { color: var(--dim); font-size: .9rem; }
a { color: var(--link); }
:target { outline: 2px solid var(--link); outline-offset: -2px; }
.goes { color: var(--goes); } .safe { color: var(--safe); } .soon { color: var(--soon); }
.verdict { font-weight: 600; } .dim { color: var(--dim); }
.part { overflow-x: auto; margin: 2rem 0 0; } .part > h2 { margin-top: 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; min-width: min(100%, 32rem); }
th { text-align: left; color: var(--dim); font-size: .75rem; letter-spacing: .03em; vertical-align: bottom; }
th, td { padding: .4rem 1.5rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { overflow-wrap: break-word; max-width: 45rem; white-space: pre-wrap; }
td:first-child { font-weight: 600; } td.whole { white-space: nowrap; }
th.number, td.number { text-align: right; } td.number { white-space: nowrap; }
table.matrix { min-width: 0; } .matrix td.number, .matrix th.number { padding: .4rem .75rem; text-align: center; }
.matrix td.number { border: 1px solid var(--line); min-width: 4rem; }
.matrix td:first-child, .matrix th:first-child { position: sticky; left: 0; background: var(--page); min-width: 9rem; }
.h1 { background: var(--h1); } .h2 { background: var(--h2); } .h3 { background: var(--h3); }
.h4 { background: var(--h4); } .h5 { background: var(--h5); }
.matrix td, .swatch { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
figure { margin: 2rem 0 0; max-width: 75rem; }
figcaption { font-weight: 600; margin-bottom: .25rem; overflow-wrap: anywhere; }
.legend { font-size: .8rem; color: var(--dim); margin: .25rem 0; }
ul.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; list-style: none; margin: 0 0 .5rem; padding: 0; }
p.legend .swatch { margin: 0; width: 1.4em; }
.swatch { display: inline-block; width: .9em; height: .9em; margin-right: .4em; vertical-align: -.1em; border: 1px solid var(--line); }
.s-plain { background: var(--bar-plain); } .s-goes { background: var(--bar-goes); } .s-safe { background: var(--bar-safe); }
.s-soon { background: var(--bar-soon); } .s-verdict { background: var(--bar-new); } .s-dim { background: var(--band); border-style: dashed; }
.label { font-size: .85rem; color: var(--dim); margin-top: .4rem; overflow-wrap: anywhere; }
.d1 { padding-left: 1.25rem; } .d2 { padding-left: 2.5rem; } .d3 { padding-left: 3.75rem; } .d4 { padding-left: 5rem; }
svg { display: block; } svg svg { display: inline; }
.bar { background: var(--band); print-color-adjust: exact; -webkit-print-color-adjust: exact; }
text { fill: var(--text); font: 13px system-ui, sans-serif; }
.letters { display: flex; flex-wrap: wrap; height: 28px; overflow: hidden; font: 13px/28px system-ui, sans-serif; padding: 0 .3rem; }
.letters::before { content: ""; width: 1px; height: 28px; } .letters span { flex: none; white-space: nowrap; }
rect { stroke: var(--page); stroke-width: 2; }
.f-plain { fill: var(--bar-plain); } .f-goes { fill: var(--bar-goes); } .f-safe { fill: var(--bar-safe); }
.f-soon { fill: var(--bar-soon); } .f-verdict { fill: var(--bar-new); } .f-dim { fill: none; stroke: var(--line); stroke-dasharray: 4 3; stroke-width: 1; }
line { stroke: var(--text); stroke-dasharray: 3 3; } line.own { stroke-dasharray: none; stroke-width: 2; }
details { font-size: .85rem; margin-top: .5rem; max-width: 75rem; } summary { cursor: pointer; color: var(--dim); } details > .part { margin-top: .5rem; }
li { overflow-wrap: anywhere; }
mark { background: var(--mark); color: inherit; }
pre, code { background: var(--band); font-size: .85rem; font-family: ui-monospace, monospace; }
pre { padding: .5rem .75rem; margin: .25rem 0; white-space: pre-wrap; overflow-wrap: anywhere; } code { padding: .1rem .3rem; overflow-wrap: anywhere; }
.finding { border-left: 4px solid var(--line); padding: 0 0 0 .75rem; margin: 1.25rem 0 0; max-width: 75rem; }
.finding.error { border-color: var(--goes); } .finding.warning { border-color: var(--soon); }
.finding h2 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; } .finding .place { font-size: .85rem; }
footer { margin-top: 3rem; color: var(--dim); font-size: .8rem; }
@media (min-width: 48rem) {
  figure { display: grid; grid-template-columns: fit-content(38%) 1fr; gap: .25rem 1rem; align-items: center; }
  figcaption, figure > .legend, figure > details { grid-column: 1 / -1; } figure > svg { grid-column: 2; }
  figure > .label { margin: 0; } figure > details { margin: 0; } figure > .legend { margin: 0 0 .25rem; } figcaption { margin: 0; }
}
@media (max-width: 64rem) { th, td { padding-right: .9rem; } }
@media (max-width: 40rem) {
  main { padding: 1rem .75rem 2rem; } h1 { font-size: 1.25rem; }
  table:not(.matrix) { min-width: 0; }
  :not(.matrix) > thead, :not(.matrix) > tbody, :not(.matrix) > * > tr, :not(.matrix) > * > tr > th, :not(.matrix) > * > tr > td { display: block; }
  :not(.matrix) > * > tr > th:not(:first-child) { display: none; }
  :not(.matrix) > thead > tr > th { border: 0; padding: 0; }
  :not(.matrix) > tbody > tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  :not(.matrix) > * > tr > td, :not(.matrix) > * > tr > td:first-child { border: 0; padding: .1rem 0; white-space: pre-line; overflow-wrap: anywhere; }
  :not(.matrix) > * > tr > td.number { text-align: left; padding: .1rem 0; } :not(.matrix) > * > tr > td.none { display: none; }
  :not(.matrix) > * > tr > td:not(:first-child)::before { content: attr(data-head) " "; color: var(--dim); font-size: .75rem; }
}
@page { margin: 14mm 12mm; }
@media print {
  :root { color-scheme: light; font-size: 12px; } body { font-size: 1rem; } main { max-width: none; padding: 0; } .part { overflow: visible; }
  thead { display: table-header-group; } figure, tr, li, .finding { break-inside: avoid; } h1, h2, figcaption, summary { break-after: avoid; }
  th, td { padding-right: .75rem; } td { overflow-wrap: break-word; } td.long, td.whole.long { overflow-wrap: anywhere; white-space: pre-wrap; }
  th.long { overflow-wrap: anywhere; } .long { min-width: 9em; } text, .letters { font-size: 11px; }
  .matrix td.number, .matrix .long { min-width: 0; } .matrix td.number, .matrix th.number { padding: .3rem .4rem; }
  mark { text-decoration: underline; print-color-adjust: exact; -webkit-print-color-adjust: exact; } summary { list-style: none; font-weight: 600; }
}
@supports selector(::details-content) { @media print {
  details::details-content { display: block; content-visibility: visible; block-size: auto; opacity: 1; overflow: visible; }
  table:has(+ details.whole), p:has(+ details.whole), details.whole > summary { display: none; }
} }
)";

}  // namespace previct
