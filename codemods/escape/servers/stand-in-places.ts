/** Where the server of a test says which paths it has, and where the test says which requests came: places that name a path of v1. */
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { flat, sliceParts } from '../../evaluate/values/text.ts';
import { optionsOf, type Part, partsOf } from '../../evaluate/values/values.ts';
import { isCapturedByServer } from '../../clients/testing/expected/captured.ts';
import { addressOf } from '../../clients/testing/path-patterns.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Expression, Node } from '../../syntax/tree.ts';
import { isDefinition, isPrefixOfTests } from './own-routes.ts';
import { segmentsIn } from './path-segments.ts';
import { isArrived } from './arrived.ts';
import { expectationAround, expectedOf } from './stand-in-expectations.ts';
import { isNameInTable, type IsOfTests, isTable } from './stand-in-tables.ts';

export interface NamedPath {
  readonly node: Node;
  readonly module: SourceModule;
  /** From the slash before the version on. */
  readonly url: readonly Part[];
  /** Whether others follow it in what is asked. */
  readonly isPart: boolean;
  /** What stands before the version, but for the method. */
  readonly folders: string;
  /** Whether it is the version by itself, which a server of anybody's may look for. */
  readonly isSegment?: boolean;
}

/** Behind a method, and folders that a test asks its server below. */
const line = /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ :]\s*)?((?:\/(?!v1[/?#])[\w.-]+)*)(\/v1(?=[/?#]|$))/;

/** The path of v1's that a text begins with, behind a method. */
export function pathIn(node: Node): string | undefined {
  const text =
    node.kind === 'string'
      ? node.value
      : node.kind === 'template'
        ? (node.texts[0]?.value ?? '')
        : node.kind === 'property'
          ? (node.name ?? '')
          : writtenIn(node);
  return line.exec(text) === null ? undefined : text.slice(text.indexOf('/v1'));
}

const writtenIn = (node: Node): string => {
  const pattern = node.kind === 'literal' && typeof node.value === 'object' ? node.value?.pattern : undefined;
  return (pattern ?? '')
    .replace(/^\^/, '')
    .replaceAll('\\', '')
    .replace(/[$(?[].*$/s, '');
};

export function namedPathsIn(ev: Evaluation, module: SourceModule, isOfTests: IsOfTests): NamedPath[] {
  const { program } = module.tree;
  const texts = module.texts.flatMap((node) => {
    const parts = textOf(ev, node, module);
    const text = flat(parts);
    const [whole, method, folders = '', path] = line.exec(text) ?? [];
    if (whole === undefined || path === undefined) return [];
    const as = placeOf(ev, node, module, method !== undefined, isOfTests);
    const start = whole.length - path.length;
    // Behind a blank stands what else is noted down of a request.
    const end = start + text.slice(start).search(/\s|$/);
    return as === undefined ? [] : [{ node, module, url: sliceParts(parts, start, end), isPart: as === 'part', folders }];
  });
  const keys = nodesOfKind(program, 'property').flatMap((node) => {
    const [whole, , folders = '', path] = line.exec(node.name ?? '') ?? [];
    const start = node.keyStart + 1;
    const isExact = module.text.startsWith(node.name ?? '', start);
    if (whole === undefined || path === undefined || !isExact || !isTable(ev, node, module, isOfTests)) return [];
    const offset = whole.length - path.length;
    const text = (node.name ?? '').slice(offset);
    return [{ node, module, url: [{ text, source: { module, start: start + offset, isExact, node } }], isPart: false, folders }];
  });
  const patterns = module.calls.flatMap((call) => patternIn(ev, call, module));
  const segments = segmentsIn(ev, module, expectedOf).flatMap(({ node, of }) =>
    of.every((each) => isArrived(each, module)) ? versionAt(node, 1, module) : [],
  );
  const found = [...texts, ...keys, ...patterns, ...segments];
  // Below more folders than one, each may stand for another service.
  const isOne = new Set(found.flatMap(({ folders }) => (folders === '' ? [] : folders))).size <= 1;
  return found.filter(({ folders }) => folders === '' || isOne);
}

/** A version that stands without the slash before it. */
const versionAt = (node: Node, offset: number, module: SourceModule): NamedPath => {
  const source = { module, start: node.start + offset, isExact: true, node };
  return { node, module, url: [{ text: '/' }, { text: 'v1', source }], isPart: true, folders: '', isSegment: true };
};

function textOf(ev: Evaluation, node: Expression, module: SourceModule): readonly Part[] {
  if (!/\/v1(?![\w-])/.test(module.text.slice(node.start, node.end))) return [];
  const [value, more] = optionsOf(ev.evaluate(node, { module, frame: undefined }));
  return value?.type === 'text' && more === undefined ? partsOf(value) : [];
}

const searching = /^(?:includes|startsWith|endsWith|indexOf|match|search|replace|split)$/;

/** What a text is there: a whole path, a part of one, or nothing that a server is asked by. */
function placeOf(
  ev: Evaluation,
  node: Expression,
  module: SourceModule,
  isLine: boolean,
  isOfTests: IsOfTests,
): 'whole' | 'part' | undefined {
  const at: At = { module, frame: undefined };
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator))
    return isArrived(parent.left === node ? parent.right : parent.left, module) || isLine ? 'whole' : undefined;
  if (parent?.kind === 'other' && parent.what === 'CaseClause') {
    const [asked] = parent.parent?.kind === 'block' ? parent.parent.body : [];
    return isLine || (asked !== undefined && isArrived(asked, module)) ? 'whole' : undefined;
  }
  if (parent?.kind === 'property' && parent.value === node && /^(?:url|path|prefix|pathname)$/.test(parent.name ?? '')) {
    const call = parent.parent?.parent;
    if (call?.kind === 'call' && call.callee.kind === 'member' && /^(?:route|register)$/.test(call.callee.property ?? ''))
      return parent.name !== 'prefix' ? 'whole' : isPrefixOfTests(ev, node, module, isOfTests) ? 'part' : undefined;
  }
  if (parent?.kind === 'call' && parent.callee.kind === 'member') {
    const { property = '', object } = parent.callee;
    if (parent.args[0] === node && isDefinition(ev, parent, module)) {
      if (answersByProgram(ev, parent, module, isOfTests)) return undefined;
      return property === 'use' ? 'part' : 'whole';
    }
    if (parent.args[0] === node && searching.test(property) && (isLine || isArrived(object, module))) return 'part';
  }
  if (isPrefixOfTests(ev, node, module, isOfTests)) return 'part';
  if (isNameInTable(ev, node, module, isOfTests)) return 'whole';
  const [call] = expectationAround(node);
  const [actual, outer] = expectedOf(node);
  if (call === undefined || actual === undefined) return undefined;
  if (!isLine && !isArrived(actual, module) && !isCapturedByServer(actual, { ...at, ev })) return undefined;
  return /contain|match/i.test(call.callee.kind === 'member' ? (call.callee.property ?? '') : '') && outer === node ? 'part' : 'whole';
}

/** `app.get('/v1/contacts', contacts)` with a handler of the program: the test asks what the program itself answers there. */
const answersByProgram = (ev: Evaluation, { args: [, ...handlers] }: CallNode, module: SourceModule, isOfTests: IsOfTests): boolean =>
  handlers
    .flatMap((each) => (each.kind === 'spread' ? [] : optionsOf(ev.evaluate(each, { module, frame: undefined }))))
    .some((each) => 'module' in each && each.module !== undefined && isScript(each.module) && !isOfTests(each.module));

/** `/^\/(?<version>v1)\/…/` */
const grouped = /^\/\^?\\?\/\((?:\?:|\?<\w+>)?(?=v1\)(?:\\?\/|\$?\/$))/;

/** `/^\/v1\/contacts\/\w+$/.test(req.url)`, `req.url.match(/…/)`. */
function patternIn(ev: Evaluation, call: CallNode, module: SourceModule): NamedPath[] {
  const { callee, args } = call;
  if (callee.kind !== 'member') return [];
  const [first] = args;
  const isTested = callee.object.kind === 'literal' && /^(?:test|exec)$/.test(callee.property ?? '');
  const [pattern, asked] = isTested ? [callee.object, first] : [first, callee.object];
  if (pattern?.kind !== 'literal' || asked === undefined) return [];
  const isServed = !isTested && isDefinition(ev, call, module);
  if (!isServed && (!(isTested || searching.test(callee.property ?? '')) || !isArrived(asked, module))) return [];
  const { url } = addressOf(pattern, module, undefined);
  const [before] = url === undefined && !isServed ? (grouped.exec(module.text.slice(pattern.start, pattern.end)) ?? []) : [];
  if (before !== undefined) return [versionAt(pattern, before.length, module)];
  return url?.type === 'text' && flat(url.parts).startsWith('/v1')
    ? [{ node: pattern, module, url: url.parts, isPart: true, folders: '' }]
    : [];
}
