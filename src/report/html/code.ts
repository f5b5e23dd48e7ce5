/** Where in the code v1 is still called, beside who calls it; there where findings of the codemods were given. */
import type { CodeSite } from '../code/model.ts';
import { type SiteRow, sitesOf } from '../formats/sites.ts';
import { codeRemarks, codeTitle, siteStates, siteText, siteUses, unexplainedRemarks, unexplainedTitle } from '../text/code-wording.ts';
import { count } from '../text/figures.ts';
import { ago, none } from './cells.ts';
import type { Context } from './context.ts';
import { type Html, html, named } from './escape.ts';
import { timed } from './sentence.ts';
import { type Column, table } from './table.ts';

const unexplainedShown = 20;

const useOrder = { called: 0, quiet: 1, unknown: 2, never: 3 } as const satisfies Record<CodeSite['use'], number>;

export function codeSection(context: Context): Html | undefined {
  const { report, most, view } = context;
  const { code } = report;
  if (code === undefined) return undefined;
  const sites = sitesOf(report);
  return html`<section id="code-section" aria-labelledby="code-title">
    <h2 id="code-title">${codeTitle}</h2>
    ${list(codeRemarks(report))}
    ${
      sites.length > 0 &&
      table({
        id: 'sites',
        caption: 'Call sites of v1 in the code',
        columns: columns(report.made),
        rows: sites.toSorted((a, b) => useOrder[a.use] - useOrder[b.use]),
        most,
        view,
        noun: 'call site',
        marked: ({ use }) => use === 'called',
      })
    }
    ${code.unexplained.length > 0 && html`<h3>${unexplainedTitle}</h3>`} ${list(unexplainedRemarks(report))}
  </section>`;
}

function list(texts: readonly string[]): Html | false {
  const more = texts.length - unexplainedShown;
  return (
    texts.length > 0 &&
    html`<ul>
      ${texts.slice(0, unexplainedShown).map((text) => html`<li>${timed(text)}</li>`)}
      ${more > 0 && html`<li><span class="muted">and ${count(more)} more</span></li>`}
    </ul>`
  );
}

const columns = (now: string): readonly Column<SiteRow>[] => [
  { id: 'site', title: 'Call site', cell: (site) => html`<code>${named(siteText(site))}</code>`, sort: ({ file }) => file },
  { id: 'repository', title: 'Repository', text: true, cell: ({ repository }) => named(repository), sort: ({ repository }) => repository },
  {
    id: 'endpoint',
    title: 'Endpoint',
    cell: ({ endpoint }) => (endpoint === null ? none : html`<code>${endpoint}</code>`),
    sort: ({ endpoint }) => endpoint ?? undefined,
    wide: true,
  },
  { id: 'use', title: 'Called', cell: ({ use }) => siteUses[use], sort: ({ use }) => useOrder[use] },
  { id: 'state', title: 'Code', cell: ({ state }) => siteStates[state], sort: ({ state }) => state, wide: true },
  { id: 'clients', title: 'Clients', cell: ({ clients }) => count(clients), sort: ({ clients }) => clients, figure: true, wide: true },
  {
    id: 'last',
    title: 'Last call',
    cell: ({ last }) => ago(last, now),
    sort: ({ last }) => (last === null ? undefined : Date.parse(last)),
    figure: true,
    wide: true,
  },
];
