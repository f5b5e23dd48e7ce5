/** The frame of the live page: one form that says what to look at, which works without a script as well. */
import { type Content, type Html, html, named, raw } from '../html/escape.ts';
import { addressOf } from '../html/view.ts';
import type { Section } from './messages.ts';
import type { LivePeriod, LiveView } from './view.ts';

const periods = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days', '90d': 'Last 90 days' } as const satisfies Record<
  LivePeriod,
  string
>;
const groups = { workspace: 'By workspace', owner: 'By owner' } as const;
const zones = { utc: 'UTC', local: 'Local time' } as const;

export interface Shell {
  readonly title: string;
  readonly view: LiveView;
  readonly content: Content;
  /** Whether there is a page about a roll-out. */
  readonly hasRoad: boolean;
}

export const shell = ({ title, view, content, hasRoad }: Shell): string =>
  `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="icon" href="usage/icon.svg" />
        <link rel="stylesheet" href="usage/style.css" />
        <script type="module" src="usage/app.js"></script>
      </head>
      <body>
        <div class="bar">
          <form id="view" method="get" action="usage" role="search" aria-label="What to show">
            ${view.workspace !== undefined && html`<a href="${addressOf(view, { workspace: '' })}">All workspaces</a>`}
            ${select('period', 'Period', periods, view.period)}
            <label
              >Search
              <input
                type="search"
                name="q"
                value="${view.search}"
                placeholder="Workspace, owner, client, key"
                maxlength="100"
                autocomplete="off"
                spellcheck="false"
            /></label>
            ${select('group', 'Rows', groups, view.group)} ${zone(view)}
            <button id="show">Show</button>
            ${view.workspace !== undefined && html`<input type="hidden" name="workspace" value="${view.workspace}" />`}
            ${Object.entries(view.sort).map(([table, by]) => html`<input type="hidden" name="${table}" value="${by}" />`)}
            ${hasRoad && html`<a href="rollout">Roll-out</a>`}
            <span id="state"><span role="status" id="status"></span> <span id="updated"></span></span>
          </form>
        </div>
        <main id="report">${content}</main>
      </body>
    </html> `}`;

const select = (name: string, title: string, options: Readonly<Record<string, string>>, chosen: string): Html =>
  html`<label
    >${title}
    <select name="${name}">
      ${Object.entries(options).map(([id, text]) => html`<option value="${id}" ${id === chosen && html` selected`}>${text}</option>`)}
    </select></label
  >`;

/** Without a script there is no other zone: it shows the choice. */
const zone = ({ times }: LiveView): Html => html`<span id="zone" hidden>${select('times', 'Times', zones, times)}</span>`;

export const sectionsOf = (sections: readonly Section[]): Html => raw(sections.map(({ html }) => html).join('\n'));

/** What stands in place of a report that cannot be made. */
export const failure = (why: string): Html =>
  html`<section id="failure">
    <h1>v1 usage report</h1>
    <p class="empty">${named(why)}</p>
  </section>`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#1f5fbf"/><path d="M4 12V9M8 12V6M12 12V4" stroke="#fff" stroke-width="2" stroke-linecap="round"/></svg>`;
