/** The arguments that a program is run with: each of them, and what is taken out of one, whoever runs the program gives. */
import { wholeOf } from './environments.ts';
import { given } from '../libraries/given.ts';
import type { SourceModule } from '../module.ts';
import type { UnknownValue, Value } from '../values/values.ts';
import type { Node } from '../../syntax/tree.ts';

export const commandLines: ReadonlySet<string> = new Set(['process.argv', 'Bun.argv', 'Deno.args']);

/** Methods of a list of arguments that give some of them: `process.argv.find((arg) => arg.startsWith('--base='))`. */
export const takingArguments: readonly string[] = ['slice', 'find', 'findLast', 'filter', 'at'];
/** The same of what an argument says: `arg.split('=')[1]`. */
const cutting: ReadonlySet<string> = new Set([...takingArguments, 'split', 'join', 'replace', 'substring']);

const any = 'process.argv';

export const anyArgument = (node: Node, module: SourceModule): UnknownValue => given(any, node, module);

const isAny = (value: Value): value is UnknownValue => value.type === 'unknown' && value.givenAs === any;

/** Whether a method takes what it gives out of an argument. */
export const isOfArgument = (value: Value, method: string): boolean => isAny(value) && cutting.has(method);

/** One of several arguments, by an index that is not known or in a loop; undefined of anything else. */
export function oneArgument(value: Value, node: Node, module: SourceModule): Value | undefined {
  if (isAny(value)) return value;
  return value.type === 'external' && commandLines.has(wholeOf(value)) ? anyArgument(node, module) : undefined;
}
