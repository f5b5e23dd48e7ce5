/**
 * Code that keeps v1's key out of logs by the name of its header: lists of what is to be redacted, values that are put in its place,
 * deletions before something is reported. A request that is moved has its key under another name, and it would begin to appear.
 */
import { loggingArrivals } from '../../../clients/servers/frameworks.ts';
import { v1Auth, v2Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isDataFile } from '../../../find/kinds.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { Finding } from '../../../model.ts';
import { nodesOfKind, walk } from '../../../syntax/link.ts';
import { hidesIn, isHidingName, redactedBy } from './hiding.ts';
import { nameOf } from './masks.ts';
import { hiddenByName } from './name-tests.ts';
import type { LiteralNode, Node, StringNode, TemplateNode } from '../../../syntax/tree.ts';

const field = new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'i');
const isKnown = new RegExp(v2Auth.field, 'i');

/** Whether some file has the requests that arrive at a server logged: `req.headers` are theirs then. */
export const logsArrivals = (modules: Iterable<SourceModule>): boolean => [...modules].some(({ text }) => loggingArrivals.test(text));

/**
 * @param isUsed whether a request uses what stands there, or an edit changes it
 * @param isOfServer whether `req` is what arrives at a server of the project's own: nothing of that is moved
 * @returns one finding for each line; whether anything is moved at all the whole run says
 */
export function redactionsIn(ev: Evaluation, module: SourceModule, isUsed: (node: Node) => boolean, isOfServer: boolean): Finding[] {
  const { program } = module.tree;
  const found = [
    ...nodesOfKind(program, 'string').filter(({ value }) => field.test(value)),
    ...nodesOfKind(program, 'template').filter(({ texts }) => texts.some(({ value }) => field.test(value))),
    ...nodesOfKind(program, 'literal').filter((node) => namesField(node) || matchesFieldAlone(node)),
    ...nodesOfKind(program, 'property').filter(({ name = '' }) => field.test(name)),
    ...nodesOfKind(program, 'patternProperty').filter(({ name = '' }) => field.test(name)),
  ].flatMap((node): Finding[] => {
    const isRecord = isDataFile.test(module.file) && node.parent?.kind !== 'array';
    const isMoot = isRecord || isUsed(node) || (isTest(module) && isTried(node)) || (isOfServer && isArriving(node, module));
    const around = isMoot ? undefined : hiddenAround(ev, node, module);
    if (around === undefined || isHiddenToo(node, around, module)) return [];
    const { start, end } = 'keyStart' in node ? { start: node.keyStart, end: node.keyEnd } : node;
    return [{ code: 'redacts-header', file: module.file, start, end, ...module.position(start), detail: additionOf(node, module) }];
  });
  return [...Map.groupBy(found, ({ line }) => line).values()].flatMap(([first, ...more]): Finding[] => {
    if (first === undefined) return [];
    const additions = new Set([first, ...more].flatMap(({ detail }) => detail['add'] ?? []));
    return [additions.size === 0 ? first : { ...first, detail: { add: [...additions].join(' and ') } }];
  });
}

const namesField = ({ value }: LiteralNode): boolean => typeof value === 'object' && value !== null && field.test(value.pattern);

function hiddenAround(ev: Evaluation, node: Node, module: SourceModule): Node | undefined {
  return redactedBy(node, module) ?? (node.kind === 'literal' ? ofNames(node, module) : undefined) ?? hiddenByName(ev, node, module);
}

/** What hides by a pattern of names, where these are not of a query. */
function ofNames(node: LiteralNode, { text }: SourceModule): Node | undefined {
  const around = hidesIn(node);
  return around === undefined || /searchParams|query/i.test(text.slice(around.start, around.end)) ? undefined : around;
}

/** `/api-?key|secret/i`: v1's header, and not v2's. */
export function matchesFieldAlone({ value }: LiteralNode): boolean {
  if (typeof value !== 'object' || value === null) return false;
  try {
    const pattern = new RegExp(value.pattern, value.flags.replace(/[gy]/g, ''));
    return pattern.test(v1Auth.field) && ![v2Auth.field, v2Auth.field.toLowerCase()].some((each) => pattern.test(each));
  } catch {
    return false;
  }
}

/** `expect(redact({ 'x-api-key': 'secret' }))`: a test of what hides it, which goes on as it is. */
function isTried(node: Node): boolean {
  for (let at = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent) {
    if (at.kind !== 'call') continue;
    if (node.kind === 'property' && isHidingName(nameOf(at))) return true;
    let root: Node = at.callee;
    while (root.kind === 'member' || root.kind === 'call') root = root.kind === 'member' ? root.object : root.callee;
    if (root.kind === 'name' && /^(?:expect|assert)$/.test(root.name)) return true;
  }
  return false;
}

/** `req.headers["x-api-key"]` */
const isArriving = (node: Node, module: SourceModule): boolean => pathTo(node, module)?.parents.join('.') === 'req.headers';

/** Whether what hides v1's key hides v2's: by name somewhere in it, and of a path by a path to the same place. */
function isHiddenToo(node: Node, around: Node, module: SourceModule): boolean {
  const path = pathTo(node, module);
  if (path === undefined) return isKnown.test(module.text.slice(around.start, around.end));
  const others = textsIn(around).flatMap((each) => (each === node ? [] : [segmentsOf(writtenIn(each, module))]));
  return others.some((other) => covers(other, [...path.parents, path.name]));
}

/** `headers["x-api-key"]` is a path to it: what stands beside it then is one, too. */
function additionOf(node: Node, module: SourceModule): Finding['detail'] {
  const path = pathTo(node, module);
  return path === undefined ? {} : { add: path.written.replace(lastOfPath, `.${path.name}`) };
}

const lastOfPath = new RegExp(`(?:\\.|\\[["'\`]?)${v1Auth.field}["'\`]?\\]?$`, 'i');

interface HeaderPath {
  readonly written: string;
  readonly parents: readonly string[];
  /** What stands there in v2. Letters count, and what a server is sent has small ones. */
  readonly name: string;
}

function pathTo(node: Node, module: SourceModule): HeaderPath | undefined {
  if (node.kind !== 'string' && node.kind !== 'template') return undefined;
  const written = writtenIn(node, module);
  if (/\s/.test(written) || !lastOfPath.test(written)) return undefined;
  const parents = segmentsOf(written).slice(0, -1);
  const isReceived = parents.some((name) => /^(?:req|request)$/i.test(name));
  return { written, parents, name: isReceived ? v2Auth.field : v2Auth.fieldName };
}

/** With what a template puts in as it stands there. */
const writtenIn = (node: StringNode | TemplateNode, { text }: SourceModule): string =>
  node.kind === 'string' ? node.value.trim() : text.slice(node.start + 1, node.end - 1);

/** `req.headers["x-api-key"]`, `*.headers.authorization`, `[*].headers`. */
const segmentsOf = (path: string): string[] => path.match(/[^.[\]"'`\s]+/g) ?? [];

/** A path hides what it ends at with all that is below. */
const covers = (path: readonly string[], place: readonly string[]): boolean =>
  path.length > 0 && path.length <= place.length && path.every((name, i) => name === place[i] || name === '*');

function textsIn(around: Node): (StringNode | TemplateNode)[] {
  const found: (StringNode | TemplateNode)[] = [];
  walk(around, (each) => {
    if (each.kind === 'string' || each.kind === 'template') found.push(each);
    return true;
  });
  return found;
}
