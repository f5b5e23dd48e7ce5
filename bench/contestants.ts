/** Who takes part: how each proxy is told to serve /v1 from the upstream's /v2. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { bin, buildIfStale } from './build.ts';
import { isInstalled, work } from './processes.ts';
import { keys } from './request.ts';

export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  /** Where it will listen; without it, it prints a line of JSON with `"msg":"listening"` and `"url"`. */
  readonly url?: string;
}

export interface Contestant {
  readonly name: string;
  /** The program it needs besides Node. */
  readonly needs?: string;
  /** @param upstream origin of the static upstream @param nodeFlags flags for Node, where the contestant runs on it */
  launch(upstream: string, nodeFlags: readonly string[]): Launch | Promise<Launch>;
}

export const ours = 'migrate-v2';
/** Ours without the usage record: what the record costs is the difference. */
export const unrecorded = `${ours} --store none`;
export const references = { nginx: 'nginx', floor: 'undici-dispatch', fastify: '@fastify/http-proxy' } as const;

export const contestants: readonly Contestant[] = [
  { name: references.nginx, needs: 'nginx', launch: (upstream) => nginx(upstream) },
  { name: 'haproxy', needs: 'haproxy', launch: haproxy },
  { name: references.floor, launch: (...to) => script('undici-dispatch.ts', ...to) },
  { name: ours, launch: (...to) => migrateV2(...to) },
  { name: unrecorded, launch: (...to) => migrateV2(...to, ['--store', 'none']) },
  { name: references.fastify, launch: (...to) => script('fastify-http-proxy.ts', ...to) },
  { name: 'http-proxy-3', launch: (...to) => script('http-proxy-3.ts', ...to) },
];

/** Ours with its record in a store that is there. */
export const withStore = (store: string): Contestant => ({ name: ours, launch: (...to) => migrateV2(...to, ['--store', store]) });

/** Ours with two processes that serve: on one core, what a call costs more than with one is what two cores lose. Named by `--only`. */
export const together: readonly Contestant[] = [
  { name: `${ours} --workers 2`, launch: (...to) => migrateV2(...to, ['--workers', '2', '--store', 'workers.db']) },
];

/** Ours with a roll-out, beside an nginx that mirrors: not part of a plain run, as their answers come from v1. */
export const rollouts: readonly Contestant[] = [
  { name: `${ours} observe`, launch: (...to) => onTheRoad('observe', { rules: [{ stage: 'observe' }] }, ...to) },
  { name: `${ours} compare 10%`, launch: (...to) => onTheRoad('compare-10', comparing('10%'), ...to) },
  { name: `${ours} compare 100%`, launch: (...to) => onTheRoad('compare-100', comparing('100%'), ...to) },
  { name: `${ours} compare v2 down`, launch: (...to) => onTheRoad('v2-down', { rules: [{ stage: 'compare' }] }, ...to, nobody) },
  { name: `${ours} 1000 rules`, launch: (...to) => onTheRoad('rules', { rules: manyRules(1_000) }, ...to) },
  { name: `${ours} 10000 rules`, launch: (...to) => onTheRoad('more-rules', { rules: manyRules(10_000) }, ...to) },
  { name: 'nginx mirror', needs: 'nginx', launch: (upstream) => nginx(upstream, true) },
];

/** An hour that no run uses up. */
const plenty = { limit: 1_000_000_000 };

/** Ours with a limit that is known, beside the same without the budget: each GET is for another message, so that none is saved. */
export const budgets: readonly Contestant[] = [
  { name: `${ours} budget off`, launch: (...to) => configured('budget-off', { budget: false }, ...to) },
  { name: `${ours} budget`, launch: (...to) => configured('budget', { budget: plenty }, ...to) },
  { name: `${ours} reuse`, launch: (...to) => configured('reuse', { budget: { ...plenty, reuse: { getMessage: '5s' } } }, ...to) },
];

/** Why the contestant cannot take part here; undefined when it can. */
export function absence({ needs }: Contestant): string | undefined {
  return needs === undefined || isInstalled(needs) ? undefined : `${needs} is not installed`;
}

/** As users start it: everything on, its log at the default level, its record in the folder of the run. */
function migrateV2(upstream: string, nodeFlags: readonly string[], flags: readonly string[] = []): Launch {
  buildIfStale();
  const args = [...nodeFlags, bin, 'proxy', '--v2-base', upstream, '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0'];
  return { command: process.execPath, args: [...args, ...flags] };
}

/** Every question is asked: neither v2's limits nor a bound keep any from it. */
const comparing = (sample: string): object => ({
  rules: [{ stage: 'compare' }],
  compare: { sample, share: '100%', concurrency: 1_000 },
});

/** A v2 that takes no connections. */
const nobody = 'http://127.0.0.1:9';

/** Rules that no call of the benchmark matches, and at the end one for all. */
const manyRules = (count: number): object[] => [
  ...Array.from({ length: count - 1 }, (_, index) => ({
    match: { client: `client-${index}`, methods: ['GET', 'POST'] },
    stage: 'observe',
  })),
  { stage: 'translate' },
];

/** Ours with a roll-out. The upstream answers for both versions below /v2/; what v2 allows in an hour keeps no question from being asked. */
const onTheRoad = (name: string, rollout: object, upstream: string, nodeFlags: readonly string[], v2 = upstream): Launch =>
  configured(name, { v1Base: `${upstream}/v2/as`, rollout, budget: false }, v2, nodeFlags);

/** Ours with a configuration, and a workspace for each key. */
function configured(name: string, configuration: object, upstream: string, nodeFlags: readonly string[]): Launch {
  const file = join(work, `${name}.json`);
  const workspaces = keys.map((key, index) => ({ name: `Workspace ${index}`, plan: 'Agency', keys: [key] }));
  writeFileSync(file, JSON.stringify({ workspaces, ...configuration }));
  return migrateV2(upstream, nodeFlags, ['--config', file, '--store', `${name}.db`]);
}

function script(file: string, upstream: string, nodeFlags: readonly string[]): Launch {
  return { command: process.execPath, args: [...nodeFlags, join(import.meta.dirname, 'contestants', file), upstream] };
}

/** @param mirrors whether every call goes to the upstream twice, and the second answer nowhere */
async function nginx(upstream: string, mirrors = false): Promise<Launch> {
  const authority = `127.0.0.1:${await freePort()}`;
  const file = join(work, mirrors ? 'nginx-mirror.conf' : 'nginx.conf');
  const pass = `proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Authorization "Bearer $http_x_api_key";
      proxy_set_header x-api-key "";`;
  writeFileSync(
    file,
    `daemon off;
worker_processes 1;
pid ${mirrors ? 'nginx-mirror' : 'nginx'}.pid;
error_log nginx-error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  client_body_temp_path nginx-body;
  proxy_temp_path nginx-proxy;
  fastcgi_temp_path nginx-fastcgi;
  uwsgi_temp_path nginx-uwsgi;
  scgi_temp_path nginx-scgi;
  upstream v2 {
    server ${new URL(upstream).host};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen ${authority};
    location /v1/ {
      proxy_pass http://v2/v2/;
      ${pass}${mirrors ? '\n      mirror /mirror;' : ''}
    }
    location = /mirror {
      internal;
      proxy_pass http://v2/v2$request_uri;
      ${pass}
    }
  }
}
`,
  );
  return { command: 'nginx', args: ['-p', work, '-c', file, '-e', 'nginx-error.log'], url: `http://${authority}` };
}

async function haproxy(upstream: string): Promise<Launch> {
  const authority = `127.0.0.1:${await freePort()}`;
  const file = join(work, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  nbthread 1
  maxconn 1024
defaults
  mode http
  timeout connect 3s
  timeout client 60s
  timeout server 60s
frontend v1
  bind ${authority}
  http-request set-path /v2%[path,bytes(3)]
  http-request set-header Authorization "Bearer %[req.hdr(x-api-key)]"
  http-request del-header x-api-key
  default_backend v2
backend v2
  http-reuse always
  server v2 ${new URL(upstream).host}
`,
  );
  return { command: 'haproxy', args: ['-q', '-db', '-f', file], url: `http://${authority}` };
}

/** A port that was free a moment ago, for programs that cannot choose one and tell. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
