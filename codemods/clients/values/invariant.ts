/** `invariant(process.env.API_URL, 'API_URL is not set')`: functions of packages that throw where what they are given is missing, and do nothing else with it. */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';

const nothing: LibraryFunction = () => ({ type: 'literal', value: undefined });

const names: Readonly<Record<string, readonly string[]>> = {
  'tiny-invariant': [''],
  invariant: [''],
  'ts-invariant': ['', 'invariant'],
  '@epic-web/invariant': ['invariant', 'invariantResponse'],
  outvariant: ['invariant'],
};

export const invariantLibrary: ClientRule = {
  name: 'invariant',
  modules: Object.keys(names),
  functions: Object.fromEntries(
    Object.entries(names).flatMap(([from, exported]) => exported.map((name) => [`${from}:${name}`, nothing] as const)),
  ),
};
