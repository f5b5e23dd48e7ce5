/** The looks of the report: light, dark, printed, and on a phone. */
export const style = `:root {
  color-scheme: light dark;
  --page: #fff; --panel: #f5f6f8; --line: #d9dde3; --text: #16191d; --muted: #555e69;
  --accent: #1f5fbf; --bar: #3b7ddd; --open: #a9c7f2; --gap: #c3cad3;
  --safe: #116329; --not_yet: #a40e26; --unknown: #7a4b00;
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1216; --panel: #181c22; --line: #323943; --text: #e6e9ee; --muted: #a3adb9;
    --accent: #7fb2ff; --bar: #5b97f0; --open: #44679c; --gap: #4a535f;
    --safe: #56d364; --not_yet: #ff8a80; --unknown: #e3b341;
  }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: break-word }
main, .bar { max-width: 80rem; margin: 0 auto; padding: 0 1.25rem }
main { padding-bottom: 3rem }
h1, h2, h3, p, figure, dl, dd, ul { margin: 0 }
h1 { font-size: .95rem; font-weight: 600; color: var(--muted) }
h2 { font-size: 1.2rem; margin: 2.75rem 0 .25rem }
h3 { font-size: 1rem; margin: 1.5rem 0 .25rem }
h2 + p, h3 + p { color: var(--muted); margin-bottom: .75rem; max-width: 60rem }
a { color: var(--accent) }
a:focus-visible, button:focus-visible, summary:focus-visible, select:focus-visible, input:focus-visible, .scroll:focus-visible {
  outline: 2px solid var(--accent); outline-offset: 2px;
}
time, .num { font-variant-numeric: tabular-nums }
time, .keep { white-space: nowrap }
code { font: .9em ui-monospace, "SF Mono", Menlo, Consolas, monospace }
bdi { overflow-wrap: anywhere } tbody th bdi { display: inline-block; max-width: 11.5rem; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom }
.muted, .none { color: var(--muted) }
header.top { padding: 1.75rem 0 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline }
header.top p { color: var(--muted); font-size: .9rem }
header.top .tools { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; align-items: center; flex-basis: 100% }
header.top .tools input[type=search] { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem; width: 16rem; max-width: 100% }
header.top nav { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .9rem }
.filtered { flex-basis: 100%; color: var(--text); border: 1px solid var(--unknown); border-left-width: 6px; border-radius: 8px; padding: .75rem 1.25rem; margin-bottom: .75rem; overflow-wrap: anywhere }
section, tr { scroll-margin-top: 4.5rem }

.verdict { border: 1px solid var(--line); border-left: 6px solid var(--state); border-radius: 8px; background: var(--panel); padding: 1.25rem 1.5rem }
.verdict h2 { margin: 0; font-size: 1.75rem; line-height: 1.25 }
.verdict > p, .verdict > ul { margin-top: .6rem }
.verdict ul { padding-left: 1.2rem; max-width: 60rem }
.verdict li { margin: .35rem 0; overflow-wrap: anywhere }
.verdict + .empty { margin-top: .75rem }
.safe { --state: var(--safe) } .not_yet { --state: var(--not_yet) } .unknown { --state: var(--unknown) }
.pill { display: inline-block; color: var(--state); border: 1px solid; border-radius: 99px; padding: 0 .55rem; font-size: .78rem; font-weight: 650; letter-spacing: .02em; white-space: nowrap }
.verdict > .pill { font-size: .85rem; margin-bottom: .5rem }
.answers { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem 1.25rem; margin-top: .75rem }
.answers dt { font-weight: 650 } .answers dd { overflow-wrap: anywhere; max-width: 66rem } .answers ul { margin: 0; padding-left: 1.1rem } .answers li { margin: 0 0 .3rem }
.tone { color: var(--state, inherit) } .tone.not_yet { font-weight: 650 }

.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin-top: .75rem }
.tiles div { border: 1px solid var(--line); border-radius: 8px; padding: .7rem 1rem }
.tiles dt { color: var(--muted); font-size: .85rem }
.tiles dd { font-size: 1.5rem; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums }
.tiles dd + dd { font-size: .85rem; font-weight: 400; color: var(--muted) }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
caption { text-align: left }
[aria-busy=true] { opacity: .6; transition: opacity .2s .15s }
th, td { text-align: left; vertical-align: top; padding: .5rem .65rem; border-top: 1px solid var(--line) }
thead th { border-top: 0; background: var(--panel); font-size: .8rem; font-weight: 600; color: var(--muted); vertical-align: bottom }
tbody th { font-weight: 600 }
table:not(.prose) :is(th, td) { white-space: nowrap }
table:not(.prose) tbody th { max-width: 21rem; overflow: hidden; text-overflow: ellipsis }
table:not(.prose) td.text { max-width: 9rem; overflow: hidden; text-overflow: ellipsis }
tbody th details { margin: 0 } tbody th summary { overflow: hidden; text-overflow: ellipsis; max-width: 100%; color: inherit }
tr.under { display: none } tr.under:target, tr:has(> th > details[open]) + tr.under { display: table-row }
@supports not selector(:has(*)) { tr.under { display: table-row } }
tr.under > td { border-top: 0; padding: .25rem .75rem 1rem 1.75rem; white-space: normal !important }
tr.under p { margin: .35rem 0; max-width: 60rem }
tr.first + tr.under > td { box-shadow: inset 4px 0 var(--unknown) }
tr.group th { background: var(--panel); color: var(--muted) } tbody tr.group bdi { max-width: none }
td.end, th.end { text-align: right; font-variant-numeric: tabular-nums }
small { color: var(--muted); font-weight: 400; font-size: .85em }
.prose small { display: block } .prose .text { min-width: 8rem } .prose tbody th { min-width: 11rem }
tr.first th { box-shadow: inset 4px 0 var(--unknown) }
th button { all: unset; cursor: pointer; border-radius: 3px }
th button:hover { color: var(--text); text-decoration: underline }
th button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
th button::after { content: " \\2195"; opacity: .6 }
th[aria-sort=ascending] button::after { content: " \\2191"; opacity: 1 }
th[aria-sort=descending] button::after { content: " \\2193"; opacity: 1 }
.rest { color: var(--muted); font-size: .9rem; margin-top: .5rem }
.rest button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .1rem .6rem }
.rest button:disabled { opacity: .5 }
.empty { border: 1px dashed var(--line); border-radius: 8px; padding: 1rem; color: var(--muted) }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }

details { margin-top: .5rem }
summary { cursor: pointer; color: var(--accent); width: fit-content; border-radius: 3px }
.facts { display: grid; grid-template-columns: auto minmax(9rem, 1fr); gap: .35rem 1.25rem; margin: .5rem 0 .25rem; max-width: 62rem }
.facts dd { overflow-wrap: anywhere; min-width: 0 } .facts dt { color: var(--muted) } .facts ul { padding-left: 1.1rem }
pre { margin: .5rem 0; padding: .75rem 1rem; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; white-space: pre; overflow-wrap: normal }

.burns { display: grid; grid-template-columns: 1fr 1fr; gap: 0 2rem }
.burn { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .25rem .5rem; font-size: .8rem; color: var(--muted); margin-top: .75rem }
.burn figcaption { grid-column: 1 / -1; font-size: .9rem } .burn strong { color: var(--text); font-size: 1.25rem; font-weight: 650 }
.burn .axis { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: 14px 0 28px; line-height: 1 }
.burn .plot { width: 100%; height: 200px; display: block; overflow: visible }
.burn text { fill: var(--muted); font-size: 12px } .burn text.sunset { fill: var(--not_yet); font-weight: 600 }
.burn line.sunset { stroke: var(--not_yet); stroke-width: 2 }
.burn rect { fill: transparent } .burn rect:hover { fill: var(--line); opacity: .5 } .burn .unrecorded { fill: var(--line) }
.burn .grid { stroke: var(--line); fill: none } .burn .active { stroke: var(--bar); stroke-width: 2.5; fill: none }
.burn .band { fill: var(--bar); opacity: .15 } .burn .expected { stroke: var(--bar); stroke-width: 2; stroke-dasharray: 5 4; fill: none }
.changes { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 1.5rem; font-size: .9rem }
.changes ul { padding-left: 1.1rem } .changes li { overflow-wrap: anywhere } .changes > p { grid-column: 1 / -1; margin-top: .75rem }

.chart { display: grid; grid-template-columns: auto 1fr; gap: .25rem .5rem; font-size: .8rem; color: var(--muted); margin-top: .75rem }
.chart svg { width: 100%; height: 180px; display: block; border-bottom: 1px solid var(--line); border-top: 1px solid var(--line) }
.chart .y { display: flex; flex-direction: column; justify-content: space-between; text-align: right }
.chart .x { grid-column: 2; display: flex; justify-content: space-between }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; font-size: .85rem; color: var(--muted); margin: .5rem 0 0; padding: 0; list-style: none }
.legend svg { width: 14px; height: 14px; vertical-align: -2px; margin-right: .35rem }
svg .calls { fill: var(--bar) } svg .open { fill: var(--open) } svg .gap { fill: url(#gap) }
svg .hatch { stroke: var(--gap); stroke-width: 1 } svg .grid { stroke: var(--line) }
svg .line { stroke: var(--bar); stroke-width: 2; fill: none } svg .hole { stroke: var(--gap); stroke-width: 2; fill: none }
svg .track { fill: var(--line) } svg .over { fill: var(--not_yet) } svg .mark { stroke: var(--text); stroke-width: 2 }
svg.spark { width: 90px; height: 18px; display: block } svg.meter { width: 120px; height: 10px; display: block; margin-top: .35rem }
td.end svg { margin-left: auto }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; color: var(--muted); font-size: .85rem }

.bar { position: sticky; top: 0; z-index: 1; background: var(--page); border-bottom: 1px solid var(--line); padding-top: .6rem; padding-bottom: .6rem; max-width: none }
.bar form { max-width: 77.5rem; margin: 0 auto; display: flex; flex-wrap: wrap; gap: .6rem 1.25rem; align-items: center }
.bar label { font-size: .85rem; color: var(--muted) }
.bar input, .bar select, .bar form > button { font: inherit; color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: 6px; padding: .3rem .6rem }
.bar input { width: 16rem; max-width: 100% }
.bar #state { margin-left: auto; font-size: .85rem; color: var(--muted) }
.bar [role=status].lost { color: var(--not_yet); font-weight: 600 }
.bar [role=status].live::before { content: ""; display: inline-block; width: .55rem; height: .55rem; border-radius: 50%; background: var(--safe); margin-right: .4rem }

@media (max-width: 40rem) {
  main, .bar { padding-left: .9rem; padding-right: .9rem }
  .verdict { padding: 1rem } .verdict h2 { font-size: 1.4rem }
  .tiles { grid-template-columns: 1fr 1fr } .tiles dd { font-size: 1.25rem }
  .burns, .changes { grid-template-columns: minmax(0, 1fr) }
  .facts, .answers { grid-template-columns: minmax(0, 1fr); gap: .1rem } :is(.facts, .answers) dd { margin-bottom: .5rem }
  .wide { display: none }
  th, td { padding: .5rem .4rem } table:not(.prose) :is(tbody th, td.text) { max-width: 9rem } tbody th bdi { display: inline; max-width: none } tbody th summary, table:not(.prose) tbody th { white-space: normal; overflow: visible; overflow-wrap: anywhere } .prose tbody th { min-width: 8rem }
  tr.under > td { padding-left: .4rem }
  .bar { position: static } .bar input[type=search] { width: 100% } .bar #state { margin-left: 0 }
}
.paper { display: block; margin-top: .5rem } .printed { display: none }
@media print {
  :root { color-scheme: light; font-size: 9.5px }
  @page { margin: 12mm }
  main { max-width: none; padding: 0 } header.top { padding-top: 0 } h2 { margin-top: 1.5rem }
  .scroll { overflow: visible; border: 0 } .bar, nav, .tools, .rest button, .rest a, .paper { display: none }
  th, td { padding: .2rem .5rem } .burn .plot { height: 200px }
  tr, .verdict, .tiles div, figure { break-inside: avoid } h2, h3 { break-after: avoid }
  .calls, .open, .gap, .over, .track, .active, .band, .verdict, thead th { print-color-adjust: exact }
  body:not(:has(#print-all:checked)) :is(#burn-down-section ~ section:not(#workspaces-section), details:not(th details), tr.under, #workspaces tbody tr:nth-of-type(n + 71)) { display: none }
  body:not(:has(#print-all:checked)) .printed { display: block }
  header.top :is(nav, .tools) { display: none } .burn text { font-size: 8px } tbody th summary { list-style: none }
  body:has(#print-all:checked) summary { display: none }
  body:has(#print-all:checked) tbody th summary { display: block; list-style: none }
  body:has(#print-all:checked) details::details-content { content-visibility: visible; block-size: auto }
  body:has(#print-all:checked) tr.under { display: table-row }
}
`;
