/** What people do to a roll-out from outside: take everything back to v1 at once, go on, release a rule, end a brownout. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Stages } from '../stages.ts';

type Acted = Pick<Stages, 'rollout' | 'road'>;

interface Done {
  readonly status: number;
  readonly body: { readonly status: string };
}

const notOwn = 'a page of somebody else asked for this; open /rollout and press its button';

/** The part of the path behind `/rollout/`, what it does, and whether it has to name a rule or a brownout. */
const actions = {
  stop: { kind: 'stopped', done: 'stopped: v1 answers every call' },
  resume: { kind: 'resumed', done: 'resumed' },
  release: { kind: 'released', done: 'released', names: (stages: Acted) => stages.rollout.rules },
  'stop-brownout': { kind: 'brownout-stopped', done: 'the brownout is stopped', names: (stages: Acted) => stages.rollout.brownouts },
} as const;

const isAction = (name: string): name is keyof typeof actions => Object.hasOwn(actions, name);

/**
 * Answers a POST below `/rollout/`, of somebody who has shown that they may.
 * @returns false for a path that is none of these
 */
export function actOnRoad(req: IncomingMessage, res: ServerResponse, stages: Acted): boolean {
  const { pathname, searchParams } = new URL(req.url ?? '', 'http://admin');
  const name = pathname.replace(/^\/rollout\//, '');
  if (req.method !== 'POST' || !isAction(name)) return false;
  if (!isOwn(req)) {
    answer(res, 403, { status: notOwn });
    return true;
  }
  act(stages, name, searchParams.get('name')).then(
    ({ status, body }) => (status === 200 && req.headers.accept?.includes('text/html') ? showRoad(res) : answer(res, status, body)),
    () => answer(res, 500, { status: 'failed' }),
  );
  return true;
}

/**
 * Whether it is no request of another page's making. The cookie of the session is sent by pages of every port of this host, as they count as
 * the same site (RFC 6265bis §5.2); browsers say which page asks, and programs say nothing.
 */
function isOwn({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}

/** Leads a browser back to the page, which then shows what is new; another load of it does nothing again (RFC 9110 §15.4.4). */
function showRoad(res: ServerResponse): void {
  res.writeHead(303, { Location: '../rollout', 'Content-Length': 0, 'Cache-Control': 'no-store' }).end();
}

async function act(stages: Acted, name: keyof typeof actions, given: string | null): Promise<Done> {
  const action = actions[name];
  const known = 'names' in action ? action.names(stages).map((each) => each.name) : [];
  if ('names' in action && (given === null || !known.includes(given)))
    return { status: 404, body: { status: `give ?name= one of: ${known.join(', ') || 'there are none'}` } };
  await stages.road.note(action.kind, given ?? '', 'by the admin listener');
  return { status: 200, body: { status: action.done } };
}

function answer(res: ServerResponse, status: number, body: object): void {
  const text = `${JSON.stringify(body)}\n`;
  res
    .writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text), 'Cache-Control': 'no-store' })
    .end(text);
}
