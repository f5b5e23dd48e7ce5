/** Code that hides values, by what people call it and by what it puts in their place. */
import { v1Auth } from '../../../../src/contract/auth.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { hidingWords } from '../../../find/words/hiding-words.ts';
import { walk } from '../../../syntax/link.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import type { Value } from '../../../evaluate/values/values.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { isMask, isNothing, isPlaceholder, nameOf, within } from './masks.ts';

/** What people call lists of secrets, and functions that hide them. */
const hiding = new RegExp(
  `${hidingWords}|sensitiv|secret_?(?:header|key|field|path|name)s|blacklist|blocklist|denylist|hidden|serializ|^omit|beforeSend|beforeBreadcrumb`,
  'i',
);
/** What people put in the place of one, and what is a key just as well, of a test or of somebody's own. */
const maskOrKey = /secret|^\s*x+\s*$/i;

/** What they call lists of what is left out, by what is done with it. */
const leavingOut = /drop(?:ped)?|strip|exclu|omit|ignor|skip|remov|unlogged|not_?logged|never_?log|quiet|private|confidential|filter/i;

/** `PRIVATE_HEADER` is one header, and no list. */
const isOfOne = /(?:header|name|field|key)$/i;

/** What proxies take away from what they pass on, and from what they answer. */
const ofRequests = /(?:request|response)_?-?headers?_?-?(?:to)?_?-?remove|remove_?-?(?:request|response)/i;

/** Whether a name, or a text by a name in it, says that something is hidden. Files whose text says so are looked at (`component/relevance/marks.ts`). */
export const isHidingName = (name: string): boolean => hiding.test(name);
/** Whether it says so of a list. */
export const isHidingList = (name: string): boolean =>
  hiding.test(name) || (leavingOut.test(name) && !isOfOne.test(name) && !ofRequests.test(name));

/** What a function may tell versions apart by, or stop a program with. */
const minding = /v[\d\\[('"`]|version|\b(?:throw|this|env)\b/i;

/** `redact(url)`, by its name and what it puts there: what it looks for in an address hangs on no version. */
export const hidesPaths = (
  call: CallNode,
  { node, module }: Extract<Value, { type: 'function' | 'class' }>,
  carried: readonly Change[],
): boolean =>
  isHidingName(nameOf(call)) &&
  call.args.length === 1 &&
  within.test(module.text.slice(node.start, node.end)) &&
  carried.every(({ what }) => what === 'path') &&
  isIndifferent(node, module);

/** What stays as it is written: a list may be filled elsewhere. */
const lasting: ReadonlySet<Node['kind'] | undefined> = new Set(['function', 'literal', 'string']);
const indifferent = new WeakMap<Node, boolean>();

/** Whether neither a function nor what it uses of its file minds what it is given; what comes from elsewhere may. */
function isIndifferent(fn: Node, module: SourceModule): boolean {
  const before = indifferent.get(fn);
  if (before !== undefined) return before;
  const used = new Set<Node>([fn]);
  let found = true;
  // A set that grows while it is walked.
  for (const each of used) {
    found &&= !minding.test(module.text.slice(each.start, each.end));
    walk(each, (part) => {
      const owner = part.kind === 'name' ? module.scopes.bindingOf(part)?.owner : undefined;
      if (owner === undefined || [each, fn].some(({ start, end }) => start <= owner.start && owner.end <= end)) return found;
      found &&= owner.kind === 'function' || (owner.kind === 'variable' && owner.declares === 'const' && lasting.has(owner.init?.kind));
      used.add(owner);
      return found;
    });
    if (!found) break;
  }
  indifferent.set(fn, found);
  return found;
}

/** What hides it, with all that it hides; undefined where nothing does. */
export function redactedBy(node: Node, module: SourceModule): Node | undefined {
  const { parent } = node;
  if (node.kind === 'property') {
    const { value } = node;
    const isHidden =
      isMask(value) ||
      (isCopied(parent) && !isTest(module) && (isMaskOrKey(value) || isPlaceholder(value))) ||
      ((isNothing(value) || isMaskOrKey(value)) && hidesIn(node));
    return isHidden ? parent : undefined;
  }
  // `const { 'x-api-key': _, ...others } = headers`
  if (node.kind === 'patternProperty') return parent?.kind === 'objectPattern' && parent.rest !== undefined ? parent : undefined;
  if (parent?.kind === 'member') {
    const { parent: use } = parent;
    if (use?.kind === 'unary' && use.operator === 'delete') return blockAround(node);
    if (use?.kind !== 'assign' || use.target !== parent) return undefined;
    return isMask(use.value) || isNothing(use.value) || isBlank(use.value) || isMaskOfProgram(use.value, module)
      ? blockAround(node)
      : undefined;
  }
  return (
    hidesIn(node) ??
    (parent?.kind === 'array' && node.kind === 'string' && (ofHeaders.test(node.value) || isListedOut(parent)) ? parent : undefined)
  );
}

/** `exclude: ['x-api-key']`, `this.skipped = ['x-api-key']`, `new Set([…])` under such a name */
function isListedOut(list: Node): boolean {
  const { parent } = list;
  if (parent?.kind === 'call') return parent.isNew && isListedOut(parent);
  return /^(?:property|variable|classMember|assign)$/.test(parent?.kind ?? '') && isHidingList(nameOf(parent ?? list));
}

/** `{ ...headers, 'x-api-key': '…' }`, `Object.assign({}, headers, { 'x-api-key': '…' })`: it stands over what all others are. */
function isCopied(object: Node | undefined): boolean {
  if (object?.kind !== 'object') return false;
  if (object.properties.some(({ kind }) => kind === 'spread')) return true;
  const { parent } = object;
  return parent?.kind === 'call' && /^(?:assign|merge|extend|defaults)$/.test(nameOf(parent)) && parent.args.length > 1;
}

const isBlank = (node: Node): boolean => node.kind === 'string' && node.value === '';
const isMaskOrKey = (node: Node): boolean => node.kind === 'string' && maskOrKey.test(node.value);
const isMaskOfProgram = (node: Node, module: SourceModule): boolean => !isTest(module) && isMaskOrKey(node);
/** In a list by whatever name, such paths are of what is hidden. */
const ofHeaders = new RegExp(`(?:^|[.\\]])headers(?:\\.|\\[["'\`]?)${v1Auth.field}["'\`]?\\]?$`, 'i');

/** The list, call or function around it whose name says that it hides. */
export function hidesIn(node: Node): Node | undefined {
  for (let at: Node | undefined = node.parent; at !== undefined && at.kind !== 'program'; at = at.parent)
    if (isHidingName(nameOf(at))) return at;
  return undefined;
}

function blockAround(node: Node): Node | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && at.kind !== 'block' && at.kind !== 'program') at = at.parent;
  return at;
}
