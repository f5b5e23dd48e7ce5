/**
 * Lists of the headers that are let through, which have v1's and not v2's: what browsers may send to a server, what a proxy or a wrapper passes on. The key of a call that is
 * moved is not among them, so that it is left out there, or the call refused.
 */
import { v1Auth, v2Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../../model.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { Node, StringNode } from '../../../syntax/tree.ts';
import type { Place } from '../../../evaluate/budget.ts';
import { usesOfList } from './list-uses.ts';
import { nameOf } from '../hiding/masks.ts';
import { copiedInTurn, isPicked, testsBy } from '../hiding/name-tests.ts';
import { headerReads } from '../reads/reads.ts';
import { letThroughBy } from '../hiding/test-outcomes.ts';

/** What people and libraries call such lists. */
const allowing =
  /^(?:access-?control-?)?(?:cors-?)?(?:allow(?:ed)?|permit(?:ted)?|accept(?:ed)?|forward(?:ed|able)?|pass(?:ed|through)?|propagated?|safe|white-?listed?|proxied)-?(?:request-?)?headers?(?:-?names)?$|^headers-?(?:to-?)?(?:allow|forward|pass|propagate|keep)(?:ed)?$|^(?:request)?headers?-?(?:white|allow|safe)-?list$|^allow-?list$/i;

export const isAllowingName = (name: string): boolean =>
  allowing.test(name.replaceAll(/[_\s]/g, '-').replaceAll(/([a-z])([A-Z])/g, '$1-$2'));

const isHeader = new RegExp(`^\\s*${v1Auth.field}\\s*$`, 'i');
/** `'content-type, x-api-key'` */
const isAmong = new RegExp(`^(?:[\\w*-]+\\s*,\\s*)*${v1Auth.field}(?:\\s*,\\s*[\\w*-]+)*$`, 'i');
const isKnown = new RegExp(`(?<![\\w-])${v2Auth.field}(?![\\w-])|["'\`]\\*["'\`]`, 'i');

/** Whether servers of the program read the header of what arrives: then such lists are about a key of theirs. */
export const readsArrivals = (ev: Evaluation): boolean =>
  [...ev.world.modules.values()].some((module) => !isTest(module) && headerReads(ev, module).some(({ isServer }) => isServer));

/** @param isUsed whether a request uses what stands there, or an edit changes it */
export function allowedNamesIn(ev: Evaluation, module: SourceModule, isUsed: (node: Node) => boolean): Finding[] {
  return nodesOfKind(module.tree.program, 'string').flatMap((node): Finding[] => {
    if (!isAmong.test(node.value) || isUsed(node) || isTest(module)) return [];
    const list = listAround(node);
    if (list === undefined || isKnown.test(module.text.slice(list.start, list.end))) return [];
    const how = list.parent !== undefined && isTraced(list.parent) ? 'traced' : 'listed';
    if (how === 'listed' && !letsThrough(ev, { node: list, module })) return [];
    const { start, end } = node;
    return [{ code: 'reads-header', file: module.file, start, end, ...module.position(start), detail: { how } }];
  });
}

/** The list that a name stands in, or the text that is one by itself. */
function listAround(node: StringNode): Node | undefined {
  if (!isHeader.test(node.value) || isNamed(node))
    return node.parent?.kind === 'call' && isAllowingName(nameOf(node.parent)) ? node.parent : node;
  return node.parent?.kind === 'array' ? node.parent : undefined;
}

function letsThrough(ev: Evaluation, list: Place): boolean {
  if (list.node.kind === 'call' || isNamed(list.node)) return true;
  if (list.node.kind !== 'array') return false;
  return usesOfList(ev, list).some((use) => isNamed(use.node) || leavesOutOthers(ev, use));
}

const leavesOutOthers = (ev: Evaluation, use: Place): boolean =>
  letThroughBy(ev, testsBy(use)) !== undefined || copiedInTurn(use) || isPicked(ev, use);

/** @returns v1's name in lists by which all other headers are left out somewhere, and where that is */
export function passingIn(ev: Evaluation, module: SourceModule): { readonly name: StringNode; readonly by: readonly Place[] }[] {
  return nodesOfKind(module.tree.program, 'string').flatMap((name) => {
    const list = isHeader.test(name.value) && name.parent?.kind === 'array' ? name.parent : undefined;
    if (list === undefined || isKnown.test(module.text.slice(list.start, list.end))) return [];
    return [{ name, by: usesOfList(ev, { node: list, module }).filter((use) => leavesOutOthers(ev, use)) }];
  });
}

/** What it is given to: `allowedHeaders: names`, `headers.set('Access-Control-Allow-Headers', names)`, `['access-control-allow-headers', names]`. */
function isNamed(node: Node): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'property':
    case 'classMember':
    case 'variable':
    case 'assign':
      return isAllowingName(nameOf(parent)) || (parent.kind === 'property' && isNamedBeside(parent));
    case 'call': {
      const before = parent.args[parent.args.findIndex((arg) => arg === node) - 1];
      return (before?.kind === 'string' && isAllowingName(before.value)) || isAllowingName(nameOf(parent));
    }
    case 'array': {
      const before = parent.elements[parent.elements.findIndex((each) => each === node) - 1];
      return before?.kind === 'string' && isAllowingName(before.value);
    }
    default:
      return false;
  }
}

/** `{ key: 'Access-Control-Allow-Headers', value: 'x-api-key' }`, and what is called `headers` in settings of CORS. */
function isNamedBeside(property: Node): boolean {
  const object = property.parent;
  if (object?.kind !== 'object') return false;
  const isOfCors = /^headers$/i.test(nameOf(property)) && /^cors$/i.test(object.parent === undefined ? '' : nameOf(object.parent));
  const isOfPair =
    nameOf(property) === 'value' &&
    object.properties.some(
      (each) => each.kind === 'property' && each.value.kind === 'string' && /^access-control-allow-headers$/i.test(each.value.value),
    );
  return isOfCors || isOfPair;
}

/** What OpenTelemetry keeps of the requests that a program makes: `headersToSpanAttributes: { client: { requestHeaders: names } }`, and without `client` for undici. */
function isTraced(property: Node): boolean {
  const [own, ...around] = namesAround(property);
  const kept = around.find((name) => name !== 'client');
  return own === 'requestHeaders' && kept === 'headersToSpanAttributes';
}

/** The names of a property and of those whose objects it stands in, from within. */
function namesAround(property: Node): string[] {
  const around = property.parent?.kind === 'object' ? property.parent.parent : undefined;
  return [nameOf(property), ...(around?.kind === 'property' ? namesAround(around) : [])];
}
