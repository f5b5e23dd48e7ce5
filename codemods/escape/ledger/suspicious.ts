/** What looks like v1 in code: its header's name, and its paths, wherever they stand. */
import { isKeyHeader, v1Auth } from '../../../src/contract/auth.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { codeSettingsIn } from '../../formats/code-settings.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { LiteralNode, Node } from '../../syntax/tree.ts';
import { type Bases, matchRoute, matchUrl, routeHeads } from '../../verdict/bases/routes.ts';
import type { Literal } from './ledger-entry.ts';
import { isCodeFile } from '../../find/kinds.ts';

export interface Suspicious extends Literal {
  readonly node: Node;
  readonly module: SourceModule;
}

/** They are asked for of the same modules more than once. */
const known = new WeakMap<SourceModule, readonly Suspicious[]>();

/** Header names and paths of v1, wherever they stand. */
export function suspicious(module: SourceModule): readonly Suspicious[] {
  const found = known.get(module) ?? suspiciousIn(module);
  known.set(module, found);
  return found;
}

/** `'GET /v1/contacts': …`, `'/v1/contacts': …`, `'https://api.example.com/v1/contacts': …`, and no path of a server's own */
export const isTableRow = ({ name = '' }: { readonly name?: string }): boolean => holdsRoute(name) && !belowOther.test(name);
const belowOther = /^(?:[A-Z]+[ :]\s*)?\/(?!v1)/;

function suspiciousIn(module: SourceModule): Suspicious[] {
  const { program } = module.tree;
  const literals = [
    ...nodesOfKind(program, 'string').filter(
      (node) => isSuspicious(node.value) || isSuspiciousPattern(node.value) || isRuleOfVersion(node),
    ),
    ...nodesOfKind(program, 'literal').filter(isOfRoute),
    ...nodesOfKind(program, 'template').filter((node) => node.texts.some(({ value }) => isSuspicious(value)) || isRuleOfVersion(node)),
  ];
  const names = [
    ...nodesOfKind(program, 'property').filter((property) => isKeyHeader(property.name) || isTableRow(property)),
    ...nodesOfKind(program, 'patternProperty').filter(({ name }) => isKeyHeader(name)),
  ];
  // What a variable is set to is looked at as what other files set it to.
  const set = isCodeFile.test(module.file) ? codeSettingsIn(module.file, module.text) : [];
  return [
    ...literals
      .filter(({ start, end }) => !set.some((each) => start <= each.start && each.end <= end))
      .map((node): Suspicious => ({ node, module, start: node.start, end: node.end })),
    ...names.map((node): Suspicious => ({ node, module, start: node.keyStart, end: node.keyEnd })),
  ].toSorted((one, other) => one.start - other.start);
}

/** A regular expression that a path of v1 fits, or a base with its version: `/\/v1\/?$/`. */
export const isOfRoute = (node: LiteralNode): boolean => {
  const pattern = patternOf(node);
  const [path = ''] = pattern.slice(Math.max(pattern.indexOf('/v1'), 0)).split(endOfPath, 1);
  return holdsRoute(path) || holdsResource(pattern);
};

/** Where the path of a pattern ends, and a query may begin: `/\/v1\/contacts\?page=2$/`. */
const endOfPath = /(?:\/[?*])?(?:\$|\\b|(?:\((?:\?:)?)?(?:\\\?|\[\?\]))/;

/** `/v1/(messages|contacts)`, with one of ours among them, and `/v1/(\w+)`, which is any. */
function holdsResource(pattern: string): boolean {
  const [, names, any] = /\/v1\/(?:\((?:\?:|\?<\w+>)?([\w|-]+)\)|(?:\((?:\?:|\?<\w+>)?)?(\\[wS]|\[|\.))/.exec(pattern) ?? [];
  return any !== undefined || (names?.split('|').some((name) => isPath(`/v1/${name}`)) ?? false);
}

/** What a base is checked by: `/\/v1\/?$/`. */
export const isOfBase = (node: Node): boolean => node.kind === 'literal' && /\/v1(?:\/[?*]?)?\$$/.test(patternOf(node));

/** A regular expression with its slashes and its version as they are; empty for any other literal. */
export const patternOf = ({ value }: LiteralNode): string =>
  typeof value === 'object' && value !== null ? versionWritten(value.pattern.replaceAll('\\/', '/')) : '';

/** `/(?:v1)/contacts`, `/v[1]/contacts`, `/(v1|beta)/contacts`: of these v1 alone is meant, unless v2 is, too. */
const versionWritten = (pattern: string): string =>
  /v1[)|]|v\[/.test(pattern)
    ? pattern
        .replaceAll(/\((?:\?:|\?<\w+>)?((?:[\w-]+\|)*v1(?:\|[\w-]+)*)\)/g, (whole: string, names: string) =>
          names.includes('v2') ? whole : 'v1',
        )
        .replaceAll(/v\[(?:0-?)?1\]/g, 'v1')
    : pattern;

/** The address that a pattern is written as, as far as it goes without alternatives: `/^https:\/\/api\.example\.com\/v1\//`. */
function addressOf(node: Node): string {
  const made = node.parent?.kind === 'call' ? node.parent.callee : undefined;
  const isMade = node.kind === 'string' && made?.kind === 'name' && made.name === 'RegExp';
  if (node.kind !== 'literal' && !isMade) return '';
  const pattern = node.kind === 'literal' ? patternOf(node) : versionWritten(node.value);
  const plain = pattern
    .replaceAll(/^\^|\\(?=[./-])/g, '')
    .replace(/^\(\?:(https\?:(?:\/\/)?)\)\??/, '$1')
    .replace(/^(?:\(\?:https\?\)|https\?):/, 'https:');
  return /^[^()[\]*+?$|\\]*/.exec(plain)?.[0] ?? '';
}

/** The host that a pattern begins with, or how it ends: `/api\.example\.com\/v1\//`, `/\.example\.com\/v1\//`. */
const hostInPattern = /^(?:\/\/)?\.?([\w-]+(?:\.[\w-]+)+)(?::\d+)?\/v1(?:\/|$)/;

/** A pattern that an address of ours fits: `/^https:\/\/api\.example\.com\/v1\//`, `new RegExp('^https://api\\.example\\.com/v1/')`. */
export function isOurPattern(node: Node, bases: Bases): boolean {
  const url = addressOf(node);
  const [, ending] = hostInPattern.exec(url) ?? [];
  if (ending !== undefined) return bases.v1.some((base) => `.${new URL(base).host}`.endsWith(`.${ending}`));
  return /\/v1(?:\/|$)/.test(url) && matchUrl(url, bases).kind === 'ours';
}

/** A pattern of addresses at another host. */
export const isPatternOfOthers = (node: Node, bases: Bases): boolean => {
  const url = addressOf(node);
  return /^https:\/\/[\w-]+(?:\.[\w-]+)+(?::\d+)?\//.test(url) && bases.v1.length > 0 && matchUrl(url, bases).kind === 'foreign';
};

/** A path that a client puts behind its base, from its first segment on; a snapshot has such between quotes. */
const bareRoute = new RegExp(`(?<=^|")(?:${routeHeads.map((head) => head.slice(1)).join('|')})(?=[/?#"]|$)`);

/** In the middle of a text: of SQL, of a command, of a message. */
const mention = new RegExp(`(?:${routeHeads.join('|')}|(?<![\\w-])${v1Auth.field})(?![\\w-])`, 'i');

/** An address of which something puts the rest of the path in: `https://api.example.com/v1/{endpoint}`. */
const template = /^https?:\/\/[^\s/?#]+\/v1\/(?:[{:<[]|\$\{|%[sd])/;

/** What neither is without. */
export const mark = new RegExp(`/v1|${bareRoute.source}|${v1Auth.field}`, 'i');

const isSuspicious = (text: string): boolean => mark.test(text) && (holdsRoute(text) || mention.test(text));
/** What rules of an extension are about, and what they put in its place: `{ regexFilter: '^https://api\\.example\\.com/v1/.*' }`, `urls: ['https://api.example.com/v1/*']`. */
const isRuleOfVersion = (node: Node): boolean =>
  (node.parent?.kind === 'property' &&
    /^(?:url|regex)(?:Filter|Substitution)$/.test(node.parent.name ?? '') &&
    /\/v1(?![\w-])/.test(textIn(node).replaceAll('\\', ''))) ||
  /^[\w*]+:\/\/[\w.:*-]+\/v1\/\*{1,2}$/.test(textIn(node));

/** Whether it is one of an address of ours, by itself or by the domains that stand beside it. */
export function isRuleOfOurs(node: Node, { text }: SourceModule, bases: Bases): boolean {
  if (!isRuleOfVersion(node)) return false;
  const around = node.parent?.parent ?? node;
  const own = textIn(node).replaceAll('\\', '');
  const said = /[\w-]\.[a-z]{2,}/i.test(own) ? own : text.slice(around.start, around.end);
  return bases.v1.some((base) => said.includes(new URL(base).host));
}

/** `new RegExp('/(?:v1)/contacts')` */
const isSuspiciousPattern = (text: string): boolean => text !== versionWritten(text) && isSuspicious(versionWritten(text));

/** Whether a text or a pattern holds a path of v1, and not only the header's name. */
export const isRoute = (node: Node): boolean =>
  (node.kind === 'string' && holdsRoute(node.value)) ||
  (node.kind === 'template' && node.texts.some(({ value }) => holdsRoute(value))) ||
  (node.kind === 'literal' && isOfRoute(node));

/** What v1 is asked for by a socket is none of its routes. */
export const isSocketOfV1 = (text: string): boolean => /^wss?:\/\/[^\s/?#]+\/v1(?:[/?#]|$)/.test(text);

export const holdsRoute = (text: string): boolean =>
  bareRoute.test(text) ||
  isSocketOfV1(text) ||
  template.test(text) ||
  [...text.matchAll(/\/v1(?=\/|$)/g)].some(({ index }) => isPath(text.slice(index)));

/** Each path is to be changed, in a table of answers, too. */
export const isPathOf = (node: Node): boolean => isRoute(node) || (node.kind === 'property' && isTableRow(node));

export const isHeaderName = ({ node }: Suspicious): boolean =>
  (node.kind === 'string' && isKeyHeader(node.value)) || (node.kind === 'patternProperty' && isKeyHeader(node.name));

const methods = 'get|post|put|patch|delete|head|options|…';
const line = new RegExp(
  `^(?:${methods})[^\\w/…]+(?:${routeHeads.join('|')})(?![\\w-])\\S*$|^(?:${routeHeads.join('|')})(?![\\w-])\\S*[^\\w/…]+(?:${methods})$`,
  'i',
);

/** `'GET /v1/contacts'`, `` `${method} /v1/contacts/${id}` ``, and with the method behind the path: what stands for a request, as in a table of answers. */
export const isRequestLine = (node: Node): boolean => line.test(node.kind === 'property' ? (node.name ?? '') : textIn(node));

/** `new AxiosError('…', code, { url: '/v1/contacts/1' })`, `{ config: { url: '/v1/contacts/1' } }`: the address of a request, as an error has it. */
export function isOfRequest(node: Node): boolean {
  const { parent } = node;
  if (parent?.kind !== 'property' || parent.name !== 'url' || !isPath(textIn(node))) return false;
  const around = parent.parent?.parent;
  if (around?.kind === 'property') return around.name === 'config';
  return around?.kind === 'call' && around.isNew && around.callee.kind === 'name' && around.callee.name.endsWith('Error');
}

/** A text that nothing is put into, or what a row of a table stands under. */
export const plainTextIn = (node: Node): string | undefined =>
  node.kind === 'string' ? node.value : node.kind === 'property' && isTableRow(node) ? node.name : undefined;

/** What is written of a text, with `…` for what is put in. */
export const textIn = (node: Node): string =>
  node.kind === 'template' ? node.texts.map(({ value }) => value).join('…') : (plainTextIn(node) ?? '');

const beginsAsRoute = new RegExp(`^(?:${routeHeads.join('|')})(?:/|$)`);

export const isPath = (path: string): boolean =>
  path === '/v1' || path === '/v1/' || matchRoute(path, undefined).length > 0 || beginsAsRoute.test(path);
