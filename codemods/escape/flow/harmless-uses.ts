/** Whether something that is asked of an edited value, or done with it, comes out the same after the edit. */
import { isAuthorization, v1Auth } from '../../../src/contract/auth.ts';
import { givesRows } from '../../evaluate/language/found-items.ts';
import { isAddress } from '../../evaluate/writes/address-writes.ts';
import { isCapturing } from '../../clients/testing/expected/captured.ts';
import { functionAround } from '../../evaluate/calls/callees.ts';
import { combined } from '../../evaluate/libraries/combined.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { variable } from '../../evaluate/settings/settings.ts';
import { type Entry, plainText, type Value } from '../../evaluate/values/values.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import { type Address, addressesAt } from './addresses/asked-addresses.ts';
import { once } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, MemberNode, Node } from '../../syntax/tree.ts';
import { isAskedAlike } from './addresses/address-tests.ts';
import {
  isCarrying,
  isHarmlessCall,
  isMadeToShow,
  isMadeToShowAnywhere,
  isPartOfCopy,
  isUnknownAssertion,
  isShowing,
} from './harmless-calls.ts';
import { isKeyOfOwnMap } from './holders/own-map-keys.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { isOwnReceiver } from './functions/own-receivers.ts';
import { membershipAsking, membershipNamed, rangeOfMember, textOfMember } from './holders/memberships.ts';
import type { Place } from '../../evaluate/budget.ts';
import { headersReadBy } from './taint.ts';
import { settingOf } from '../../evaluate/settings/variables-set.ts';
import { versionTakenOff } from '../../verdict/changes/replaced-versions.ts';
import { type Change, isNameChange } from '../../verdict/changes/spans.ts';
import { isSharedEnvironment } from './holders/shared-environments.ts';
import { namesOf, readsHeader } from './uses.ts';

/** A value at a place, with the edits that it has. */
export interface Carried extends Place {
  readonly carried: readonly Change[];
}

/** Methods of texts and lists whose results nobody follows. */
const unfollowed = new Set(
  'startsWith includes endsWith indexOf match search test split replace replaceAll slice substring delete has map forEach filter flatMap reduce some every find join sort then localeCompare'.split(
    ' ',
  ),
);
/** … and of these the ones that only ask, or take out, what they are given. */
const asking = new Set(['startsWith', 'includes', 'endsWith', 'indexOf', 'match', 'search', 'has', 'delete']);

/** Whether a value is a client and nothing else: what is asked of that is a request. */
const isClient = (query: DataflowQuery, place: Place): boolean => query.values(place).every(({ type }) => type === 'http');

/** What a test reads of a client's headers, it expects: that moves along. */
export const isExpected = ({ ev, values }: DataflowQuery, { module }: Place, member: MemberNode): boolean =>
  isTest(module) && [member, member.object].some((node) => values({ node, module }).some((read) => headersReadBy(ev, read).length > 0));

/** What a property is taken for that has nothing of the edits. */
export function isHarmlessMember(query: DataflowQuery, at: Carried, member: MemberNode): boolean {
  if (isClient(query, at)) return !takesUnknown(query, at, member) || isCalled(member);
  if (asksByNewName(query, at, member) || isOfMembers(query, at)) return true;
  if (isPartOfCopy(query, member.computed, at.module)) return true;
  if (asking.has(member.property ?? '') && isAskedAlike(query, at)) return true;
  return !readsHeader(member) && !takesUnknown(query, at, member) && !isUnfollowed(query, at, member) && !takesKey(query, at, member);
}

/** `headers.has('x-api-key')`, `!headers[KEY_HEADER]`: what asks for the header by a name that changes with it. */
function asksByNewName(query: DataflowQuery, { module }: Carried, { computed, parent }: MemberNode): boolean {
  const asked = computed ?? (parent?.kind === 'call' ? parent.args[0] : undefined);
  if (asked === undefined) return false;
  const place = { node: asked, module };
  return asked.kind === 'string' ? query.isEdited(place) : query.carried(place).some(isNameChange);
}

/** `headers.has(KEY_HEADER)` of headers that are made beside it: what is put there has the same name. */
function isAskedOfOwnHeaders({ callee }: CallNode, { carried, module }: Carried): boolean {
  if (callee.kind !== 'member' || !/^(?:has|delete)$/.test(callee.property ?? '') || callee.object.kind !== 'name') return false;
  const owner = module.scopes.bindingOf(callee.object)?.owner;
  const made = owner?.kind === 'variable' && owner.declares === 'const' ? owner.init : undefined;
  return (
    made?.kind === 'call' && made.isNew && made.callee.kind === 'name' && made.callee.name === 'Headers' && carried.every(isNameChange)
  );
}

/** `Object.prototype.hasOwnProperty.call(headers, name)`, in a loop that copies all of them. */
const asksForOwn = (query: DataflowQuery, { callee, args }: CallNode, { module }: Carried): boolean =>
  callee.kind === 'member' && /^(?:call|hasOwn)$/.test(callee.property ?? '') && isPartOfCopy(query, args[1], module);

/** `delete headers.authorization`: behind the edit that is the key, unless it is put there afterwards. */
function takesKey(query: DataflowQuery, { carried, module }: Carried, member: MemberNode): boolean {
  const { parent, property, computed } = member;
  if (parent?.kind !== 'unary' || parent.operator !== 'delete') return false;
  const names = computed === undefined ? [property] : query.values({ node: computed, module }).map(plainText);
  const end = functionAround(member)?.end ?? Infinity;
  const isBefore = (change: Change): boolean => change.module === module && member.start < change.start && change.end <= end;
  return names.some(isAuthorization) && carried.some((change) => change.what === 'header name' && !isBefore(change));
}

/** `urls.map(client[verb])` hands a method on, and what it is asked for then nobody sees. */
const isCalled = (member: MemberNode): boolean => member.parent?.kind === 'call' && member.parent.callee === member;

const takesUnknown = (query: DataflowQuery, { module }: Carried, { computed }: MemberNode): boolean =>
  computed !== undefined && query.values({ node: computed, module }).some((key) => plainText(key) === undefined);

/** What is done with an edited text by its version or the name of a header would come out otherwise. */
const aboutEdits = /v[1\\[]|api-key/i;

function isUnfollowed(query: DataflowQuery, at: Carried, member: MemberNode): boolean {
  const { parent: call, property = '' } = member;
  if (call?.kind !== 'call' || call.callee !== member || !unfollowed.has(property) || query.asksVersion(call, at.module)) return false;
  if (givesRows(call, query.values({ node: call, module: at.module }))) return false;
  // What is looked for there moves along.
  const pattern = versionTakenOff(call, at.module);
  if (pattern !== undefined && query.carried({ node: pattern, module: at.module }).length > 0) return false;
  const [other] = call.args;
  if (!isTest(at.module) && other !== undefined && isShownInstead(query, at, call, other)) return false;
  // What is put in order with it is compared as by `<`.
  if (property === 'localeCompare') return other === undefined || !(isMoving(query, at, other) || isIndifferentTo(query, at, other));
  return !(asking.has(property) && other !== undefined && isIndifferentTo(query, at, other));
}

/** Whether it only makes what is printed, for which it does not look for what is edited. What a filter hides the header by is told, if that names it in full. */
function isShownInstead({ ev }: DataflowQuery, { module }: Carried, call: CallNode, other: Node): boolean {
  if (call.callee.kind === 'member' && call.callee.property === 'filter' && namesHeader(other, module))
    return isMadeToShowAnywhere(ev, call, module);
  return !aboutEdits.test(module.text.slice(other.start, other.end)) && isMadeToShow(call, module);
}

/** Whether the header's whole name stands in a function, or in what a constant holds that it uses. */
function namesHeader(fn: Node, { scopes, text }: SourceModule): boolean {
  let isNamed = false;
  walk(fn, (each) => {
    const owner = each.kind === 'name' ? scopes.bindingOf(each)?.owner : undefined;
    const { start, end } = owner?.kind === 'variable' ? (owner.init ?? each) : each;
    isNamed ||= wholeName.test(text.slice(start, end));
    return !isNamed;
  });
  return isNamed;
}

const wholeName = new RegExp(`['"\x60]${v1Auth.field}['"\x60]`, 'i');

/** A comparison, or a `switch` over the value. */
export function isHarmlessComparison(query: DataflowQuery, at: Carried): boolean {
  const { parent } = at.node;
  if (parent?.kind === 'block') return casesOf(parent.body).every((each) => isMoving(query, at, each) || isIndifferentTo(query, at, each));
  if (parent?.kind !== 'binary') return false;
  // What something is an instance of, no edit changes.
  if (parent.operator === 'instanceof' && parent.left === at.node && !decidesItself(query, parent.right, at.module)) return true;
  if (isAskedAlike(query, at) || isAskedAmong(query, at)) return true;
  if (parent.operator === 'in' && query.isEdited({ node: parent.left, module: at.module })) return true;
  const isText = query.values(at).some(({ type }) => type === 'text');
  if (!isText && parent.operator !== 'in') return true;
  const other = parent.left === at.node ? parent.right : parent.left;
  return isMoving(query, at, other) || isIndifferentTo(query, at, other);
}

/** `static [Symbol.hasInstance](value)`: a class that looks at what it is asked about. */
const decidesItself = (query: DataflowQuery, node: Node, module: SourceModule): boolean =>
  query
    .values({ node, module })
    .some(
      (value) =>
        value.type === 'object' ||
        (value.type === 'class' && value.node.members.some((member) => member.isStatic && member.name === undefined)),
    );

/** Whether only texts are edited that others are asked for among, and nothing of what these lead to. */
function isOfMembers({ ev }: DataflowQuery, { node, module, carried }: Carried): boolean {
  const membership = membershipNamed(ev, node, module);
  const ranges = membership?.members.map(rangeOfMember) ?? [];
  return carried.every(
    (change) => change.module === membership?.module && ranges.some(({ start, end }) => start <= change.start && change.end <= end),
  );
}

/** `limits[path]`, `['/v1/messages/send'].includes(path)`: where each text that it is asked for among moves along, or is none of those that it may be. */
export function isAskedAmong(query: DataflowQuery, at: Carried): boolean {
  const { node, module, carried } = at;
  const membership = membershipAsking(query.ev, node, module);
  const addresses = once(() => addressesAt(query, at));
  // What is asked for is `/v2/…` behind the edit, and was none of what is there before.
  const isNone = (text: string): boolean => text.startsWith('/v1/') && addresses()?.every((address) => !mayBe(address, text)) === true;
  const isOther = (text: string): boolean => isNone(text) || carried.every((change) => isApart(change, text.toLowerCase()));
  return membership?.members.every((member) => query.isEdited({ ...membership, node: member }) || isOther(textOfMember(member))) === true;
}

/** Whether a text may be what is known of another in part. */
function mayBe(address: Address, text: string): boolean {
  const [begin = '', ...rest] = flat(address).split(unknownPart);
  return rest.length === 0 ? begin === text : text.startsWith(begin) && text.endsWith(rest.at(-1) ?? '');
}

/** `path === '/v1/messages/send'`, where that moves with all that it is compared with. */
const isMoving = (query: DataflowQuery, { module }: Carried, node: Node): boolean =>
  node.kind === 'string' && query.isEdited({ node, module });

const casesOf = (clauses: readonly Node[]): Node[] =>
  clauses.flatMap((clause) => (clause.kind === 'other' && clause.what === 'CaseClause' ? clause.children.slice(0, 1) : []));

/**
 * Whether a call is a request of ours, or an expectation of one; undefined for what is neither. What a test expects of another service's call only
 * looks at the mock that both come to.
 */
export function asksOurs(query: DataflowQuery, call: CallNode): boolean | undefined {
  const isOurs = query.isOurs(call);
  return isOurs === false && isShowing(call) ? undefined : isOurs;
}

/** A call that is given the value, and is not the project's own. */
export function isHarmlessGift(
  query: DataflowQuery,
  at: Carried & { readonly from: Place },
  call: CallNode,
  callees: readonly Value[],
): boolean {
  const { callee } = call;
  if (isSharedEnvironment(at.from, at.carried)) return true;
  if (setsVariable(query, at) || isAskedAmong(query, at) || isAskedOfOwnHeaders(call, at) || asksForOwn(query, call, at)) return true;
  if (isTest(at.module) && isUnknownAssertion(query.ev, call, callees)) return false;
  if (query.asksVersion(call, at.module) || isAskedAlike(query, at)) return true;
  // `/^https?:/.test(url)`
  if (callee.kind === 'member' && callee.property === 'test' && callee.object.kind === 'literal')
    return query.isEdited({ node: callee.object, module: at.module }) || isIndifferentTo(query, at, callee.object);
  if (callees.length > 0 && callees.every((each) => isCarrying(query.ev, call, at.node, each)) && query.hasClientsOnly(at)) return true;
  return (
    isCapturing(call, at.node, at.module) ||
    isBound(query, at, call, callees) ||
    isOwnReceiver(query, call, at) ||
    isHarmlessCall(query.ev, call, at, callees) ||
    isKeyOfOwnMap(query, call, at.node, at.module)
  );
}

/** `app.request('/', {}, { API_URL: base })`: what an application has as variables, it reads by their names. */
function isBound(query: DataflowQuery, at: Carried, { args }: CallNode, callees: readonly Value[]): boolean {
  const isBinding =
    callees.length > 0 && callees.every((callee) => args.findIndex((arg) => arg === at.node) === bindingOf(query.ev, callee));
  return (
    isBinding &&
    query
      .values(at)
      .every(({ type, ...value }) => type === 'object' && 'entries' in value && value.unknown.length === 0 && areVariables(value.entries))
  );
}

const areVariables = (entries: readonly Entry[]): boolean => entries.every(({ name }) => name !== undefined && variable.test(name));

/** Which argument of a method an application takes for a platform's variables. */
function bindingOf(ev: Evaluation, callee: Value): number | undefined {
  const made = callee.type === 'method' && callee.path.length === 1 && callee.receiver.type === 'unknown' ? callee.receiver : undefined;
  let node = made?.node;
  // `new Hono().basePath('/api')`
  while (node?.kind === 'call' && !node.isNew && node.callee.kind === 'member') node = node.callee.object;
  if (callee.type !== 'method' || made?.module === undefined || !isScript(made.module) || node?.kind !== 'call' || !node.isNew)
    return undefined;
  const of = ev.evaluate(node.callee, { module: made.module, frame: undefined });
  const rule = of.type === 'external' ? ev.rules.find(({ binds }) => binds?.packages.test(of.source)) : undefined;
  return rule?.binds?.methods[callee.path[0] ?? ''];
}

/**
 * `process.env.API_URL = base`, `process.env = { API_URL: base }` in a test, where requests that are known begin with the variable: whatever else reads it is
 * asked for that.
 */
function setsVariable({ variables }: DataflowQuery, { node, module }: Carried): boolean {
  if (!isTest(module)) return false;
  const { parent } = node;
  const isWhole =
    node.kind === 'object' && parent?.kind === 'assign' && parent.target.kind === 'member' && parent.target.property === 'env';
  const names = isWhole ? namesOf(node) : [settingOf(node) ?? ''];
  return names.some((name) => variables.has(name));
}

/** `globalThis.fetch = fetchMock`: a mock in the place of a client gets what that client is asked, and what it compares that with moves. */
export function isStub(query: DataflowQuery, at: Carried, target: Node): boolean {
  if (setsVariable(query, at) || isAskedAmong(query, at)) return true;
  const { modules, globals } = combined(query.ev.rules);
  const isClientOfRule = (value: Value): boolean =>
    value.type === 'external' &&
    value.path.length === 1 &&
    (value.source === '' ? globals.has(value.path[0] ?? '') : modules.has(value.source));
  return (
    query.values({ node: target, module: at.module }).every(isClientOfRule) &&
    query.values(at).every((value) => value.type === 'http' && value.mock !== undefined)
  );
}

/** `url.pathname = join(url.pathname, 'contacts')`: it is put into what it was taken from, which is followed by its name. */
export function isPutBack(query: DataflowQuery, { module, carried }: Pick<Carried, 'module' | 'carried'>, target: Node): boolean {
  const place = { node: target, module };
  const held = query.carried(place);
  return query.values(place).every(isAddress) && carried.every((change) => held.includes(change));
}

function isIndifferentTo(query: DataflowQuery, { carried, module }: Carried, other: Node): boolean {
  if (other.kind === 'literal') return typeof other.value !== 'object' || other.value === null || outside.test(other.value.pattern);
  return query.values({ node: other, module }).every((value) => {
    const text = plainText(value);
    return value.type === 'literal' || (text !== undefined && carried.every((change) => isApart(change, text.toLowerCase())));
  });
}

/** Whether a text has nothing to do with what is edited, before and after. */
const isApart = ({ module, start, end, text }: Change, other: string): boolean =>
  [module.text.slice(start, end), text].map((each) => each.toLowerCase()).every((each) => !other.includes(each) && !each.includes(other));

/** Regular expressions that begin with what no edit touches: slashes, the protocol, placeholders, the query. */
const outside = /^\^?(?:\(\?:|\()?(?:\\\/[+*]?\$?\)?$|\\\/\+\$|https?|:|\\?\{|\\\?|#|%|\\s)/;
