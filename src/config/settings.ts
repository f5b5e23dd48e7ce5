/**
 * Every setting, once: flags, environment variables, keys of the configuration file, defaults,
 * the help of the command line and the tables of docs/configuration.md derive from these rows.
 */
import type { z } from 'zod';
import { dayInMs } from '../contract/times.ts';
import { migrateSettings } from './settings-migrate.ts';
import { reportSettings } from './settings-report.ts';
import { sandboxSettings } from './settings-sandbox.ts';
import { replicaName } from './types-report.ts';
import { type Command, configFileName, commands, type Setting } from './setting.ts';
import { assumptions, mappings, queryRenames } from './tables.ts';
import {
  address,
  baseUrl,
  boolean,
  count,
  duration,
  durationOrZero,
  fieldName,
  file,
  networks,
  oneOf,
  period,
  positive,
  products,
  secret,
  size,
} from './types.ts';

const all = commands;
const others = all.filter((command) => command !== 'migrate');
const serving = ['proxy', 'sandbox'] as const;
const proxy = ['proxy'] as const;
const recording = ['proxy', 'report', 'usage'] as const;
const sandbox = ['sandbox'] as const;
const openapi = ['openapi'] as const;
const writing = ['migrate', 'openapi', 'report'] as const;
const answering = ['proxy', 'sandbox', 'openapi', 'report'] as const;

/** The address of no store. */
export const noStore = 'none';

export const settings = [
  {
    name: 'config',
    commands: all,
    type: file,
    only: 'flag',
    refers: 'path',
    otherwise: `${configFileName} in the working directory`,
    description: 'Configuration file',
  },
  { name: 'verbose', commands: others, type: boolean, only: 'flag', default: false, description: 'Show the stack trace of an error' },

  ...migrateSettings,

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
    description: 'Where to serve /usage, /healthz, /readyz and /metrics',
  },
  {
    name: 'listen',
    commands: sandbox,
    only: 'command',
    type: address,
    default: '127.0.0.1:9000',
    description: 'Where to serve; port 0 picks a free one',
  },
  {
    name: 'admin',
    commands: sandbox,
    only: 'command',
    type: address,
    default: '127.0.0.1:9001',
    description: 'Where to serve the admin endpoints',
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
    commands: ['proxy', 'usage'],
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
    description: 'User-Agent product names that the log may show, besides the well-known ones; separated by commas',
  },

  {
    name: 'store',
    commands: recording,
    type: secret,
    refers: 'store',
    default: 'migrate-v2.usage.db',
    description: `Where the record of v1 calls is kept: a file, postgres://…, env:NAME or file:PATH that holds one of them, or ${noStore}`,
  },
  {
    name: 'replica',
    commands: proxy,
    type: replicaName,
    otherwise: 'name of the machine and port',
    description: 'The name of this proxy in the record: the same after each of its starts, and no other proxy has it',
  },
  {
    name: 'retention',
    commands: proxy,
    type: period.refine((kept) => kept >= 28 * dayInMs, {
      error: 'is too short: a verdict takes 14 days, or twice the longest pause of a client; give 28d or more',
    }),
    default: '400d',
    description:
      'How long the record is kept: by the minute for two days, by the hour for five weeks, then by the day; 28d at least, and no verdict is SAFE with less than twice the rarest job',
  },
  {
    name: 'clientHeader',
    commands: proxy,
    type: fieldName,
    otherwise: 'clients are told apart by key and User-Agent',
    description: 'Request header that tells clients apart as well; values that read like names appear in the report, others as hashes',
  },
  {
    name: 'adminToken',
    commands: proxy,
    only: 'command',
    type: secret,
    refers: 'secret',
    otherwise: 'open to whoever reaches it',
    description: 'Token for /metrics and the usage page: a value, env:NAME or file:PATH',
  },
  {
    name: 'metricsClients',
    commands: proxy,
    only: 'command',
    type: count,
    default: 0,
    description: 'Clients that /metrics names, the busiest first; all others are counted as _other',
  },

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
      'Addresses and networks of proxies and balancers in front, separated by commas: their X-Forwarded-For says who the client is',
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

  ...sandboxSettings,
  ...reportSettings,

  { name: 'api', commands: openapi, type: oneOf(['v1', 'v2']), default: 'v2', description: 'The version to describe: v1 or v2' },
  {
    name: 'out',
    commands: writing,
    type: file,
    refers: 'path',
    otherwise: 'stdout',
    description: 'File to write, in place of what it holds',
  },

  {
    name: 'assumptions',
    commands: answering,
    type: assumptions,
    flag: 'assume',
    repeatable: true,
    joined: true,
    default: {},
    description: 'name=value for an open question of the API',
  },
  {
    name: 'logLevel',
    commands: serving,
    only: 'command',
    type: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    description: 'Least severe lines to log: trace, debug, info, warn, error, fatal or silent',
  },
  {
    name: 'logFormat',
    commands: serving,
    only: 'command',
    type: oneOf(['auto', 'json', 'pretty']),
    default: 'auto',
    description: 'json, pretty, or auto: pretty when stdout is a terminal',
  },
] as const satisfies readonly Setting[];

type Row = (typeof settings)[number];
/** The rows of one command; distributes over the union. */
type RowOf<C extends Command, R = Row> = R extends { readonly commands: readonly (infer Of)[] } ? (C extends Of ? R : never) : never;
type Value<R> = R extends { readonly type: z.ZodType<infer T> } ? (R extends { readonly default: unknown } ? T : T | undefined) : never;

/** The settings of one command: durations in milliseconds, sizes in bytes, paths absolute, secrets resolved. */
export type Settings<C extends Command> = { readonly [R in RowOf<C> as R['name']]: Value<R> };

/** The settings of a command that a program may give: not paths, as it gives what is in the files, nor what only a command has. */
export type OptionName<C extends Command, R = RowOf<C>> = R extends
  | { readonly only: 'flag' | 'command' }
  | { readonly refers: 'path' }
  | { readonly noOptionOf: C }
  ? never
  : R extends { readonly name: infer Name }
    ? Name
    : never;

/** The rows of one command. */
export const settingsOf = (command: Command): readonly Setting[] => settings.filter((row: Setting) => row.commands.includes(command));

/** The rows that `OptionName` names. */
export const optionsOf = (command: Command): readonly Setting[] =>
  settingsOf(command).filter(
    ({ only, refers, noOptionOf }) => only !== 'flag' && only !== 'command' && refers !== 'path' && noOptionOf !== command,
  );

/** The settings of a command that it hands on as options of the library. */
export function optionsIn<C extends Command>(command: C, settings: Settings<C>): Pick<Settings<C>, OptionName<C>> {
  const names = new Set(optionsOf(command).map(({ name }) => name));
  // The rows of the options are the names of its type.
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name))) as Pick<Settings<C>, OptionName<C>>;
}
