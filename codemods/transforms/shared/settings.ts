/** What a run of jscodeshift is asked for, from its options, the environment and its command line. */
import { realpathSync } from 'node:fs';
import type { Question } from './question.ts';
import { clientRules } from '../../clients/registry.ts';
import { pathsOfRunner } from './runner.ts';

export interface Settings {
  /** Without symbolic links. */
  readonly cwd: string;
  readonly v1Base: readonly string[];
  readonly v2Base: string | undefined;
  /** The files and folders that jscodeshift goes through; undefined where that cannot be known. */
  readonly paths: readonly string[] | undefined;
  /** The clients whose calls move; all where undefined. */
  readonly clients: readonly string[] | undefined;
  /** What jscodeshift leaves out. */
  readonly extensions: readonly string[] | undefined;
  readonly ignorePattern: readonly string[];
  readonly ignoreConfig: readonly string[];
  readonly gitignore: boolean;
}

/** @throws Error where no base of v1 is given, or a client that nobody knows */
export function settingsOf({ options, cwd, argv }: Omit<Question, 'id' | 'path' | 'source'>): Settings {
  // jscodeshift hands over an object.
  const given: Record<string, unknown> = JSON.parse(options);
  const { MIGRATE_V2_V1_BASE, MIGRATE_V2_V2_BASE } = process.env;
  const v1Base = textsIn(given['v1Base'] ?? given['v1-base'] ?? MIGRATE_V2_V1_BASE);
  if (v1Base.length === 0)
    throw new Error('no base address of v1 is given: add --v1Base=https://… (npx migrate-v2 --dry-run lists those that the code has)');
  const paths = textsIn(given['paths']);
  return {
    cwd: realpathSync.native(cwd),
    v1Base,
    v2Base: textsIn(given['v2Base'] ?? given['v2-base'] ?? MIGRATE_V2_V2_BASE)[0],
    paths: paths.length > 0 ? paths : pathsOfRunner(argv),
    clients: clientsIn(given['clients']),
    extensions: typeof given['extensions'] === 'string' ? textsIn(given['extensions']) : undefined,
    ignorePattern: textsIn(given['ignorePattern']),
    ignoreConfig: textsIn(given['ignoreConfig']),
    gitignore: given['gitignore'] === true,
  };
}

/** A name that is wrong would move nothing, and look like success. */
function clientsIn(given: unknown): readonly string[] | undefined {
  const clients = textsIn(given);
  const known = clientRules.flatMap(({ name, call }) => (call === undefined ? [] : name));
  const stranger = clients.find((client) => !known.includes(client));
  if (stranger !== undefined) throw new Error(`--clients: "${stranger}" is no client that is known; these are: ${known.join(', ')}`);
  return clients.length === 0 ? undefined : clients;
}

/** One text, several with commas, or a list. */
const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : typeof value === 'string' ? value.split(',') : [])
    .map((text) => String(text).trim())
    .filter((text) => text !== '');
