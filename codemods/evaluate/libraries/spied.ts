/** What a function that stands for another in a test was called with, as names lead to it: `spy.mock.calls[0][1].headers`. */
import type { Expression, MemberNode, NameNode } from '../../syntax/tree.ts';

/** What a function was given as its first argument, its second … */
export const given = (index: number): string => `(${index})`;

/** Of Vitest and Jest, of node:test, and of Sinon; by its place, or any of them. */
const toArgument =
  /^(?:\((?<index>\d+)\)|(?:mock\.(?:calls\.\[\]|lastCall)(?:\.arguments)?|args\.\[\]|(?:\[\]|(?:first|second|third|last)Call)\.args)\.\[\])(?:\.|$)/;

interface Argument {
  /** Undefined where it may be any. */
  readonly index: number | undefined;
  /** The names that lead on from it. */
  readonly rest: readonly string[];
}

/** @returns undefined where the names lead to nothing that a function was given */
export function argumentIn(path: readonly string[]): Argument | undefined {
  const { 0: names, groups } = toArgument.exec(path.join('.')) ?? {};
  if (names === undefined) return undefined;
  const index = groups?.['index'];
  return { index: index === undefined ? undefined : Number(index), rest: path.slice(names.replace(/\.$/, '').split('.').length) };
}

/** What it is given where it is called at one of its places. */
export function givenAt(reference: NameNode | MemberNode, { index }: Argument): Expression[] {
  const { parent } = reference;
  if (parent?.kind !== 'call' || parent.callee !== reference) return [];
  return parent.args.flatMap((arg, at) => (arg.kind === 'spread' || (index !== undefined && at !== index) ? [] : arg));
}
