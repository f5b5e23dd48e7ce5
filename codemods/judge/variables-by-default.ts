/**
 * Variables that code alone proves: `process.env.API_URL ?? 'https://…'` says what the variable is for wherever the same program reads it, also without a default.
 * Other programs may have one of that name for another service.
 */
import { isTest } from '../evaluate/libraries/test-files.ts';
import { escaped } from '../find/words/literals.ts';
import { packageFolders } from '../find/packages/package-folders.ts';
import type { Suspect } from '../find/scan.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Surroundings } from '../run/surroundings.ts';
import type { VariableUse } from '../uses-between-components.ts';
import { isLocal } from '../verdict/bases/hosts.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import type { Member } from './constraints/between-components.ts';
import { changingIn } from './constraints/changing.ts';

type Plans = readonly Pick<Member, 'variables'>[];

/** Whether a base of ours that moves is the default of a variable there. */
const isProof = ({ isByDefault, isByTests, isGiven, version, group }: VariableUse): boolean =>
  isByDefault === true && isByTests !== true && isGiven !== true && version === undefined && group !== undefined;

/** Whether it asks there by a variable alone, and stays. */
const isOpen = ({ isByDefault, isGiven, version, group }: VariableUse): boolean =>
  isByDefault !== true && isGiven !== true && version === undefined && group === undefined;

const placeOf = ({ file, start }: VariableUse): string => `${file}:${start}`;

/** What code says of one variable. */
interface ByDefault {
  readonly name: string;
  readonly proofs: readonly VariableUse[];
  /** Where it has no default, and stands for nothing that has one. */
  readonly open: readonly VariableUse[];
}

function byDefaultIn(plans: Plans): ByDefault[] {
  const uses = Map.groupBy(
    plans.flatMap(({ variables }) => variables),
    ({ name }) => name,
  );
  return [...uses].flatMap(([name, all]): ByDefault[] => {
    const proofs = all.filter(isProof);
    const proven = new Set(proofs.map(placeOf));
    const open = proofs.length === 0 ? [] : all.filter((use) => isOpen(use) && !proven.has(placeOf(use)));
    return open.length === 0 ? [] : [{ name, proofs, open }];
  });
}

/**
 * Variables that nothing named or set to a base, of which the value is to change, as files that only read them were not looked at, or which code proves where other
 * code has no default.
 */
export const variablesNotWatched = (plans: Plans, { env }: Bases): string[] =>
  [...new Set([...changingIn(plans), ...byDefaultIn(plans).map(({ name }) => name)])].filter((name) => !env.has(name));

/**
 * @param read with all files that name these variables
 * @param files all of the run, with the manifests of its packages
 * @returns the bases with these variables, and the places where each holds our base without a default
 */
export function withDefaults({ found, named }: Pick<Surroundings, 'found' | 'named'>, plans: Plans, files: readonly FoundFile[]): Bases {
  const { candidates, texts } = found;
  const packageOf = packageFolders(files);
  const isOnePackage = files.some(({ path }) => path === 'package.json');
  // What is in no package is of the program in its topmost folder.
  const programOf = (file: string): string => packageOf({ file }) || (!isOnePackage && /^[^/]+\//.exec(file)?.[0]) || '';
  const isOurs = (host: string): boolean => named.v1.some((base) => new URL(base).hostname === host.toLowerCase());
  const byDefault = byDefaultIn(plans).flatMap(({ name, proofs, open }): (readonly [string, ReadonlySet<string>])[] => {
    const programs = new Set(proofs.map(({ file }) => programOf(file)));
    const hostBeside = new RegExp(String.raw`(?<!\w)${escaped(name)}(?!\w)[^\n]{0,20}?https?://([\w.-]+)`, 'g');
    const isOther = ({ path, kind }: Suspect): boolean =>
      (kind !== 'script' || (programs.has(programOf(path)) && !isTest({ file: path }))) &&
      Array.from(texts.utf8(path).matchAll(hostBeside)).some(([, host = '']) => !isOurs(host) && (kind === 'script' || !isLocal(host)));
    const within = open.filter(({ file }) => programs.has(programOf(file)));
    return named.env.has(name) || candidates.some(isOther) ? [] : [[name, new Set(within.map(placeOf))]];
  });
  return { ...named, envByDefaults: new Map(byDefault) };
}
