/** The page about the roll-out, for the admin listener of a proxy, and the same for programs. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LiveRoad } from '../../rollout/in-force.ts';
import type { Rule } from '../../rollout/rules.ts';
import { json } from '../../text/escape.ts';
import { style } from '../html/style.ts';
import type { RoadView } from '../road/model.ts';
import { roadPage, type RoadPageOptions, roadStyle } from '../road/page.ts';
import type { Counted } from '../road/use.ts';
import { roadViewOf } from '../road/view.ts';
import { answer, refuseMethod } from './answer.ts';
import { NoReport } from './reports.ts';
import { icon } from './shell.ts';

export interface RoadPagesOptions extends RoadPageOptions {
  /** Counts the recorded calls under rules, as of an instant; undefined where nothing is recorded. */
  readonly count: ((rules: readonly Rule[], now: number) => Promise<Counted>) | undefined;
}

/** Answers a request for one of the pages; false for any other, and without a roll-out. */
export type RoadPages = (req: IncomingMessage, res: ServerResponse, road: (() => LiveRoad) | undefined) => boolean;

const files: ReadonlyMap<string, { readonly type: string; readonly body: string }> = new Map([
  ['/rollout/style.css', { type: 'text/css; charset=utf-8', body: style + roadStyle }],
  ['/rollout/icon.svg', { type: 'image/svg+xml', body: icon }],
]);

export function createRoadPages({ count, ...options }: RoadPagesOptions): RoadPages {
  const look = async (road: LiveRoad): Promise<RoadView> => {
    const { rollout, overlaps, steps, replica, isGone, now, sunset } = road;
    const source = { rollout, overlaps, steps, now, sunset, live: { replica, isGone } };
    try {
      return roadViewOf({ ...source, counted: await count?.(rollout.rules, now) });
    } catch (error) {
      if (!(error instanceof NoReport)) throw error;
      return roadViewOf({ ...source, uncounted: error.message });
    }
  };
  const show = async (view: RoadView, isData: boolean, res: ServerResponse): Promise<void> => {
    if (isData) answer(res, { type: 'application/json', body: json(view) });
    else answer(res, { type: 'text/html; charset=utf-8', body: roadPage(view, options), referrer: 'same-origin' });
  };
  return (req, res, road) => {
    const [path = ''] = (req.url ?? '').split('?', 1);
    if (road === undefined) return false;
    const file = files.get(path);
    const isStart = path === '/' && !options.hasUsage;
    if (file === undefined && path !== '/rollout' && path !== '/rollout.json' && !isStart) return false;
    if (req.method !== 'GET' && req.method !== 'HEAD') refuseMethod(res);
    else if (file !== undefined) answer(res, file);
    else if (isStart) res.writeHead(302, { Location: './rollout', 'Content-Length': 0 }).end();
    else {
      look(road())
        .then((view) => show(view, path === '/rollout.json' || prefersJson(req), res))
        .catch(() => res.destroy());
    }
    return true;
  };
}

/** Browsers accept everything, but name HTML; who names JSON and not HTML gets it. */
const prefersJson = ({ headers: { accept = '' } }: IncomingMessage): boolean =>
  accept.includes('application/json') && !accept.includes('text/html');
