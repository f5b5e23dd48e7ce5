/** The base addresses of a run, from how they are given. */
import { clientBases, successorBase } from '../../../src/config/types-migrate.ts';
import { MigrateError } from '../../errors.ts';
import type { Bases } from './routes.ts';
import type { MigrateOptions } from '../../result.ts';

const variable = /^env:/;

/**
 * @throws MigrateError where one is neither a URL nor `env:NAME`, or where a stage would come to the host of another
 */
export function basesOf({ v1Base, v2Base, allow = [] }: Pick<MigrateOptions, 'v1Base' | 'v2Base' | 'allow'>): Bases {
  const given = parsed(clientBases, v1Base);
  const v1 = given.filter((base) => !variable.test(base));
  const v2 = v2Base === undefined ? undefined : parsed(successorBase, v2Base);
  const hosts = [...new Set(v1.map((base) => new URL(base).host))];
  if (v2 !== undefined && hosts.length > 1) throw new MigrateError('BASE_INVALID', ofManyHosts(hosts));
  const env = new Set(given.filter((base) => variable.test(base)).map((base) => base.replace(variable, '')));
  const places = allow.map((place) => ({
    file: place.slice(0, place.lastIndexOf(':')),
    line: Number(place.slice(place.lastIndexOf(':') + 1)),
  }));
  const byFile = Map.groupBy(places, ({ file }) => file);
  const allowed = new Map(Array.from(byFile, ([file, lines]) => [file, lines.map(({ line }) => line)]));
  return { v1, v2: v2 !== undefined && v1.length === 1 && v1[0] === v2 ? undefined : v2, env, allowed };
}

/** What people try out on a stage would be sent to somebody. */
const ofManyHosts = (hosts: readonly string[]): string =>
  `--v2-base would send what asks ${hosts.join(' and ')} to one host, and what a stage asks to those whom it is tried for: leave it out, so that each ` +
  'host stays, and change the hosts by hand; or name one of them by --v1-base';

interface Type<Value> {
  safeParse(
    input: unknown,
  ):
    | { readonly success: true; readonly data: Value }
    | { readonly success: false; readonly error: { readonly issues: readonly { readonly message: string }[] } };
}

function parsed<Value>(type: Type<Value>, input: unknown): Value {
  const result = type.safeParse(input);
  if (result.success) return result.data;
  throw new MigrateError('BASE_INVALID', result.error.issues[0]?.message ?? 'not a base address');
}
