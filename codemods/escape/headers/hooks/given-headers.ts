/** Headers that something is given of which nobody knows that it asks: whose they may be, by the address beside them. */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { lastName } from '../../../clients/names.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { flat, unknownPart } from '../../../evaluate/values/text.ts';
import { optionsOf, partsOf } from '../../../evaluate/values/values.ts';

import type { CallNode, Node } from '../../../syntax/tree.ts';
import { type Bases, matchRoute, matchUrl } from '../../../verdict/bases/routes.ts';
import type { Suspicious } from '../../ledger/suspicious.ts';

/** Whether it gives the header to a request, and to none at another's address: `request.headers['x-api-key'] = key`, `{ url, headers: { 'x-api-key': key } }`. */
export function setsHeader(ev: Evaluation, { node, module }: Suspicious, bases: Bases): boolean {
  if (isTest(module)) return false;
  const { parent } = node;
  if (node.kind !== 'property') return parent?.kind === 'member' && parent.parent?.kind === 'assign' && parent.parent.target === parent;
  const headers = parent?.parent;
  if (headers?.kind === 'call') return isJoined(headers);
  if (headers !== undefined && isMadeAsHeaders(headers)) return true;
  if (headers?.kind !== 'property' || headers.name !== 'headers' || headers.parent === undefined) return false;
  const urls = module.text.slice(headers.parent.start, headers.parent.end).matchAll(/https?:\/\/[^\s'"`$]+/g);
  if ([...urls].some(([url]) => matchUrl(url, bases).kind === 'foreign')) return false;
  const url = addressBeside(headers.parent);
  const values = url === undefined ? [] : optionsOf(ev.evaluate(url, { module, frame: undefined }));
  return values.length === 0 || !values.every((value) => isOfOthers(flat(partsOf(value)), bases));
}

/** `const headers = { 'x-api-key': key }`, `get headers() { return { 'x-api-key': key }; }`, `const headersOf = () => ({ … })` */
function isMadeAsHeaders(around: Node): boolean {
  const by = around.kind === 'return' ? functionAround(around) : around;
  const named = by?.kind === 'function' && by.name === undefined ? by.parent : by;
  const name =
    named?.kind === 'variable'
      ? lastName(named.target)
      : named?.kind === 'function'
        ? named.name?.name
        : named?.kind === 'classMember'
          ? named.name
          : undefined;
  return /headers(?:of|for)?$/i.test(name ?? '');
}

/** `_.extend(headers, { 'x-api-key': key })`, `options.headers = $.extend({}, given, { 'x-api-key': key })` */
function isJoined({ callee, args, parent }: CallNode): boolean {
  if (!/^(?:assign|defaults|extend|merge)$/.test(lastName(callee))) return false;
  const target = parent?.kind === 'assign' ? parent.target : undefined;
  return [target, args[0]].some((each) => each !== undefined && lastName(each) === 'headers');
}

/** Whether it is written among the headers of something by its name: `config.headers['x-api-key'] = key`. */
const isPutAmong = ({ parent }: Node): boolean => parent?.kind === 'member' && lastName(parent.object) === 'headers';

/** The address of the options that headers stand in: `{ url, headers }`, `get(url, { headers })`. */
function addressBeside(options: Node): Node | undefined {
  const named = options.kind === 'object' ? options.properties.find((each) => each.kind === 'property' && each.name === 'url') : undefined;
  if (named?.kind === 'property') return named.value;
  const [first] = options.parent?.kind === 'call' ? options.parent.args : [];
  return first === options || first?.kind === 'spread' ? undefined : first;
}

/** At another host, or below a base that is not known, by a path that is wholly known and that v1 has not. */
function isOfOthers(text: string, bases: Bases): boolean {
  if (matchUrl(text, bases).kind === 'foreign') return true;
  const [, path] = new RegExp(`^${unknownPart}(/[^${unknownPart}?#]+)(?:[?#].*)?$`, 's').exec(text) ?? [];
  return path !== undefined && !/\/v1(?:\/|$)/.test(path) && matchRoute(`/v1${path}`, undefined).length === 0;
}

const isPath = (each: Node): boolean =>
  /^\/?v1\//.test(each.kind === 'string' ? each.value : each.kind === 'template' ? (each.texts[0]?.value ?? '') : '');

/** Whether the call that is given a header says itself what it asks for, in whatever layout: `nats.request('v1/messages/send', { headers: { … } })`. */
export function besidePath(header: Node): 'alone' | 'beside-path' {
  let at = header;
  while (at.parent?.kind === 'property' || at.parent?.kind === 'object') at = at.parent;
  const given = at.parent?.kind === 'call' ? at.parent.args : [];
  const values = given.flatMap((each): Node[] =>
    each.kind === 'object' ? each.properties.flatMap((property) => (property.kind === 'property' ? property.value : [])) : [each],
  );
  return values.some(isPath) ? 'beside-path' : 'alone';
}

/** `{ 'x-api-key': key }`, or as `isPutAmong` has it. */
export const isGivenByName = (node: Node): boolean => node.kind === 'property' || isPutAmong(node);
