/** Regular expressions that begin with a path: `.get(/^\/v1\/contacts\/\w+$/)` stands for the requests whose paths begin so. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { flat } from '../../evaluate/values/text.ts';
import { type Mock, optionsOf, type Part, partsOf, type Value } from '../../evaluate/values/values.ts';
import type { LiteralNode, NameNode, Node } from '../../syntax/tree.ts';

/** One character of a path as patterns write it. */
const written = /^(?:\\([/.:-])|([\w/:-]))/;
const repeated = /^[*+?{]/;

/**
 * The address that a mock is given, with what is known of it where it is a pattern that stands there.
 * @param base what comes before it: where the version is in that, it need not be in the pattern
 */
export function addressOf(
  arg: Node | undefined,
  module: SourceModule,
  value: Value | undefined,
  base?: Value,
): { readonly url: Value | undefined; readonly mock: Mock } {
  const isBelow = base !== undefined && optionsOf(base).every((each) => /\/v[12]\/?$/.test(flat(partsOf(each))));
  const url = arg?.kind === 'literal' ? textOf(arg, module, isBelow) : undefined;
  return url === undefined ? { url: value, mock: {} } : { url, mock: { expects: 'part' } };
}

/**
 * What a pattern says of an address that it is looked for in: `/v1\\/contacts$/`, `new RegExp('/v1/contacts')`.
 * @returns undefined for what is no pattern, or may mean another address
 */
export function soughtBy(given: Node | undefined, { module, ev }: Pick<RuleCall, 'module' | 'ev'>): Value | undefined {
  const node = given?.kind === 'name' ? patternNamed(given, module) : given;
  if (node?.kind === 'literal')
    return textOf(node, module, false, /^(?:(?:https?:\/\/)?[\w.:-]+\.[\w.:-]+\/|\/(?:[\w-]+\/)*)?v[12](?:\/|$)/);
  const [first] = node?.kind === 'call' && node.isNew && node.callee.kind === 'name' && node.callee.name === 'RegExp' ? node.args : [];
  if (first === undefined || first.kind === 'spread') return undefined;
  const value = ev.evaluate(first, { module, frame: undefined });
  return value.type === 'text' && /^[\w/:.-]+$/.test(flat(value.parts)) ? value : undefined;
}

/** `const pattern = /…/`, which nothing else looks for. */
function patternNamed(name: NameNode, { scopes }: SourceModule): Node | undefined {
  const binding = scopes.bindingOf(name);
  const { owner } = binding ?? {};
  const isAlone =
    binding?.references.length === 1 && owner?.kind === 'variable' && owner.declares === 'const' && owner.target === binding.declaration;
  return isAlone && owner.parent?.kind !== 'exportDeclaration' ? owner.init : undefined;
}

const fromVersion = /^(?:https?:\/\/[\w.:-]+)?\/v[12](?:\/|$)/;

/** The path that a pattern begins with, if the version is in it, either of them; undefined where it may be another. */
function textOf(node: LiteralNode, module: SourceModule, isBelow: boolean, isAddress = fromVersion): Value | undefined {
  const pattern = typeof node.value === 'object' ? node.value?.pattern : undefined;
  if (pattern === undefined || !module.text.startsWith(pattern, node.start + 1) || hasChoice(pattern)) return undefined;
  const parts: Part[] = [];
  let at = pattern.startsWith('^') ? 1 : 0;
  for (let found = written.exec(pattern.slice(at)); found !== null; found = written.exec(pattern.slice(at))) {
    const [whole, escaped, plain = ''] = found;
    if (repeated.test(pattern.slice(at + whole.length))) break;
    const before = parts.at(-1);
    const start = node.start + 1 + at + (escaped === undefined ? 0 : 1);
    if (escaped === undefined && before !== undefined && 'text' in before && before.source !== undefined && isPlain(before.text))
      parts[parts.length - 1] = { ...before, text: before.text + plain };
    else parts.push({ text: escaped ?? plain, source: { module, start, isExact: true, node } });
    at += whole.length;
  }
  const text = parts.map((part) => ('text' in part ? part.text : '')).join('');
  // What begins with the path has the version in it, too; a base before it is asked for all the same.
  if (isBelow && !pattern.startsWith('^') && /^\/(?!v[12](?:\/|$))\w/.test(text)) return { type: 'text', parts };
  if (!isAddress.test(text)) return undefined;
  // A host is a whole one, whatever stands before it; folders before the version are the end of something.
  const before = /^[\w-]+\./.test(text) ? 'https://' : /^\/(?!v[12](?:\/|$))/.test(text) && !pattern.startsWith('^') ? '*' : undefined;
  return { type: 'text', parts: before === undefined ? parts : [{ text: before }, ...parts] };
}

const isPlain = (text: string): boolean => /^[\w-]+$/.test(text);

/** Whether the whole of it is one of several. */
function hasChoice(pattern: string): boolean {
  let depth = 0;
  for (const [each] of pattern.matchAll(/\\.|[()|]/gs)) {
    if (each === '|' && depth === 0) return true;
    depth += each === '(' ? 1 : each === ')' ? -1 : 0;
  }
  return false;
}
