/** Functions in the place of ts-rest's own fetcher, `api: (args) => tsRestFetchApi({ ...args, headers: { … } })`: whether they ask for nothing but the address that they are given. */
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { type FunctionValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { isWithin } from '../../../syntax/link.ts';
import { none } from '../../../syntax/lists.ts';
import type { CallNode, Expression, FunctionNode, NameNode, Node, ObjectNode, Pattern } from '../../../syntax/tree.ts';
import { isOnlyCalledOnce, isShowing } from '../../callbacks.ts';

/** What a function in the place of ts-rest's own gives to that. */
export function handedOn({ ev }: RuleCall, api: Value | undefined): readonly Expression[] {
  if (api?.type !== 'function') return none;
  const { module, frame } = api;
  return module.calls.flatMap((each) => {
    const [given] = isWithin(api.node, each) ? each.args : [];
    const isOwn = given !== undefined && given.kind !== 'spread' && isFetcher(ev.evaluate(each.callee, { module, frame }));
    return isOwn ? [given] : [];
  });
}

const isFetcher = (callee: Value): boolean => callee.type === 'external' && callee.path.at(-1) === 'tsRestFetchApi';

/** Whether a function in the place of ts-rest's own may ask another address than the one that it is given. */
export function isElsewhere(ev: Evaluation, api: Value | undefined, handed: readonly Expression[]): boolean {
  if (api === undefined || isFetcher(api)) return false;
  if (api.type !== 'function') return true;
  const asked: Asked = { sending: new Set(), addressed: new Set(), seen: new Set() };
  if (!staysIn(ev, api, asked) || asked.addressed.size === 0) return true;
  return [...asked.sending, ...handed.map(({ parent }) => parent)].some((call) => !asked.addressed.has(call));
}

/** What is found out on the way. */
interface Asked {
  /** Calls that are given anything of the request. */
  readonly sending: Set<Node | undefined>;
  /** Those of ts-rest's own that are given the request, and of other libraries that are told to ask for its address as a whole: `fetch(args.path)`. */
  readonly addressed: Set<Node | undefined>;
  readonly seen: Set<FunctionNode>;
}

/** A request, or that of it which says where it goes and with which key. */
type What = 'request' | 'path' | 'headers';

/** A function that is given a request: `isRead` where what it writes into that is read as what the client sends. */
interface Holder extends At {
  readonly asked: Asked;
  readonly isRead: boolean;
}

/** Whether all that a function does with the request that it is given is to ask for that: what it would hand to others, they may send to another host. */
function staysIn(ev: Evaluation, fn: FunctionValue, asked: Asked): boolean {
  const { node, module, frame } = fn;
  if (asked.seen.has(node)) return true;
  const isRead = asked.seen.size === 0 || isOnlyCalledOnce(ev, fn);
  asked.seen.add(node);
  const [first, ...others] = node.params;
  return others.length === 0 && (first === undefined || allStay(ev, first.target, 'request', { module, frame, asked, isRead }));
}

/** Whether all stays that a pattern takes. */
function allStay(ev: Evaluation, pattern: Pattern | Expression, what: What, of: Holder): boolean {
  if (pattern.kind === 'patternName')
    return (of.module.scopes.declaredBy(pattern)?.references ?? []).every((name) => stays(ev, name, what, of));
  if (pattern.kind !== 'objectPattern' || what !== 'request') return false;
  const taken = pattern.properties.every(({ name, target }) => {
    const part = partOf(name);
    return part === undefined || allStay(ev, target, part, of);
  });
  return taken && (pattern.rest === undefined || allStay(ev, pattern.rest, 'request', of));
}

/** What a property of a request holds of it; undefined for what says neither where it goes nor with which key. */
const partOf = (name: string | undefined): What | undefined => {
  if (name === undefined) return 'request';
  return name === 'path' || name === 'headers' ? name : undefined;
};

function stays(ev: Evaluation, name: NameNode, what: What, of: Holder): boolean {
  const { parent } = name;
  if (what !== 'request' || parent?.kind !== 'member' || parent.object !== name) return isKept(ev, name, name, what, of);
  const part = partOf(parent.property);
  return part === undefined || isKept(ev, parent, parent, part, of);
}

/**
 * @param whole what stands for it
 * @param at the same, or what that stands in
 */
function isKept(ev: Evaluation, whole: Node, at: Node, what: What, of: Holder): boolean {
  const { parent } = at;
  switch (parent?.kind) {
    case 'binary':
    case 'await':
    case 'logical':
    case 'array':
    case 'template':
    case 'concat':
    case 'spread':
    case 'property':
      return parent.kind === 'binary' || isKept(ev, whole, parent, what, of);
    case 'conditional':
      return parent.test === at || isKept(ev, whole, parent, what, of);
    case 'object':
      return !isSetIn(parent, at, what, of) && isKept(ev, whole, parent, what, of);
    case 'member':
      // One of the headers is read, or written: that is looked at where the headers are.
      if (what === 'headers' && at === whole) return of.isRead || !isWritten(parent);
      return parent.object === at && isKept(ev, whole, parent, what, of);
    case 'call':
      return parent.callee === at ? at !== whole && isKept(ev, whole, parent, what, of) : isAskedBy(ev, parent, whole, at, what, of);
    case 'variable':
      return at === whole && parent.declares === 'const' && parent.init === at && allStay(ev, parent.target, what, of);
    case 'assign':
      return what === 'headers' && at === whole && parent.target === at && of.isRead;
    case 'other':
      return parent.what === 'IfStatement' || parent.what === 'ExpressionStatement';
    default:
      return false;
  }
}

/** `{ ...args, path: … }` asks for another address, and so may `{ ...args, ...others }`; headers that nobody reads here may have a key. */
const isSetIn = ({ properties }: ObjectNode, at: Node, what: What, { isRead }: Holder): boolean =>
  properties.some((each) => {
    if (each === at) return false;
    if (each.kind === 'spread') return what === 'request';
    return each.name === 'path' || (what === 'request' && (each.name === undefined || (each.name === 'headers' && !isRead)));
  });

const isWritten = (member: Node): boolean =>
  member.parent?.kind === 'assign'
    ? member.parent.target === member
    : member.parent?.kind === 'unary' && member.parent.operator === 'delete';

/** Whether a call sends it to the address that the request has, or shows it. */
function isAskedBy(ev: Evaluation, call: CallNode, whole: Node, at: Node, what: What, of: Holder): boolean {
  const callee = ev.evaluate(call.callee, of);
  if (isFetcher(callee)) {
    (what === 'request' ? of.asked.addressed : of.asked.sending).add(call);
    return call.args[0] === at;
  }
  if (isShowing(callee) || (what === 'path' && isLog(call) && !mayAsk(ev, callee, new Set()))) return true;
  if (callee.type === 'function') return what === 'request' && at === whole && call.args[0] === at && staysIn(ev, callee, of.asked);
  if (call.isNew || (callee.type !== 'external' && callee.type !== 'method' && callee.type !== 'http')) return false;
  // A part of another address may go anywhere.
  (what === 'path' && addressOf(call) === whole ? of.asked.addressed : of.asked.sending).add(call);
  return true;
}

/** `log(`${args.method} ${args.path}`)`, whichever function that is: an address in the line of a log is asked by nobody. */
const isLog = ({ callee, args: [line] }: CallNode): boolean =>
  callee.kind === 'name' && /^(?:log|debug|trace|print)$/.test(callee.name) && line?.kind === 'template';

/** Whether a function that can be read asks for something, itself or by another of the program: then it is none that only shows. */
function mayAsk(ev: Evaluation, fn: Value, seen: Set<Node>): boolean {
  if (fn.type !== 'function' || seen.has(fn.node)) return false;
  seen.add(fn.node);
  const { module, frame } = fn;
  return module.calls.some((each) => {
    if (!isWithin(fn.node, each)) return false;
    return (
      optionsOf(ev.evaluate(each, { module, frame })).some(({ type }) => type === 'http') ||
      mayAsk(ev, ev.evaluate(each.callee, { module, frame }), seen)
    );
  });
}

/** What a call of a library is told to ask for: `fetch(path)`, `axios({ url: path })`. */
function addressOf({ args: [first] }: CallNode): Node | undefined {
  if (first?.kind !== 'object') return first;
  return first.properties.flatMap((each) => (each.kind === 'property' && each.name === 'url' ? each.value : [])).at(-1);
}
