/** Which statuses a test expects of the answer to a call, by the words of its expectations alone. */
import type { SourceModule } from '../../../evaluate/module.ts';
import type { CallNode, Expression, MemberNode, Node, Pattern, SpreadNode } from '../../../syntax/tree.ts';

/** Those that one expectation allows; none where nobody can tell which. */
export type Statuses = readonly number[];

type Given = Expression | SpreadNode | undefined;
/** What tells of a place that reads a status what it is compared with; undefined where it is not. */
type Comparison = (read: Node) => Statuses | undefined;

const statusName = /^status(?:Code)?$/;
const equality = /^(?:to(?:Be|Equal|StrictEqual)|(?:deep)?(?:strict)?equals?|eql?|(?:toBe)?oneOf)$/i;
/** Cypress hands on what it waits for, and expects something of it. */
const handing = /^(?:then|should|and)$/;

/** @returns what each expectation of the status allows that the answer to a call has */
export function statusesExpected(call: Node, module: SourceModule): readonly Statuses[] {
  const answer = call.parent?.kind === 'await' ? call.parent : call;
  return [...ofCommands(answer), ...ofAnswer(answer, module, asExpected), ...readsByName(answer, module)];
}

/** `cy.request(options).its('status').should('eq', 401)` */
function ofCommands(answer: Node): readonly Statuses[] {
  const its = calledOn(answer);
  const [name] = its?.callee.kind === 'member' && its.callee.property === 'its' ? its.args : [];
  if (its === undefined || name?.kind !== 'string' || !statusName.test(name.value)) return [];
  const found: Statuses[] = [];
  for (let next = calledOn(its); next !== undefined; next = calledOn(next)) {
    const [how, expected] = next.args;
    const isEqual = how?.kind === 'string' && equality.test(how.value.replace(/^be\./, ''));
    found.push(isEqual ? numbersIn(expected) : []);
  }
  return found;
}

/** The call of a method on what a node gives. */
function calledOn(node: Node): CallNode | undefined {
  const { parent: member } = node;
  const call = member?.kind === 'member' && member.object === node ? member.parent : undefined;
  return call?.kind === 'call' && call.callee === member ? call : undefined;
}

/** Of an answer that a constant holds, or that a function is handed: `cy.request(options).then((answer) => …)`. */
function readsByName(answer: Node, module: SourceModule): readonly Statuses[] {
  const { parent } = answer;
  if (parent?.kind === 'variable')
    return parent.declares === 'const' && parent.init === answer ? ofTarget(parent.target, module, asExpected) : [];
  const next = calledOn(answer);
  const isHandedOn = next?.callee.kind === 'member' && handing.test(next.callee.property ?? '');
  return isHandedOn ? ofFunction(next.args[0], module, asExpected) : [];
}

/** Of what has the answer, or takes its status out of it: `({ status }) => …`. */
function ofTarget(target: Pattern, module: SourceModule, comparison: Comparison): readonly Statuses[] {
  if (target.kind === 'patternName') return readsOf(target, module).flatMap((read) => ofAnswer(read, module, comparison));
  if (target.kind !== 'objectPattern') return [];
  return target.properties.flatMap((each) =>
    statusName.test(each.name ?? '') && each.target.kind === 'patternName'
      ? readsOf(each.target, module).flatMap((read) => listed(comparison(read)))
      : [],
  );
}

const readsOf = (name: Extract<Pattern, { kind: 'patternName' }>, { scopes }: SourceModule): readonly Node[] =>
  scopes.declaredBy(name)?.references ?? [];

const ofFunction = (fn: Given, module: SourceModule, comparison: Comparison): readonly Statuses[] =>
  fn?.kind === 'function' && fn.params[0] !== undefined ? ofTarget(fn.params[0].target, module, comparison) : [];

/** Where an answer is read at one place: `answer.status`, `answer.status()`, k6's `check(answer, { 'is refused': (r) => r.status === 401 })`. */
function ofAnswer(read: Node, module: SourceModule, comparison: Comparison): readonly Statuses[] {
  const { parent } = read;
  if (parent?.kind === 'call' && parent.args[0] === read) return ofChecks(parent, module);
  if (parent?.kind !== 'member' || parent.object !== read || !statusName.test(parent.property ?? '')) return [];
  return listed(comparison(calledOrRead(parent)));
}

const calledOrRead = (read: MemberNode): Node => (read.parent?.kind === 'call' && read.parent.callee === read ? read.parent : read);

const ofChecks = ({ callee, args: [, checks] }: CallNode, module: SourceModule): readonly Statuses[] =>
  callee.kind === 'name' && callee.name === 'check' && checks?.kind === 'object'
    ? checks.properties.flatMap((each) => (each.kind === 'property' ? ofFunction(each.value, module, asCompared) : []))
    : [];

const listed = (statuses: Statuses | undefined): readonly Statuses[] => (statuses === undefined ? [] : [statuses]);

/** `r.status === 401` */
function asCompared(read: Node): Statuses {
  const { parent } = read;
  return parent?.kind === 'binary' && /^={2,3}$/.test(parent.operator) ? numbersIn(parent.left === read ? parent.right : parent.left) : [];
}

/** `expect(answer.status).toBe(401)`, `expect([401, 403]).toContain(answer.status)`, `assert.equal(answer.status, 401)` */
function asExpected(read: Node): Statuses | undefined {
  const { parent: call } = read;
  if (call?.kind !== 'call' || call.args[0] !== read) return undefined;
  const words = wordsOf(call.callee);
  const listing = expectingIn(call.callee);
  if (listing !== undefined) return words.at(-1) === 'toContain' && !words.includes('not') ? numbersIn(listing.args[0]) : [];
  if (words[0] === 'assert') return equality.test(words.at(-1) ?? '') ? numbersIn(call.args[1]) : [];
  return words[0] === 'expect' ? ofMatcher(call) : undefined;
}

/** What the matcher behind `expect(…)` compares with. */
function ofMatcher(expecting: CallNode): Statuses {
  let at: Node = expecting;
  while (at.parent?.kind === 'member' && at.parent.object === at) at = at.parent;
  const { parent } = at;
  if (parent?.kind !== 'call' || parent.callee !== at) return [];
  const words = wordsOf(parent.callee);
  return !words.includes('not') && equality.test(words.at(-1) ?? '') ? numbersIn(parent.args[0]) : [];
}

/** The names that lead to what is called: `expect`, `to`, `be` and `oneOf` of `expect(read).to.be.oneOf`. */
function wordsOf(callee: Node): readonly string[] {
  if (callee.kind === 'name') return [callee.name];
  if (callee.kind === 'call') return wordsOf(callee.callee);
  return callee.kind === 'member' ? [...wordsOf(callee.object), callee.property ?? ''] : [];
}

/** The call of `expect` that a matcher is behind. */
function expectingIn(callee: Node): CallNode | undefined {
  let at = callee;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'call' && wordsOf(at.callee)[0] === 'expect' ? at : undefined;
}

const numbersIn = (node: Given): Statuses =>
  (node?.kind === 'array' ? node.elements : [node]).flatMap((each) =>
    each?.kind === 'literal' && typeof each.value === 'number' ? [each.value] : [],
  );
