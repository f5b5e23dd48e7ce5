/**
 * Code that hides the key by a constant of its header: `safe[API_KEY_HEADER] = mask(safe[API_KEY_HEADER])`. Where the constant moves, what it hides
 * moves with it, as long as nobody else in these files has v1's header: that would begin to appear.
 */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { Place } from '../evaluate/budget.ts';
import { callsOf } from '../evaluate/all-callers.ts';
import { functionAround } from '../evaluate/callees.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { isTest } from '../evaluate/test-files.ts';
import { optionsOf, partsOf } from '../evaluate/values.ts';
import type { Finding } from '../model.ts';
import { isComment } from '../syntax/comments.ts';
import { nodesOfKind, walk } from '../syntax/link.ts';
import type { Expression, FunctionNode, Node, StringNode } from '../syntax/tree.ts';
import { keyOf } from '../verdict/groups.ts';
import type { Change } from '../verdict/spans.ts';
import type { Escape } from './escapes.ts';
import { hidesIn, isHidingName, redactedBy } from './hiding.ts';

import { isExported } from './readers.ts';

/** The text that a constant is, in its file. */
interface Constant {
  readonly node: StringNode;
  readonly module: SourceModule;
}

interface RedactedName {
  /** The name that stands for the header. */
  readonly node: Expression;
  readonly module: SourceModule;
  readonly constant: Constant;
  /** All that hides there. */
  readonly around: Node;
}

const known = new WeakMap<Evaluation, readonly RedactedName[]>();

/** All places of the program that hide the key by a constant. */
export function redactedNamesIn(ev: Evaluation): readonly RedactedName[] {
  const before = known.get(ev);
  if (before !== undefined) return before;
  const modules = [...ev.world.modules.values()];
  const found = modules.some(hasConstant) ? modules.flatMap((module) => (isTest(module) ? [] : namesIn(ev, module))) : [];
  known.set(ev, found);
  return found;
}

const isHeader = ({ value }: StringNode): boolean => value.toLowerCase() === v1Auth.field;
const hasConstant = ({ tree }: SourceModule): boolean =>
  nodesOfKind(tree.program, 'string').some(
    (node) => isHeader(node) && /^(?:variable|property|enum|classMember)$/.test(node.parent?.kind ?? ''),
  );

function namesIn(ev: Evaluation, module: SourceModule): RedactedName[] {
  const { program } = module.tree;
  const named = [...nodesOfKind(program, 'name'), ...nodesOfKind(program, 'member')];
  const hidden = named.flatMap((node) => {
    const hides = hiddenBy(node, module);
    const constant = hides === undefined ? undefined : constantAt(ev, node, module);
    return hides === undefined || constant === undefined ? [] : [{ node, module, constant, around: hides }];
  });
  // `if (safe[NAME]) safe[NAME] = '***'`: what is asked beside is of the same.
  const beside = hidden.flatMap((each): RedactedName[] => {
    const statement = statementAround(each.node);
    const found: RedactedName[] = [];
    walk(statement, (node) => {
      const isName = (node.kind === 'name' || node.kind === 'member') && node.parent?.kind === 'member' && node.parent.computed === node;
      if (isName && constantAt(ev, node, module)?.node === each.constant.node) found.push({ ...each, node });
      return true;
    });
    return found;
  });
  return [...new Map([...hidden, ...beside].map((each) => [each.node, each])).values()];
}

/** What hides by a name where it stands for the header: in brackets, in a list, or as an argument. */
function hiddenBy(node: Expression, module: SourceModule): Node | undefined {
  const { parent } = node;
  switch (parent?.kind) {
    case 'property':
    case 'patternProperty':
      return parent.computed === node ? (redactedBy(parent, module) ?? hidesIn(parent)) : undefined;
    case 'member':
      return parent.computed === node ? (redactedBy(node, module) ?? hidesIn(node)) : undefined;
    case 'array':
      return hidesIn(node);
    case 'call':
      return parent.callee === node ? undefined : hidesIn(node);
    default:
      return undefined;
  }
}

function constantAt(ev: Evaluation, node: Expression, module: SourceModule): Constant | undefined {
  const { value } = ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined }));
  const [part, ...more] = optionsOf(value).flatMap(partsOf);
  const source = part !== undefined && 'text' in part && more.length === 0 ? part.source : undefined;
  if (source === undefined || source.node.kind !== 'string' || !isHeader(source.node) || !isScript(source.module)) return undefined;
  return { node: source.node, module: source.module };
}

function statementAround(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && !/^(?:block|program|function|class)$/.test(at.parent.kind)) at = at.parent;
  return at;
}

const isOf = ({ module, start, end }: Pick<Change, 'module' | 'start' | 'end'>, { constant }: RedactedName): boolean =>
  constant.module === module && constant.node.start <= start && end <= constant.node.end;

/** @returns what still escapes where such places move with their constant */
export function withoutMovingRedactions(ev: Evaluation, escapes: readonly Escape[]): Escape[] {
  const names = redactedNamesIn(ev);
  if (names.length === 0) return [...escapes];
  const hidden = new Set<Node>(names.map(({ node }) => node));
  return escapes.filter(({ change, way, out }) => {
    if (change.what !== 'header name' || out === undefined) return true;
    const set = way === 'given' ? setOf(out) : undefined;
    if (way !== 'used' && way !== 'read' && set === undefined) return true;
    const own = names.filter((name) => isOf(change, name));
    const hides = hidden.has(out.node) || hidesIn(out.node) !== undefined || (out.node.kind === 'name' && isHidingName(out.node.name));
    return !(
      own.length > 0 &&
      hides &&
      own.every(({ constant }) => isOnlyName(ev, constant)) &&
      ![out, ...own, ...(set ?? [])].some((place) => isOfServer(ev, place))
    );
  });
}

/** Where a set is named that a list is put into, if that can be told: `const HIDDEN = new Set([NAME])`. */
function setOf({ node, module }: Place): readonly Place[] | undefined {
  const call = node.kind === 'array' ? node.parent : node.parent?.parent;
  const target = call?.parent?.kind === 'variable' && call.parent.target.kind === 'patternName' ? call.parent.target : undefined;
  if (call?.kind !== 'call' || !call.isNew || call.callee.kind !== 'name' || call.callee.name !== 'Set' || !isScript(module))
    return undefined;
  const binding = target && module.scopes.declaredBy(target);
  return binding === undefined || isExported(binding, module) ? undefined : binding.references.map((each) => ({ node: each, module }));
}

/** Whether nothing but the constant has v1's header in the program. */
function isOnlyName(ev: Evaluation, { node, module }: Constant): boolean {
  const isOther = (from: SourceModule): boolean =>
    [...from.text.matchAll(field)].some(
      ({ index }) => !(from === module && node.start <= index && index < node.end) && !isComment(from.text, index),
    );
  return ![...ev.world.modules.values()].some((from) => !isTest(from) && isOther(from));
}

/** Whether what is hidden at a place may be what arrives at a server of the project's own. */
function isOfServer(ev: Evaluation, { node, module }: Place): boolean {
  const fn = functionAround(node);
  return arriving.test(textAt(fn ?? statementAround(node), module)) || (fn !== undefined && isGivenArriving(ev, fn));
}

const isKnown = new RegExp(v2Auth.field, 'i');
const field = new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])`, 'gi');
/** The headers of a request that a server got, as frameworks call them. */
const arriving = /\b(?:c|ctx|context|evt|event|\w*[rR]eq(?:uest)?)\b(?:\??\.\w+)*\??\.headers\b|\bheaders\(\)/;
const textAt = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

/** Whether some call gives a function, or those around it, such headers. */
function isGivenArriving(ev: Evaluation, fn: FunctionNode): boolean {
  const around = functionAround(fn);
  return (
    callsOf(ev, fn).some(({ node, module }) => !isTest(module) && node.args.some((arg) => arriving.test(textAt(arg, module)))) ||
    (around !== undefined && isGivenArriving(ev, around))
  );
}

/** @returns for changes of constants what else is edited with them: v2's header as people compare it, in lists and tables of what is hidden */
export function listedWith(ev: Evaluation, changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  const found = new Map<string, Change[]>();
  for (const change of changes) {
    if (change.what !== 'header name') continue;
    const added = redactedNamesIn(ev).flatMap((name) => (isOf(change, name) ? (additionTo(name) ?? []) : []));
    if (added.length > 0) found.set(keyOf(change), [change, ...added]);
  }
  return found;
}

/** `[NAME, 'cookie']` is mostly asked for names in small letters. */
function additionTo({ node, module, constant, around }: RedactedName): Change | undefined {
  const { parent } = node;
  if (constant.node.value !== v1Auth.field || isKnown.test(textAt(around, module))) return undefined;
  const at = (end: number, text: string): Change => ({ module, start: end, end, text, what: 'header name' });
  if (parent?.kind === 'array') return at(node.end, `, '${v2Auth.field}'`);
  if (parent?.kind !== 'property' || redactedBy(parent, module) !== undefined) return undefined;
  return at(parent.end, `, ${v2Auth.field}: ${textAt(parent.value, module)}`);
}

/** @returns one finding for each place that hides by a constant which stays, and does not hide v2's header */
export function redactionsByName(ev: Evaluation, isEdited: (constant: Constant) => boolean): Finding[] {
  const staying = redactedNamesIn(ev).filter(
    ({ around, module, constant }) => !isEdited(constant) && !isKnown.test(textAt(around, module)),
  );
  return [...new Map(staying.toReversed().map((each) => [each.around, each])).values()].map(({ node: { start, end }, module }): Finding => {
    return { code: 'redacts-header', file: module.file, start, end, ...module.position(start), detail: {} };
  });
}

/** The constants that stay and that nothing else is seen to use: they are told where they hide. */
export function hiddenConstants(ev: Evaluation, isEdited: (constant: Constant) => boolean): Node[] {
  const names = redactedNamesIn(ev);
  const hidden = new Set<Node>(names.map(({ node }) => node));
  return names.flatMap(({ constant }) => {
    const { node, module } = constant;
    const target = node.parent?.kind === 'variable' && node.parent.target.kind === 'patternName' ? node.parent.target : undefined;
    const binding = target && module.scopes.declaredBy(target);
    const isOnlyHidden = binding !== undefined && !isExported(binding, module) && binding.references.every((each) => hidden.has(each));
    return isOnlyHidden && !isEdited(constant) ? [node] : [];
  });
}
