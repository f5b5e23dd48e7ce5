/** What the proxy is: where it serves, what it stands in front of, and with which keys. */
import type { Setting } from './setting.ts';
import { address, baseUrl, boolean, file, products, secret, workers } from './types.ts';

const proxy = ['proxy'] as const;

export const proxySettings = [
  {
    name: 'v2Base',
    commands: proxy,
    type: baseUrl,
    otherwise: 'required without --sandbox',
    description: 'Base address of v2, without /v2',
  },
  { name: 'sandbox', commands: proxy, only: 'command', type: boolean, default: false, description: 'Start a sandbox and use it as v2' },
  {
    name: 'listen',
    commands: proxy,
    only: 'command',
    type: address,
    default: '127.0.0.1:8080',
    description: 'Where to serve; port 0 picks a free one',
  },
  {
    name: 'admin',
    commands: proxy,
    only: 'command',
    type: address,
    default: '127.0.0.1:8081',
    description: 'Where to serve /usage, /rollout, /healthz, /readyz and /metrics',
  },
  {
    name: 'workers',
    commands: proxy,
    only: 'command',
    type: workers,
    default: 1,
    description: 'Processes that serve: a number, or auto for one a core',
  },
  {
    name: 'keyMap',
    commands: proxy,
    type: file,
    refers: 'path',
    otherwise: 'every key is its own v2 key',
    description: 'File that maps v1 keys to v2 keys; re-read when it changes',
  },
  {
    name: 'tlsCert',
    commands: proxy,
    type: file,
    refers: 'path',
    otherwise: 'plain HTTP',
    description: 'Certificate chain (PEM) of the listener, with --tls-key; re-read when it changes',
  },
  {
    name: 'tlsKey',
    commands: proxy,
    type: file,
    refers: 'path',
    otherwise: 'plain HTTP',
    description: 'Private key (PEM) of the listener, with --tls-cert; re-read when it changes',
  },
  {
    name: 'v2Ca',
    commands: proxy,
    type: file,
    refers: 'path',
    otherwise: "Node's own",
    description: 'Further certificate authorities (PEM) to trust for v2',
  },
  {
    name: 'hashSecret',
    commands: ['proxy', 'report', 'usage', 'rollout'],
    type: secret,
    refers: 'secret',
    otherwise: "the store's own, or random at each start",
    description: 'Secret of the hash under which keys appear in log and record: a value, env:NAME or file:PATH; give replicas the same',
  },
  {
    name: 'clients',
    commands: proxy,
    type: products,
    default: [],
    repeatable: true,
    description:
      'User-Agent product names that the log may always show, besides well-known libraries and what reads like a name; separated by commas',
  },
] as const satisfies readonly Setting[];
