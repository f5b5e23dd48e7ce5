/** Whether a variable that nobody named has a proven base by a default, or one of the two is chosen by something else. */
import { isScript } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { type EnvValue, type Part, plainText, type TextPart, type Value } from '../../evaluate/values/values.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { isWithin } from '../../syntax/link.ts';
import type { CallNode, ClassNode, Node } from '../../syntax/tree.ts';

type Source = NonNullable<TextPart['source']>;

interface Placed {
  readonly node: Node;
  readonly module: SourceText;
}

/**
 * `env.URL || 'https://…'` says what the variable is for, and so does `env.URL ? env.URL : 'https://…'`; `isCrm ? env.CRM_URL : 'https://…'` does not.
 * @param variable the part of an address that is a variable of the environment
 * @param proven what stands there in the one that is proven
 */
export function isByDefault(variable: Part & { readonly unknownPart: EnvValue }, proven: Part | undefined): boolean {
  const source = sourceOf(proven);
  if (source !== undefined && isSameSource(sourceOf(variable.unknownPart.otherwise?.parts[0]), source)) return true;
  const other = writtenIn(proven);
  // What both have come by says nothing about which of them it is.
  const own = without(placesOf(variable), other);
  const { name } = variable.unknownPart;
  if (own.some((place) => isChosen(place, [place], name))) return false;
  if (isSome(isLeftOf, own, other)) return true;
  const isChosenInstead = without(other, placesOf(variable)).some((place) => isChosen(place, own, name));
  // Of two variables, two entries of one table, or what two callers give, one stands for the other only where that is written.
  if (isVariable(proven) || isChosenInstead || isSome(isEntryBeside, own, other) || isNamedOtherwise(variable.unknownPart, source))
    return false;
  return !isSaidByAnother(own, other) && !isGivenByAnother(variable, proven, name);
}

/**
 * `MessagingModule.forRoot({ url: env.PARTNER_URL })`, `MessagingModule.forRoot({ url: 'https://…' })`: who gives the one is none who gives the other, and
 * nobody asks whether there is one: `env.URL ? create(env.URL) : create('https://…')`.
 */
export function isGivenByAnother(open: Part, proven: Part | undefined, name: string): boolean {
  const own = without(placesOf(open), writtenIn(proven));
  const others = without(writtenIn(proven), placesOf(open));
  return isGivenApart(own, others) && isGivenApart(others, own) && !isInstead(others, own, name) && !isSome(isLeftOf, own, others);
}

const isSome = (isSo: (one: Node, another: Node) => boolean, some: readonly Placed[], others: readonly Placed[]): boolean =>
  some.some(({ node, module }) => others.some((place) => place.module === module && isSo(node, place.node)));

/** Whether a default is written beside it where it is read: `env.URL ?? 'https://…'`. */
export const hasOwnDefault = (value: Value): boolean => 'node' in value && value.node !== undefined && defaultsOf(value.node).length > 0;

/** `env.URL ?? ''`: nothing stands in its place where nobody sets it. */
export const isEmptyByDefault = ({ otherwise }: EnvValue): boolean => otherwise !== undefined && plainText(otherwise) === '';

/** Whether a text is what is written beside a variable for where nobody sets it, and nothing else decides which of them it is: `env.URL || ''`. */
export function isWrittenBeside(part: Part | undefined, { node, otherwise }: EnvValue): boolean {
  const source = sourceOf(part);
  if (source === undefined || !isSameSource(sourceOf(otherwise?.parts[0]), source)) return false;
  let at: Node = node;
  if (at.parent?.kind === 'call' && at.parent.callee.kind === 'name' && at.parent.callee.name === 'String') at = at.parent;
  const { parent } = at;
  return parent?.kind === 'logical' && parent.operator !== '&&' && parent.left === at && parent.right === source.node;
}

export const isVariable = (part: Part | undefined): part is Part & { readonly unknownPart: EnvValue } =>
  part !== undefined && 'unknownPart' in part && part.unknownPart.type === 'env';

const sourceOf = (part: Part | undefined): Source | undefined => (part !== undefined && 'text' in part ? part.source : undefined);
const isSameSource = (one: Source | undefined, { module, start }: Source): boolean => one?.module === module && one.start === start;

const placesOf = (part: Part | undefined): Placed[] =>
  part === undefined ? [] : [...(isVariable(part) ? [part.unknownPart] : []), ...nodesOf(part.provenance)];

/** Where all of it stands. */
function writtenIn(part: Part | undefined): Placed[] {
  const source = sourceOf(part);
  return [...placesOf(part), ...(source === undefined ? [] : [source])];
}

function without(places: readonly Placed[], others: readonly Placed[]): Placed[] {
  const known = new Set(others.map(({ node }) => node));
  return places.filter(({ node }) => !known.has(node));
}

/** Whether it counts only where something holds that asks neither about the variable nor about what it is read by. */
const isChosen = (place: Placed, own: readonly Placed[], name: string): boolean =>
  testsAround(place).some((asked) => !asked.includes(name) && !own.some((each) => asked.includes(writtenAt(each))));

/** Whether it counts by what is asked about the others. */
const isInstead = (other: readonly Placed[], own: readonly Placed[], name: string): boolean =>
  other.flatMap(testsAround).some((asked) => asked.includes(name) || own.some((place) => asked.includes(writtenAt(place))));

const writtenAt = ({ node, module: { text } }: Placed): string => text.slice(node.start, node.end);

function testsAround({ node, module: { text } }: Placed): string[] {
  const found: string[] = [];
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const test = testOf(at.parent, at);
    const asked = test === undefined ? undefined : text.slice(test.start, test.end);
    if (asked !== undefined && !asksForEnvironment(asked)) found.push(asked);
  }
  return found;
}

/** `typeof process !== 'undefined' && process.env`: where there are no variables at all, as in a browser, none is set, and what counts then is the default. */
const asksForEnvironment = (test: string): boolean =>
  /\b(?:process|Deno|Bun|import\.meta)\b/.test(test) && test.replaceAll(wordsForEnvironment, '').search(/[\w$]/) === -1;

const wordsForEnvironment =
  /(?<![\w$.])(?:globalThis|import\.meta|process|Deno|Bun|typeof|undefined|null|object|as|any)(?![\w$])|\.\s*(?:process|Deno|Bun|env)(?![\w$])/g;

function testOf(around: Node, at: Node): Node | undefined {
  if (around.kind === 'conditional') return around.test === at ? undefined : around.test;
  if (around.kind === 'logical') return around.operator === '&&' && around.right === at ? around.left : undefined;
  // Of `switch` the statements of one case, whatever it is held against.
  if (around.kind === 'block' && isCase(at)) return around.body[0];
  const [test] = around.kind === 'other' && around.what === 'IfStatement' ? around.children : [];
  return test === at ? undefined : test;
}

const isCase = (node: Node): boolean => node.kind === 'other' && /^(?:Case|Default)Clause$/.test(node.what);

/** `one || other`, `one ?? other` */
const isLeftOf = (one: Node, other: Node): boolean => defaultsOf(one).some((each) => isWithin(each, other));

/** What is taken where it is nothing, innermost first. */
function defaultsOf(node: Node): Node[] {
  const found: Node[] = [];
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'logical' && parent.operator !== '&&' && parent.left === at) found.push(parent.right);
  }
  return found;
}

/** `{ crm: env.CRM_URL, texts: 'https://…' }`, `[env.CRM_URL, 'https://…']`, also where each is given by a function of its own. */
function isEntryBeside(one: Node, other: Node): boolean {
  for (let at = one; at.parent !== undefined && (at.kind !== 'function' || at.parent.kind === 'property'); at = at.parent) {
    const isEntry = at.kind === 'property' ? at.parent.kind === 'object' : at.parent.kind === 'array' && !isSifted(at.parent);
    if (!isEntry) continue;
    if (isWithin(at.parent, other)) return !isWithin(at, other);
  }
  return false;
}

/** `{ texts: 'https://…' }` and `services.crm = env.CRM_URL`: what is put under names of its own each. */
function isNamedOtherwise(one: Placed, other: Placed | undefined): boolean {
  // A setting that a library makes of what is written there has that for its default.
  if (one.module !== other?.module || isWithin(one.node, other.node)) return false;
  const [own, others] = [namesAround(one.node), namesAround(other.node)];
  return own.some((name, i) => others[i] !== undefined && others[i] !== name);
}

/** `class Crm extends Texts { base = env.CRM_URL; }`: what two classes say of themselves under one name, neither having it from the other. */
function isSaidByAnother(own: readonly Placed[], other: readonly Placed[]): boolean {
  const said = own.flatMap((place) => saidAt(place) ?? []);
  const others = other.flatMap((place) => saidAt(place) ?? []);
  return others.some(({ name, of }) => said.some((each) => each.name === name) && !said.some((each) => each.of === of));
}

/** Under which name something is said of a class: its member, or what is put there, `this.base = …`, `Crm.base = …`. */
function saidAt({ node, module }: Placed): { readonly name: string; readonly of: ClassNode } | undefined {
  let name: string | undefined;
  for (let at = node; at.parent !== undefined; at = at.parent) {
    if (at.kind === 'classMember') name ??= at.name;
    if (at.kind === 'class') return name === undefined ? undefined : { name, of: at };
    if (at.kind !== 'assign' || at.target.kind !== 'member') continue;
    const { object, property } = at.target;
    if (object.kind === 'this') name ??= property;
    const owner = object.kind === 'name' && isScript(module) ? module.scopes.bindingOf(object)?.owner : undefined;
    if (owner?.kind === 'class' && property !== undefined) return { name: property, of: owner };
  }
  return undefined;
}

/** Under which names it is put, innermost first. */
function namesAround(node: Node): string[] {
  const found: string[] = [];
  for (let at = node; at.parent !== undefined && at.kind !== 'function'; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'property' && parent.value === at && parent.name !== undefined) found.push(parent.name);
    if (parent.kind !== 'assign' || parent.value !== at) continue;
    const { target } = parent;
    if (target.kind === 'member' && target.property !== undefined) found.push(target.property);
  }
  return found;
}

/** Whether a call is given something that is given none of the others. */
const isGivenApart = (some: readonly Placed[], others: readonly Placed[]): boolean =>
  some.some(({ node, module }) =>
    givenTo(node).some((call) => !others.some((place) => place.module === module && isWithin(call, place.node))),
  );

/** The calls in whose arguments it stands, but for those that give back what they are given. */
function givenTo(node: Node): CallNode[] {
  const found: CallNode[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent)
    if (at.parent.kind === 'call' && at.parent.callee !== at && !isFreezing(at.parent.callee)) found.push(at.parent);
  return found;
}

/** `[env.URL, 'https://…'].find(Boolean)`, of which what is there counts. */
const isSifted = ({ parent }: Node): boolean => parent?.kind === 'member' && /^(?:find|filter)$/.test(parent.property ?? '');

const isFreezing = (callee: Node): boolean =>
  callee.kind === 'member' &&
  callee.object.kind === 'name' &&
  callee.object.name === 'Object' &&
  /^(?:freeze|seal)$/.test(callee.property ?? '');
