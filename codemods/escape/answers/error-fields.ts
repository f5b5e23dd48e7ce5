/** Fields of an error's body that v1 documents, as code reads them: the contact that is there, and what is said of the daily limit. */
import { errorRows } from '../../../src/contract/errors.ts';
import { guardsAround } from '../../evaluate/language/guards.ts';
import { lastName } from '../../clients/names.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type Entry, optionsOf } from '../../evaluate/values/values.ts';
import { walk } from '../../syntax/link.ts';
import type { Expression, MemberNode, Node, PatternProperty } from '../../syntax/tree.ts';
import { speaksOfLimit } from '../limits/waits-by-code.ts';

const { status: conflict } = errorRows.contactExists;
const isConflict = new RegExp(`\\b${conflict}\\b|\\bCONFLICT\\b`, 'i');
const isNoConflict = new RegExp(`!==?\\s*(?:${conflict}\\b|[\\w.]*CONFLICT\\b)`, 'i');
const ofLimit = /^(?:resetAt|upgradeUrl)$/;
/** What bodies and errors are called. */
const ofAnswer = /^(?:e|err|error|fault|res|response|body|data|json|payload|answer|details?|cause)$/i;

/** Words one of which is in each text that may read such a field. */
export const mayReadFields = (text: string): boolean => isConflict.test(text) || /\bresetAt\b|\bupgradeUrl\b|\bexisted\b/.test(text);

/** @returns the name of the field */
export function fieldRead(ev: Evaluation, node: MemberNode | PatternProperty, module: SourceModule): string | undefined {
  const name = node.kind === 'member' ? nameOf(node) : node.name;
  if (name === 'existed') return isOwnField(ev, name, node, module) ? undefined : name;
  if (name === undefined || (node.parent?.kind === 'assign' && node.parent.target === node)) return undefined;
  const of = node.kind === 'member' ? node.object : takenApart(node);
  if (ofLimit.test(name)) return speaksOfLimit(module.text) || (of !== undefined && ofAnswer.test(lastName(of))) ? name : undefined;
  if (name !== 'data' || of === undefined || isResponse(of) || !isConflict.test(module.text)) return undefined;
  return isOfConflict(node, module) ? name : undefined;
}

/** `const { existed } = await createOrGet(phone)` of a function that gives `{ contact, existed: true }`: what it has of an answer is read there. */
function isOwnField(ev: Evaluation, name: string, node: MemberNode | PatternProperty, module: SourceModule): boolean {
  const declared = node.parent?.parent;
  const of = node.kind === 'member' ? node.object : declared?.kind === 'variable' ? declared.init : undefined;
  const made = of === undefined ? undefined : ev.budget.question({ node: of, module }, () => ev.evaluate(of, { module, frame: undefined }));
  const options = made === undefined || made.isCut ? [] : optionsOf(made.value);
  return (
    options.length > 0 &&
    options.every((each) => each.type === 'object' && each.entries.some((entry) => entry.name === name && isWritten(entry)))
  );
}

const isWritten = ({ valueNode }: Entry): boolean => valueNode?.kind === 'literal';

/** `body.data` and `body['data']` */
const nameOf = ({ property, computed }: MemberNode): string | undefined =>
  property ?? (computed?.kind === 'string' ? computed.value : undefined);

/** What a pattern takes a field of, where that stands there: `const { data } = await response.json()`. Other calls give what they like. */
function takenApart({ parent }: PatternProperty): Expression | undefined {
  const init = parent?.parent?.kind === 'variable' ? parent.parent.init : undefined;
  const given = init?.kind === 'await' ? init.argument : init;
  return given?.kind === 'call' && lastName(given.callee) !== 'json' ? undefined : given;
}

/** `error.response.data`: as axios calls the whole body. */
const isResponse = (of: Expression): boolean =>
  (of.kind === 'member' && of.property === 'response') || (of.kind === 'name' && /^(?:res|response)$/.test(of.name));

/** Whether what stands there is only come to with the status of a contact that is there. */
function isOfConflict(node: Node, module: SourceModule): boolean {
  const written = ({ start, end }: Node): string => module.text.slice(start, end);
  const isSure = (guard: Node): boolean =>
    [guard, ...meantBy(guard, module)].some((each) => isConflict.test(written(each)) && !isNoConflict.test(written(each)));
  if (guardsAround(node).some(isSure)) return true;
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    const [test] = parent.kind === 'other' && parent.what === 'CaseClause' ? parent.children : [];
    if (test !== undefined && test !== at && isConflict.test(written(test))) return true;
    const before = parent.kind === 'block' ? parent.body.slice(0, parent.body.indexOf(at)) : [];
    if (before.some((each) => isNoConflict.test(testOf(each, written)))) return true;
  }
  return false;
}

/** What the names of a question are: `const isThere = status === 409; if (isThere) …`. */
function meantBy(guard: Node, { scopes }: SourceModule): Node[] {
  const found: Node[] = [];
  walk(guard, (each) => {
    const owner = each.kind === 'name' ? scopes.bindingOf(each)?.owner : undefined;
    if (owner?.kind === 'variable' && owner.init !== undefined && owner.init.kind !== 'function') found.push(owner.init);
    return true;
  });
  return found;
}

/** `if (status !== 409) throw error;` */
const testOf = (statement: Node, written: (node: Node) => string): string => {
  const [test, consequent] = statement.kind === 'other' && statement.what === 'IfStatement' ? statement.children : [];
  return test === undefined || consequent === undefined || !/\b(?:throw|return|continue)\b/.test(written(consequent)) ? '' : written(test);
};
