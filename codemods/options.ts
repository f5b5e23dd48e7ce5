/** Whether what a program gives to `migrate` is what it takes: JavaScript has no compiler that says so. */
import { z } from 'zod';
import { didYouMean } from '../src/config/suggest.ts';
import { show } from '../src/config/types.ts';
import { MigrateError } from './errors.ts';
import type { MigrateOptions } from './result.ts';

const example = "migrate({ paths: ['src'], v1Base: 'https://api.example.com' })";

/** A type with what to write in place of what it does not accept. */
const option = (what: string, accepts: (value: unknown) => boolean) =>
  z.unknown().refine(accepts, { error: ({ input }) => `${show(input)} is not ${what}` });

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';
const isList = (value: unknown): boolean => Array.isArray(value) && value.every(isText);

const isPlaces = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === 'string' && /^.+:[1-9]\d*$/s.test(each));

const boolean = option('true or false', (value) => typeof value === 'boolean').optional();
const globs = option("a list of globs: write ['**/*.ts']", isList).optional();
const callback = option('a function', (value) => typeof value === 'function').optional();

const types = {
  paths: option(
    "a file or folder, or a list of them: write ['src']",
    (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  ),
  cwd: option('the path of a folder', isText).optional(),
  v1Base: option('a URL or env:NAME, or a list of them', (value) => typeof value === 'string' || isList(value)).optional(),
  v2Base: option('a URL', (value) => typeof value === 'string').optional(),
  allow: option("a list of places: write ['src/api.js:12']", isPlaces).optional(),
  include: globs,
  exclude: globs,
  jobs: option('a whole number of at least 1', (value) => Number.isSafeInteger(value) && Number(value) >= 1).optional(),
  todo: boolean,
  dryRun: boolean,
  force: boolean,
  // It may hold secrets, so it is not shown.
  env: z.looseObject({}, 'is not an object with the names and values of variables').optional(),
  accept: callback,
  confirm: callback,
  background: boolean,
  proofs: boolean,
  onProgress: callback,
  onRecovery: callback,
  signal: z.instanceof(AbortSignal, { error: 'is not an AbortSignal' }).optional(),
} satisfies Record<keyof MigrateOptions, z.ZodType>;

/** @throws MigrateError that names the option which is not known, not accepted or missing, and says what to write */
export function checkOptions(given: unknown): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new MigrateError('OPTION_INVALID', `${show(given)} is no object with options: write ${example}`);
  }
  const names = Object.keys(types);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, names) || `; there are ${names.join(', ')}`;
    throw new MigrateError('OPTION_UNKNOWN', `${unknown}: no such option${hint}`);
  }
  const result = z.object(types).safeParse(given);
  if (result.success) return;
  const [issue] = result.error.issues;
  throw new MigrateError('OPTION_INVALID', `${issue?.path.join('.')}: ${issue?.message}`, { cause: result.error });
}
