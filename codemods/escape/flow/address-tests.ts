/**
 * Questions about the address of a request that come out the same behind the edits: `if (config.url.startsWith(BASE)) config.headers['x-api-key'] = key`. What
 * begins with the base does so by the very text that moves, and nothing else that is asked there begins with it, before or after.
 */
import { assignmentsOf } from '../../evaluate/assignments.ts';
import { callsOf } from '../../evaluate/all-callers.ts';
import type { Place } from '../../evaluate/budget.ts';
import { isFound } from './found-text.ts';
import { flat, isBeforeOthers, unknownPart, urlPart } from '../../evaluate/text.ts';
import { choiceOf, optionsOf, type Part, partsOf, type Value } from '../../evaluate/values.ts';
import { type Binding, stepsTo } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import type { Request } from '../../requests/requests.ts';
import type { DataflowQuery } from './dataflow-query.ts';
import { type HookedClient, hookedIn } from './hooks.ts';

type Address = readonly Part[];

interface AddressTest {
  readonly subject: Node;
  readonly sought: Node;
  /** Whether it may stand anywhere in it, and not at its beginning alone. */
  readonly isAnywhere: boolean;
}

/** Functions that hand an address on to each other further than this are not looked at. */
const maxDepth = 4;

/** Whether what is asked about a value, or by it, is the address of a request, and has the same answer when that has moved. */
export function isAskedAlike(query: DataflowQuery, { node, module }: Place): boolean {
  return testsAt(node).some(({ subject, sought, isAnywhere }) => {
    const wanted = query.values({ node: sought, module });
    if (wanted.length === 0 || !wanted.every(isText)) return false;
    const asked = addressesAt(query, { node: subject, module });
    // What a hook gets may be without its base, and begin with a path.
    const isPath = wanted.some((value) => flat(partsOf(value)).startsWith('/'));
    return asked !== undefined && areAlike(query, asked, wanted.map(partsOf), isAnywhere || isPath);
  });
}

/** `url.startsWith(base)`, `url.includes(host)`, `config.baseURL === base`, from either side. */
function testsAt(node: Node): readonly AddressTest[] {
  const { parent } = node;
  if (parent?.kind === 'binary' && /^[!=]==?$/.test(parent.operator))
    return [
      { subject: parent.left, sought: parent.right, isAnywhere: false },
      { subject: parent.right, sought: parent.left, isAnywhere: false },
    ];
  const call = parent?.kind === 'member' && parent.object === node ? parent.parent : parent;
  if (call?.kind !== 'call' || call.callee.kind !== 'member' || (call.callee !== parent && call.args[0] !== node)) return [];
  const [sought, more] = call.args;
  const { object, property = '' } = call.callee;
  if (sought === undefined || sought.kind === 'spread' || more !== undefined || !/^(?:startsWith|includes)$/.test(property)) return [];
  return [{ subject: object, sought, isAnywhere: property === 'includes' }];
}

const isText = ({ type }: Value): boolean => type === 'text' || type === 'env';

/**
 * The addresses that an expression can be, or what it has under names; undefined where that is not known: a parameter by the calls of its function, or by the
 * requests of a client that this is a hook of.
 */
function addressesAt(
  query: DataflowQuery,
  { node, module }: Place,
  names: readonly string[] = [],
  depth = 0,
): readonly Address[] | undefined {
  const values = names.length === 0 ? query.values({ node, module }) : [];
  if (values.length > 0 && values.every(isText)) return values.map(partsOf);
  if (depth > maxDepth) return undefined;
  const at = (each: Node, more: readonly string[]): readonly Address[] | undefined =>
    addressesAt(query, { node: each, module }, more, depth + 1);
  const last = names.at(-1) ?? '';
  if (part.test(last)) return partOf(at(node, names.slice(0, -1)), last);
  switch (node.kind) {
    case 'member':
      return node.property === undefined ? undefined : at(node.object, [node.property, ...names]);
    case 'logical':
      return node.operator === '&&' ? undefined : together([node.left, node.right].map((each) => at(each, names)));
    case 'call': {
      const [given, more] = node.isNew && node.callee.kind === 'name' && node.callee.name === 'URL' ? node.args : [];
      return given === undefined || more !== undefined || names.length > 0 ? undefined : at(given, []);
    }
    case 'name':
      return addressesNamed(query, { node, module }, names, depth);
    default:
      return undefined;
  }
}

function addressesNamed(
  query: DataflowQuery,
  { node, module }: Place,
  names: readonly string[],
  depth: number,
): readonly Address[] | undefined {
  const binding = node.kind === 'name' ? module.scopes.bindingOf(node) : undefined;
  const taken = binding && takenBy(binding);
  if (binding === undefined || taken === undefined || assignmentsOf(binding).all.length > 0) return undefined;
  const { owner } = binding;
  const way = [...taken, ...names];
  if (owner.kind === 'variable') return owner.init && addressesAt(query, { node: owner.init, module }, way, depth + 1);
  const fn = owner.kind === 'param' ? owner.parent : undefined;
  if (owner.kind !== 'param' || fn?.kind !== 'function') return undefined;
  const clients = hookedIn(query.ev)(fn, module);
  if (clients.length > 0) return addressing.test(way.join('.')) ? addressesBy(query, clients) : undefined;
  const given = callsOf(query.ev, fn).map((call): readonly Address[] | undefined => {
    const arg = call.node.args[fn.params.indexOf(owner)];
    return arg && addressesAt(query, { node: arg, module: call.module }, way, depth + 1);
  });
  return given.length === 0 ? undefined : together(given);
}

/** What clients call the address of a request, and what stands before it, in what they hand to hooks: not a URL that an answer has in its body. */
const addressing = /^(?:(?:config|request|options|error|response)\.)*(?:url|uri|urlWithParams|baseURL|baseUrl|prefixUrl)(?:\.href)?$/;

const part = /^(?:host|hostname|origin)$/;

function partOf(addresses: readonly Address[] | undefined, name: string): readonly Address[] | undefined {
  const whole = addresses && urlPart(choiceOf(addresses.map((parts): Value => ({ type: 'text', parts }))), name);
  return whole && optionsOf(whole).map(partsOf);
}

const together = (all: readonly (readonly Address[] | undefined)[]): readonly Address[] | undefined =>
  all.includes(undefined) ? undefined : all.flatMap((addresses) => addresses ?? []);

/** `const { url } = config`: what a pattern takes is a property of that. */
function takenBy({ owner, declaration }: Binding): readonly string[] | undefined {
  const way = owner.kind === 'variable' || owner.kind === 'param' ? stepsTo(owner.target, declaration) : undefined;
  const names = way?.steps.map((step) => ('property' in step ? step.property : undefined)) ?? [undefined];
  return way?.defaults.length === 0 && names.every((name) => name !== undefined) ? names : undefined;
}

/** Whether a request goes through what a hook is given to: an instance alone, where it is one. */
function isOf({ client, origins }: Request, { library, origins: of = [] }: HookedClient): boolean {
  const made = of.filter((each) => typeof each !== 'string');
  const sources = made.length > 0 ? made : of;
  return (library === undefined || library === client) && (sources.length === 0 || sources.some((each) => origins.includes(each)));
}

function addressesBy({ requests }: DataflowQuery, clients: readonly HookedClient[]): readonly Address[] | undefined {
  const asked = requests.filter((request) => !request.isMock && clients.some((of) => isOf(request, of)));
  return together(asked.map(({ url }) => url && [url]));
}

/** Whether each address has what is sought by the same text, or has it neither before nor behind the edits, and one has it. */
function areAlike(query: DataflowQuery, asked: readonly Address[], sought: readonly Address[], isAnywhere: boolean): boolean {
  // The default says what a variable is for.
  const written = sought.filter((each) => !flat(each).includes(unknownPart));
  const isSought = (address: Address): boolean => sought.some((each) => isFound(each, address, isAnywhere));
  const isFree = (address: Address): boolean =>
    (!isAnywhere && query.isElsewhere(address)) ||
    (written.length > 0 && written.every((each) => isWithout(query, each, address, isAnywhere)));
  return asked.some(isSought) && asked.every((address) => isSought(address) || isFree(address));
}

/** Whether an address has a text neither as both stand there, nor where either has moved. */
function isWithout({ moved }: DataflowQuery, sought: Address, address: Address, isAnywhere: boolean): boolean {
  const texts = [flat(sought), moved(sought)];
  return [flat(address), moved(address)].every((whole) => {
    const begin = whole.split(unknownPart, 1)[0] ?? '';
    const isOpen = begin !== whole && texts.some((text) => (isAnywhere ? !isBeforeOthers(begin, text) : text.startsWith(begin)));
    return !isOpen && !texts.some((text) => (isAnywhere ? whole.includes(text) : whole.startsWith(text)));
  });
}
