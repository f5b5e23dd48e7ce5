/** The live page about usage, for the admin listener of a proxy: the report, which follows what is recorded. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { groupings } from '../../config/report-formats.ts';
import type { WorkspaceHour } from '../../budget/hours.ts';
import type { Rule } from '../../rollout/rules.ts';
import { hoursSection } from '../html/hours.ts';
import { style } from '../html/style.ts';
import type { Counted } from '../road/use.ts';
import { answer, refuseMethod } from './answer.ts';
import { Hub } from './hub.ts';
import type { LiveSource, Rendered } from './messages.ts';
import { type InForce, NoReport, Reports } from './reports.ts';
import { failure, icon, sectionsOf, shell } from './shell.ts';
import { type LiveView, viewOf } from './view.ts';

export interface UsagePagesOptions extends LiveSource, InForce {
  /** Tells the listener whenever something was recorded, until what it returns is called. */
  readonly changed: (listener: () => void) => () => void;
  /** Gives the hours of workspaces on v2 as they stand. */
  readonly hours?: (() => readonly WorkspaceHour[]) | undefined;
}

export interface UsagePages {
  /** Answers a request for one of its pages; false for any other. Whoever asks has shown that they may. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Counts the recorded calls under rules, in the process that makes the reports. @throws NoReport */
  readonly count: (rules: readonly Rule[], now: number) => Promise<Counted>;
  /** Ends what is open, and the process that makes the reports. */
  close(): Promise<void>;
}

const htmlType = 'text/html; charset=utf-8';
const dataTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json' } as const;

const times = readFileSync(new URL('./times.js', import.meta.url), 'utf8');
const app = readFileSync(new URL('./app.js', import.meta.url), 'utf8');

const files: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ['/usage/app.js', { type: 'text/javascript; charset=utf-8', body: app }],
  ['/usage/times.js', { type: 'text/javascript; charset=utf-8', body: times }],
  ['/usage/style.css', { type: 'text/css; charset=utf-8', body: style }],
  ['/usage/icon.svg', { type: 'image/svg+xml', body: icon }],
]);

/** Makes the pages of a store. Nothing is read, and no process started, before somebody asks for them. */
export function createUsagePages({ changed, rollout, proxyUrl, hours, ...source }: UsagePagesOptions): UsagePages {
  // Where there is a roll-out, there is a page about it, to which this one leads.
  const hasRoad = rollout !== undefined;
  const reports = new Reports(source, { rollout, proxyUrl });
  const live = { pace: reports.pace, render: async (view: LiveView) => withHours(await reports.render(view), view, hours?.()) };
  const hub = new Hub(live);
  const unsubscribe = changed(() => hub.news());

  const page = async (query: URLSearchParams, res: ServerResponse): Promise<void> => {
    const view = viewOf(query);
    try {
      const { title, sections } = await live.render(view);
      answer(res, { type: htmlType, body: shell({ title, view, content: sectionsOf(sections), hasRoad }) });
    } catch (error) {
      if (!(error instanceof NoReport)) throw error;
      answer(res, { status: 503, type: htmlType, body: shell({ title: 'v1 usage', view, content: failure(error.message), hasRoad }) });
    }
  };

  const data = async (query: URLSearchParams, format: 'csv' | 'json', res: ServerResponse): Promise<void> => {
    const groupBy = groupings.find((name) => name === query.get('by')) ?? 'workspace';
    try {
      const body = await reports.data(viewOf(query), format === 'csv' ? { format, groupBy } : { format });
      answer(res, { type: dataTypes[format], body });
    } catch (error) {
      if (!(error instanceof NoReport)) throw error;
      answer(res, { status: 503, type: 'text/plain; charset=utf-8', body: `${error.message}\n` });
    }
  };

  const handle = (req: IncomingMessage, res: ServerResponse): boolean => {
    const [path = '', query = ''] = (req.url ?? '').split('?', 2);
    const file = files.get(path);
    const format = path === '/usage.csv' ? 'csv' : path === '/usage.json' ? 'json' : undefined;
    if (file === undefined && format === undefined && path !== '/usage' && path !== '/usage/events') return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(res);
    else if (file !== undefined) answer(res, file);
    else if (format !== undefined) data(new URLSearchParams(query), format, res).catch(() => res.destroy());
    else if (path === '/usage') page(new URLSearchParams(query), res).catch(() => res.destroy());
    else if (req.method === 'HEAD') answer(res, { type: 'text/event-stream', body: '' });
    else if (!hub.add(viewOf(new URLSearchParams(query)), res)) {
      answer(res, { status: 503, type: 'text/plain; charset=utf-8', body: 'Too many of these pages are open\n' });
    }
    return true;
  };

  return {
    handle,
    count: (rules, now) => reports.count(rules, now),
    async close() {
      unsubscribe();
      hub.close();
      await reports.close();
    },
  };
}

/** Of the hours, so many workspaces are shown. */
const mostHours = 100;

/** The report, and before what is foreseen of limits the hour that is under way, which no record has. */
function withHours(rendered: Rendered, view: LiveView, all: readonly WorkspaceHour[] = []): Rendered {
  const hours = all.filter(({ workspace }) => rendered.of?.includes(workspace) !== false);
  const section = { id: 'hours-section', html: `${hoursSection(hours, mostHours, view)}` };
  const index = rendered.sections.findIndex(({ id }) => id === 'limits-section');
  return hours.length === 0
    ? rendered
    : { ...rendered, sections: rendered.sections.toSpliced(index === -1 ? rendered.sections.length : index, 0, section) };
}
