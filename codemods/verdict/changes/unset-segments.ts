/** Identifiers that are not set yet, `let id = ''`, `useState('')`, `job.id ?? ''`, or that a test leaves empty. No segment of a route is empty, so nobody means the empty text. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { flat } from '../../evaluate/values/text.ts';
import { type Part, type TextPart, unknown } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Request } from '../../requests/requests.ts';

/**
 * The same request with something unknown in the place of a segment that is an empty text for now.
 * @param others the requests on the same call path
 * @returns undefined where no segment is, or nothing says that it will be anything else: `list('')`, `'/contacts/'`
 */
export function withUnsetSegment(request: Request, others: readonly Request[]): Request | undefined {
  const { url = [], isPrefix } = request;
  if (isPrefix) return undefined;
  for (const [index, part] of url.entries()) {
    const source = emptyText(part);
    const [before, after] = [flat(url.slice(0, index)), flat(url.slice(index + 1))];
    if (source === undefined || !/[^/]\/$/.test(before) || !/^(?:[/?#]|$)/.test(after)) continue;
    const isMeant = isStart(source, request) || isTried(source, url[index - 1]);
    if (!isMeant && !others.some((other) => other.call === request.call && isBetween(other, before, after))) continue;
    const open: Part = { unknownPart: unknown(source.node, source.module), provenance: part.provenance };
    return { ...request, url: url.with(index, open) };
  }
  return undefined;
}

/**
 * Whether a request asks for a host alone, or for nothing, as its path or address is still the empty text that a field begins with, where the same call asks for
 * one that is put there before: `class Builder { #path = ''; get(path) { this.#path = path; return this; } }`. Nobody means that one.
 * @param others the requests on the same call path
 */
export function isBeforeItsPath(request: Request, others: readonly Request[]): boolean {
  const { url = [], isPrefix, call } = request;
  const last = url.at(-1);
  const source = last && emptyText(last);
  const host = flat(url);
  if (isPrefix || source === undefined || !/^(?:https?:\/\/[^/?#]+)?$/.test(host) || !isField(source.node)) return false;
  const isPut = (address: string): boolean => (host === '' ? address !== '' : address.startsWith(`${host}/`));
  return others.some((other) => other.call === call && isPut(flat(other.url ?? [])));
}

/** `#path = ''`, `this.path = ''` */
const isField = ({ parent }: Node): boolean =>
  parent?.kind === 'classMember' || (parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.object.kind === 'this');

const emptyText = (part: Part): TextPart['source'] => ('text' in part && part.text === '' ? part.source : undefined);

/** Whether a request is the same but for a segment that is not empty there. */
function isBetween({ url = [] }: Request, before: string, after: string): boolean {
  const text = flat(url);
  const segment = text.slice(before.length, text.length - after.length);
  return text.startsWith(before) && text.endsWith(after) && segment !== '' && !/[/?#]/.test(segment);
}

/** Whether it is what something begins with that is set later – by a page's form, as often as not – and no caller hands it over itself. */
function isStart({ node, module }: NonNullable<TextPart['source']>, { call, module: own, callers }: Request): boolean {
  const { parent } = node;
  const isKept = parent?.kind === 'variable' ? parent.declares !== 'const' : parent !== undefined && keeps.has(parent.kind);
  const calls = [{ node: call, module: own }, ...callers];
  return isKept && !calls.some((at) => at.module === module && at.node.start <= node.start && node.end <= at.node.end);
}

/** Whether a test tries what the program makes of an identifier that is missing: `expect(() => read('')).toThrow()`. */
const isTried = ({ module }: NonNullable<TextPart['source']>, before: Part | undefined): boolean =>
  isTest(module) && before !== undefined && 'text' in before && before.source !== undefined && !isTest(before.source.module);

/** A field, a property of an object, and what a function makes a state of. */
const keeps = new Set(['classMember', 'property', 'call']);
