/** Who calls functions and makes classes that a container, or a library by the type of a parameter, may call or make as well. */
import type { CallNode, FunctionNode, ParamNode } from '../../syntax/tree.ts';
import { callsOf } from './all-callers.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { isPutByName } from '../libraries/provided.ts';
import type { World } from '../program.ts';
import { isTest } from '../libraries/test-files.ts';

/** What the program itself calls gets what is given there, whatever the type says: `addKey(instance: AxiosInstance)`. */
export const isCalledByProgram = (ev: Evaluation, fn: FunctionNode): boolean =>
  fn.parent?.kind === 'classMember' && fn.parent.role === 'constructor'
    ? madeByHand(ev, fn) === 'program'
    : callsOf(ev, fn).some((call) => !isTest(call.module));

/** Whether code calls a function that a container calls by the names of its parameters. */
export const isCalledToo = (ev: Evaluation, fn: FunctionNode, param: ParamNode, at: At): boolean =>
  isPutByName(ev, param, at) && callsOf(ev, fn).length > 0;

/** By the names of classes, whether the program makes them itself, or tests alone. */
const makers = new WeakMap<World, ReadonlyMap<string, 'program' | 'tests'>>();

/** Whether some code makes, by its name, what a container makes as well: tests do, as a rule. */
export function madeByHand({ world }: Evaluation, { parent: member }: FunctionNode): 'program' | 'tests' | undefined {
  const of = member?.kind === 'classMember' && member.role === 'constructor' ? member.parent : undefined;
  if (of?.kind !== 'class' || of.name === undefined) return undefined;
  const known = makers.get(world) ?? makersIn(world);
  makers.set(world, known);
  return known.get(of.name.name);
}

const makersIn = ({ modules }: World): ReadonlyMap<string, 'program' | 'tests'> =>
  // What the program makes as well comes last, and counts.
  new Map(
    [...modules.values()]
      .toSorted((one, other) => Number(isTest(other)) - Number(isTest(one)))
      .flatMap((module) => module.calls.flatMap(classMadeBy).map((made) => [made, isTest(module) ? 'tests' : 'program'] as const)),
  );

const classMadeBy = ({ isNew, callee }: CallNode): string[] => (isNew && callee.kind === 'name' ? [callee.name] : []);
