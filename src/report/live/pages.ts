/** The live page about usage, for the admin listener of a proxy: the report, which follows what is recorded. */
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { html } from '../html/escape.ts';
import { style } from '../html/style.ts';
import { Hub } from './hub.ts';
import type { LiveSource } from './messages.ts';
import { NoReport, Reports } from './reports.ts';
import { icon, sectionsOf, shell } from './shell.ts';
import { viewOf } from './view.ts';

export interface UsagePagesOptions extends LiveSource {
  /** Tells the listener whenever something was recorded, until what it returns is called. */
  readonly changed: (listener: () => void) => () => void;
}

export interface UsagePages {
  /** Answers a request for one of its pages; false for any other. Whoever asks has shown that they may. */
  readonly handle: (req: IncomingMessage, res: ServerResponse) => boolean;
  /** Ends what is open, and the thread that makes the reports. */
  close(): Promise<void>;
}

/** Nothing is loaded from elsewhere, and nothing of a report can run. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const app = readFileSync(new URL('./app.js', import.meta.url), 'utf8');

const files: ReadonlyMap<string, readonly [type: string, body: string]> = new Map([
  ['/usage/app.js', ['text/javascript; charset=utf-8', app]],
  ['/usage/style.css', ['text/css; charset=utf-8', style]],
  ['/usage/icon.svg', ['image/svg+xml', icon]],
]);

/** Makes the pages of a store. Nothing is read, and no thread started, before somebody asks for them. */
export function createUsagePages({ changed, ...source }: UsagePagesOptions): UsagePages {
  const reports = new Reports(source);
  const hub = new Hub(reports);
  const unsubscribe = changed(() => hub.news());

  const page = async (query: URLSearchParams, res: ServerResponse): Promise<void> => {
    const view = viewOf(query);
    try {
      const { title, sections } = await reports.render(view);
      answer(res, 200, 'text/html; charset=utf-8', shell({ title, view, content: sectionsOf(sections) }));
    } catch (error) {
      if (!(error instanceof NoReport)) throw error;
      const content = html`<section id="failure">
        <h1>v1 usage report</h1>
        <p class="empty">${error.message}</p>
      </section>`;
      answer(res, 503, 'text/html; charset=utf-8', shell({ title: 'v1 usage', view, content }));
    }
  };

  const handle = (req: IncomingMessage, res: ServerResponse): boolean => {
    const [path = '', query = ''] = (req.url ?? '').split('?', 2);
    const file = files.get(path);
    if (file === undefined && path !== '/usage' && path !== '/usage/events') return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      res.setHeader('Allow', 'GET, HEAD');
      answer(res, 405, 'text/plain; charset=utf-8', 'Only GET is known here\n');
    } else if (file !== undefined) answer(res, 200, ...file);
    else if (path === '/usage') page(new URLSearchParams(query), res).catch(() => res.destroy());
    else if (req.method === 'HEAD') answer(res, 200, 'text/event-stream', '');
    else if (!hub.add(viewOf(new URLSearchParams(query)), res)) {
      answer(res, 503, 'text/plain; charset=utf-8', 'Too many of these pages are open\n');
    }
    return true;
  };

  return {
    handle,
    async close() {
      unsubscribe();
      hub.close();
      await reports.close();
    },
  };
}

function answer(res: ServerResponse, status: number, type: string, body: string): void {
  const fields = {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Content-Security-Policy': policy,
  };
  // A HEAD gets the head alone: Node leaves the body out.
  res.writeHead(status, fields).end(body);
}
