/**
 * Every setting, once: flags, environment variables, keys of the configuration file, defaults,
 * the help of the command line and the tables of docs/configuration.md derive from these rows.
 */
import type { z } from 'zod';
import { type Command, configFileName, commands, type Setting } from './setting.ts';
import { migrateSettings } from './settings-migrate.ts';
import { proxySettings } from './settings-proxy.ts';
import { recordSettings } from './settings-record.ts';
import { reportSettings } from './settings-report.ts';
import { rolloutSettings } from './settings-rollout.ts';
import { sandboxSettings } from './settings-sandbox.ts';
import { telemetrySettings } from './settings-telemetry.ts';
import { trafficSettings } from './settings-traffic.ts';
import { assumptions } from './tables.ts';
import { boolean, file, oneOf } from './types.ts';

const all = commands;
const others = all.filter((command) => command !== 'migrate');
const serving = ['proxy', 'sandbox'] as const;
const openapi = ['openapi'] as const;
const writing = ['migrate', 'openapi', 'report'] as const;
const answering = ['proxy', 'sandbox', 'openapi', 'report', 'rollout'] as const;

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

  ...proxySettings,
  ...recordSettings,
  ...telemetrySettings,
  ...trafficSettings,

  ...sandboxSettings,
  ...reportSettings,
  ...rolloutSettings,

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
