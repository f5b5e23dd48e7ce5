/**
 * Code that makes the end of a base what it wants: `url.endsWith('/v1') ? url : url + '/v1'` asks whether the version is there, and
 * `url.replace(/\/v1\/?$/, '')` takes it away. What is asked for is a version that moves, so that it has to move along.
 */
import type { CallNode, LiteralNode, Node, StringNode } from '../../syntax/tree.ts';
import { unknownPart } from './text.ts';

export interface VersionEnd {
  /** Whose end it is. */
  readonly subject: Node;
  /** What says the version. */
  readonly literal: StringNode | LiteralNode;
  readonly isCut: boolean;
  /** What a text has of it, at its end or, where that is not asked for, anywhere. */
  readonly form: RegExp;
}

/** @returns undefined where a call asks for no version, and takes none away */
export function versionEndIn({ callee, args }: CallNode): VersionEnd | undefined {
  const [first, by] = args;
  if (callee.kind !== 'member' || first === undefined || first.kind === 'spread') return undefined;
  const { object, property = '' } = callee;
  if (property === 'test') return args.length === 1 ? endOf(first, object, false) : undefined;
  if (property === 'match' || property === 'endsWith' || property === 'includes')
    return args.length === 1 && (property === 'match') === (first.kind === 'literal')
      ? endOf(object, first, false, property === 'includes')
      : undefined;
  return property === 'replace' && by?.kind === 'string' && by.value === '' ? endOf(object, first, true, true) : undefined;
}

function endOf(subject: Node, literal: Node, isCut: boolean, isAnywhere = false): VersionEnd | undefined {
  if (literal.kind === 'string')
    return /^\/v1\/?$/.test(literal.value)
      ? { subject, literal, isCut, form: new RegExp(`${literal.value}${isAnywhere ? '' : '$'}`) }
      : undefined;
  if (literal.kind !== 'literal' || typeof literal.value !== 'object' || literal.value === null) return undefined;
  const { pattern, flags } = literal.value;
  return versions.test(pattern) && /^i?$/.test(flags) ? { subject, literal, isCut, form: new RegExp(pattern, flags) } : undefined;
}

/** `\/v1$`, `\/v1\/?$`, `(?:\/v1)?\/*$`, `\/v\d+\/?$`: in none of them two things repeat the same, so that they cost nothing. */
const versions = /^(?:\\\/v(?:1|\\d\+?|\[12\])|\((?:\?:)?\\\/v(?:1|\\d\+?|\[12\])\)\??)(?:\\\/[?*+]?)?\$$/;

/** Where the literal says the version, and what it is to say then: what is taken away may be set to either for a while. */
export function versionMoved({ literal, isCut }: VersionEnd, text: string): { start: number; end: number; text: string } | undefined {
  const at = text.slice(literal.start, literal.end).indexOf('v1');
  if (at === -1) return undefined;
  const start = literal.start + at;
  return { start, end: start + 2, text: isCut && literal.kind === 'literal' ? 'v[12]' : 'v2' };
}

/** Whether a text has it, as far as that can be told where a NUL is anything. */
export function hasVersion(form: RegExp, text: string): boolean | undefined {
  const at = text.lastIndexOf(unknownPart);
  if (at === -1) return form.test(text);
  if (!form.source.endsWith('$')) return form.test(text.replaceAll(unknownPart, ' ')) || undefined;
  const end = text.slice(at + 1);
  return end.length > longest ? form.test(end) : form.test(end) || undefined;
}

/** Of an end beyond which nothing decides: `/v1/`. */
const longest = 4;
