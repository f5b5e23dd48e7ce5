/**
 * Variables that code alone proves: `process.env.API_URL ?? 'https://…'` says what the variable is for wherever the same program reads it, also without a default, if
 * it sends the same key there, and nothing gives the variable a value of its own. Other programs may have one of that name for another service.
 */
import { posix } from 'node:path';
import { isTest } from '../evaluate/libraries/test-files.ts';
import { packageFolders } from '../find/packages/package-folders.ts';
import type { FoundFile } from '../find/walk.ts';
import type { Surroundings } from '../run/surroundings.ts';
import type { VariableUse } from '../uses-between-components.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import type { Member } from './constraints/between-components.ts';
import { changingIn } from './constraints/changing.ts';
import { isSetOtherwise } from './constraints/set-otherwise.ts';

type Plans = readonly Pick<Member, 'variables'>[];

/** Whether a base of ours that moves is the default of a variable there. */
const isProof = ({ isByDefault, isByTests, isGiven, version, group }: VariableUse): boolean =>
  isByDefault === true && isByTests !== true && isGiven !== true && version === undefined && group !== undefined;

/** Whether it asks there by a variable alone, and stays. A test may ask the own server. */
const isOpen = (use: VariableUse): boolean =>
  use.isByDefault !== true && use.isGiven !== true && use.version === undefined && use.group === undefined && !isTest(use);

export const placeOf = ({ file, start }: Pick<VariableUse, 'file' | 'start'>): string => `${file}:${start}`;

/** Where code has no default for a variable, which stands for nothing that has one, and sends a key that the code with the default sends. */
interface ByDefault {
  readonly name: string;
  readonly open: readonly VariableUse[];
  proofFor(use: VariableUse): VariableUse | undefined;
}

function byDefaultIn(plans: Plans): ByDefault[] {
  const uses = Map.groupBy(
    plans.flatMap(({ variables }) => variables),
    ({ name }) => name,
  );
  return [...uses].flatMap(([name, all]): ByDefault[] => {
    const proofs = all.filter(isProof);
    const proven = new Set(proofs.map(placeOf));
    const proofFor = ({ keys: [key, ...others] = [] }: VariableUse): VariableUse | undefined =>
      key === undefined || others.length > 0 ? undefined : proofs.find(({ keys = [] }) => keys.includes(key));
    const open = all.filter((use) => isOpen(use) && !proven.has(placeOf(use)) && proofFor(use) !== undefined);
    return open.length === 0 ? [] : [{ name, open, proofFor }];
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
  const packageOf = packageFolders(files);
  const manifests = new Set(files.flatMap(({ path }) => (posix.basename(path) === 'package.json' ? posix.dirname(path) : [])));
  // What is in no package is one program with what lies beside it.
  const programOf = (use: VariableUse): string => {
    const folder = packageOf(use);
    return manifests.has(folder === '' ? '.' : folder.slice(0, -1)) ? folder : `${posix.dirname(use.file)}/.`;
  };
  const byDefault = byDefaultIn(plans).flatMap(({ name, open, proofFor }): (readonly [string, ReadonlyMap<string, string>])[] => {
    const places = open.flatMap((use): (readonly [string, string])[] => {
      const proof = proofFor(use);
      return proof === undefined || programOf(proof) !== programOf(use) ? [] : [[placeOf(use), `${proof.file}:${proof.line}`]];
    });
    const isDoubtful = places.length === 0 || named.env.has(name) || isSetOtherwise(name, files, found.texts, named.v1);
    return isDoubtful ? [] : [[name, new Map(places)]];
  });
  return { ...named, envByDefaults: new Map(byDefault) };
}
