/**
 * Code that hides the key by a constant of its header: `safe[API_KEY_HEADER] = mask(safe[API_KEY_HEADER])`. It is told, and a constant that calls have, too, stays:
 * what hides by it may hide what arrives at a server or what another service is sent, and may go by small letters.
 */
import { isKeyHeader, v2Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { optionsOf, partsOf } from '../../../evaluate/values/values.ts';
import type { Finding } from '../../../model.ts';
import { nodesOfKind, walk } from '../../../syntax/link.ts';
import type { Expression, Node, StringNode } from '../../../syntax/tree.ts';
import { hidesIn, redactedBy } from './hiding.ts';
import { maxForName } from '../reads/reads.ts';

import { isExported } from '../../flow/readers.ts';

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

const hasConstant = ({ tree }: SourceModule): boolean =>
  nodesOfKind(tree.program, 'string').some(
    (node) => isKeyHeader(node.value) && /^(?:variable|property|enum|classMember)$/.test(node.parent?.kind ?? ''),
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
    // As loggers have paths: `redact: [`headers["${NAME}"]`]`.
    case 'template':
    case 'concat':
    case 'array':
      return hidesIn(node);
    case 'call':
      return parent.callee === node ? undefined : hidesIn(node);
    default:
      return undefined;
  }
}

function constantAt(ev: Evaluation, node: Expression, module: SourceModule): Constant | undefined {
  const { value } = ev.budget.question({ node, module }, () => ev.evaluate(node, { module, frame: undefined }), maxForName);
  const [part, ...more] = optionsOf(value).flatMap(partsOf);
  const source = part !== undefined && 'text' in part && more.length === 0 ? part.source : undefined;
  if (source === undefined || source.node.kind !== 'string' || !isKeyHeader(source.node.value) || !isScript(source.module))
    return undefined;
  return { node: source.node, module: source.module };
}

function statementAround(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && !/^(?:block|program|function|class)$/.test(at.parent.kind)) at = at.parent;
  return at;
}

const isKnown = new RegExp(v2Auth.field, 'i');
const textAt = ({ start, end }: Node, { text }: SourceModule): string => text.slice(start, end);

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
