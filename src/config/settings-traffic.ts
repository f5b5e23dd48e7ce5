/** How the proxy passes calls on: as whose, how many, for how long, and with which words of v2. */
import type { Setting } from './setting.ts';
import { mappings, queryRenames } from './tables.ts';
import { budget } from './types-budget.ts';
import { serviceBases } from './types-migrate.ts';
import { rollout } from './types-rollout.ts';
import { count, duration, durationOrZero, networks, oneOf, positive, size } from './types.ts';

const proxy = ['proxy'] as const;

export const trafficSettings = [
  {
    name: 'forwarded',
    commands: proxy,
    type: oneOf(['none', 'x-forwarded-for', 'x-forwarded', 'forwarded']),
    default: 'x-forwarded-for',
    description:
      'What tells v2 where a call came from: x-forwarded-for, x-forwarded (also -Host and -Proto), forwarded (RFC 7239) or none; what clients say of it is dropped',
  },
  {
    name: 'trustedProxies',
    commands: proxy,
    type: networks,
    default: [],
    repeatable: true,
    description:
      'Addresses and networks of proxies and balancers in front, separated by commas: their X-Forwarded-For, or Forwarded, says who the client is',
  },
  {
    name: 'trustedField',
    commands: proxy,
    type: oneOf(['either', 'x-forwarded-for', 'forwarded']),
    default: 'either',
    description:
      'Which field the trusted proxies write; either: X-Forwarded-For, or Forwarded where a call has none. Say which where they pass the other one on as clients sent it',
  },
  { name: 'connections', commands: proxy, type: positive, default: 128, description: 'Connections to v2 at most' },
  { name: 'queue', commands: proxy, type: count, default: 512, description: 'Calls that may wait for a connection; further ones get 503' },
  { name: 'maxBody', commands: proxy, type: size, default: '1MiB', description: 'Largest request body that is read into memory' },
  { name: 'connectTimeout', commands: proxy, type: duration, default: '3s', description: 'Time for v2 to accept a connection' },
  {
    name: 'headersTimeout',
    commands: proxy,
    type: duration,
    default: '15s',
    description: 'Time for v2 to begin its answer, and for a call to wait for a connection',
  },
  {
    name: 'bodyTimeout',
    commands: proxy,
    type: duration,
    default: '60s',
    description: 'Time between two parts of an answer of v2, and for a client to take one',
  },
  {
    name: 'keepAlive',
    commands: proxy,
    type: duration,
    default: '4s',
    description: "How long an idle connection to v2 is kept; less than the server's own",
  },
  {
    name: 'maxConnections',
    commands: proxy,
    only: 'command',
    type: positive,
    otherwise: '10000, or fewer where the process may open few files',
    description: 'Connections of clients at most; further ones are closed at once',
  },
  {
    name: 'maxConnectionsPerAddress',
    commands: proxy,
    only: 'command',
    type: positive,
    otherwise: 'half of all',
    description: 'Connections from one address, or one /64 of IPv6, at most; --trusted-proxies have no such limit',
  },
  {
    name: 'headTimeout',
    commands: proxy,
    only: 'command',
    type: duration,
    default: '10s',
    description: 'Time for a client to send the head of a request',
  },
  {
    name: 'requestTimeout',
    commands: proxy,
    only: 'command',
    type: duration,
    default: '60s',
    description: 'Time for a client to send a whole request',
  },
  {
    name: 'drainTimeout',
    commands: proxy,
    only: 'command',
    type: durationOrZero,
    default: '30s',
    description: 'Time for calls in flight once the proxy is told to stop',
  },
  {
    name: 'drainDelay',
    commands: proxy,
    only: 'command',
    type: durationOrZero,
    default: 0,
    description: 'How long /readyz says no before the listener closes, for load balancers to notice',
  },
  {
    name: 'unreadyAfter',
    commands: proxy,
    only: 'command',
    type: durationOrZero,
    default: '10s',
    description: '/readyz says no once every call to v2 has failed for this long; it then asks v2 itself, without a key',
  },

  {
    name: 'v1Base',
    commands: proxy,
    type: serviceBases,
    default: [],
    otherwise: 'needed where rollout sends calls to v1',
    description: 'Base address of v1, for the calls that rollout still sends there',
  },
  {
    name: 'rollout',
    commands: ['proxy', 'report', 'rollout'],
    type: rollout,
    only: 'file',
    otherwise: 'every call is translated',
    description:
      'Which calls v1 answers, which are compared, translated or refused: rules, brownouts, compare, atSunset and announce; re-read when it changes',
  },

  {
    name: 'budget',
    commands: proxy,
    type: budget,
    only: 'file',
    default: {},
    otherwise: 'half of a known hour is kept for writes, and identical reads in flight are asked once',
    description:
      'How the hour that v2 allows a workspace is spent: limit, reserve, weights, pace, coalesce, reuse and final, for all or under workspaces; false to count alone',
  },

  {
    name: 'mappings',
    commands: proxy,
    type: mappings,
    only: 'file',
    default: {},
    description: 'JSONata per v1 endpoint, for requests and answers whose bodies differ between the versions',
  },
  {
    name: 'queryRenames',
    commands: proxy,
    type: queryRenames,
    only: 'file',
    default: {},
    description: 'Per v1 endpoint: query parameters of v1 and their names on v2',
  },
] as const satisfies readonly Setting[];
