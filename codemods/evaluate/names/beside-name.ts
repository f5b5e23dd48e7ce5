/**
 * A header whose name and value stand side by side elsewhere than where it is put together: `{ [auth.header]: auth.value }` of `{ header: 'x-api-key', value: key }`,
 * and `{ [name]: key }` in a function that is called with both. There they belong together, whoever else gives others.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { forAllCallers } from '../calls/all-callers.ts';
import { readsOf } from '../calls/by-name.ts';
import type { Evaluation } from '../evaluation.ts';
import { isScript, type SourceModule } from '../module.ts';
import { isWithin } from './named.ts';
import { joinProvenance, nodesOf, type Provenance } from '../values/provenance.ts';
import { returnsOf } from '../calls/returns.ts';
import { isSame } from '../values/same.ts';
import { isSamePath } from './same-path.ts';
import { type Entry, optionsOf, partsOf, plainText, type TextPart, type Value } from '../values/values.ts';

/**
 * A header as it is given there, if its name may be others' where it is put together.
 * @param computed what makes its name
 */
export function asGiven(ev: Evaluation, entry: Entry, computed: Expression): Entry {
  const { key, module, valueNode, isShared, name } = entry;
  if (isShared !== true || !isKeyHeader(name) || valueNode === undefined || !isScript(module)) return entry;
  const beside =
    key === undefined
      ? undefined
      : (schemeBeside(ev, key, valueNode, computed, module, entry.value()) ?? besideName(ev, key, entry.value()));
  if (beside === undefined || mayBeChecked(ev, module) || (isWaitedFor(entry.value()) && !isText(ev, beside))) return entry;
  const way: Provenance = { node: computed, module, rest: { node: entry.node, module, rest: undefined } };
  return { ...entry, ...beside, put: { node: valueNode, module }, isShared: false, provenance: joinProvenance(way, entry.provenance) };
}

/** Whether a schema is asked about what a file is given, `Options.parse(input)`: it may say how the name begins or how long the key is. */
const mayBeChecked = (ev: Evaluation, module: SourceModule): boolean =>
  module.calls.some(({ callee, args: [given] }) => {
    if (callee.kind !== 'member' || given === undefined || given.kind === 'spread') return false;
    if (!/^(?:p|safeP)arse(?:Async)?$/.test(callee.property ?? '') || (callee.object.kind === 'name' && callee.object.name === 'JSON'))
      return false;
    return optionsOf(ev.evaluate(given, { module, frame: undefined })).some(({ type }) => type === 'param' || type === 'object');
  });

/** Whether the header waits for its value: a promise may be given then, and the scheme must not be put before that. */
const isWaitedFor = (value: Value): boolean =>
  optionsOf(value).some(({ provenance }) =>
    nodesOf(provenance).some(
      ({ node }) =>
        node.parent?.kind === 'await' || (node.parent?.kind === 'member' && node.parent.object === node && node.parent.property === 'then'),
    ),
  );

/** Whether what is given is a text or a variable of the environment itself, and nothing that a function gives. */
function isText(ev: Evaluation, { valueNode, module }: Beside): boolean {
  if (valueNode === undefined || valueNode.kind === 'call' || !isScript(module)) return false;
  return optionsOf(ev.evaluate(valueNode, { module, frame: undefined })).every(
    ({ type, provenance }) => (type === 'text' || type === 'env') && nodesOf(provenance).every(({ node }) => node.kind !== 'call'),
  );
}

type Beside = Pick<Entry, 'node' | 'module' | 'valueNode'>;

/** @returns undefined where they do not stand together, or the value is made of more than what stands there */
function besideName(ev: Evaluation, { source }: TextPart, value: Value): Beside | undefined {
  const options = optionsOf(value);
  if (source === undefined || !isScript(source.module) || options.length === 0) return undefined;
  const { module, node: name } = source;
  // An empty key is put in elsewhere, without a scheme, unless it stands in the place of a variable that is not set, or of another key.
  const isEmpty = options.some((option) => plainText(option) === '') && !options.some(({ type }) => type === 'env');
  const found = besides(name)
    .map(givenBy)
    .filter((each) => (!isEmpty || each.kind === 'logical') && isWhat(ev, each, module, value));
  const [valueNode, second] = found;
  const node = name.parent?.kind === 'property' ? name.parent.parent : name.parent;
  return valueNode === undefined || second !== undefined || node === undefined ? undefined : { node, module, valueNode };
}

/**
 * `{ header: 'x-api-key', prefix: '', key }` of which `[auth.header]: auth.prefix + auth.key` makes the header: the scheme's place, where nobody else has it.
 * @param value what makes the header's value
 */
function schemeBeside(
  ev: Evaluation,
  { source }: TextPart,
  node: Node,
  computed: Expression,
  module: SourceModule,
  value: Value,
): Beside | undefined {
  const [first, second] = joined(node);
  if (source === undefined || !isScript(source.module) || first === undefined || second === undefined) return undefined;
  const [name, scheme, key] = [computed, first, second].map((each) =>
    each.kind === 'member' && each.computed === undefined ? each : undefined,
  );
  if (name === undefined || scheme?.property === undefined || key?.property === undefined) return undefined;
  if (![scheme, key].every((each) => isSamePath(each.object, name.object, module.scopes))) return undefined;
  const row = source.node.parent?.kind === 'property' && source.node.parent.name === name.property ? source.node.parent.parent : undefined;
  const [empty, own] = [scheme.property, key.property].map((each) => propertyOf(row, each));
  if (row === undefined || own === undefined || empty?.kind !== 'string' || empty.value !== '') return undefined;
  const isPutTogether = optionsOf(value).every((option) => {
    const [part, ...more] = partsOf(option);
    return part !== undefined && 'text' in part && part.text === '' && part.source?.node === empty && more.length > 0;
  });
  const holder = row.parent?.kind === 'property' ? row.parent.name : undefined;
  const isAlone = isPutTogether && holder !== undefined && isTakenApart(ev, holder) && isReadAt(ev, scheme.property, scheme);
  return isAlone ? { node: row, module: source.module, valueNode: empty } : undefined;
}

/** `auth.prefix + auth.key`, `` `${auth.prefix}${auth.key}` `` */
function joined(node: Node): readonly Expression[] {
  if (node.kind === 'concat') return [node.left, node.right];
  return node.kind === 'template' && node.expressions.length === 2 && node.texts.every(({ value }) => value === '') ? node.expressions : [];
}

/** What an object has under a name, where all that it has is written there, each once. */
function propertyOf(row: Node | undefined, name: string): Expression | undefined {
  if (row?.kind !== 'object') return undefined;
  const plain = row.properties.flatMap((each) =>
    each.kind === 'property' && each.computed === undefined && each.accessor === undefined ? each : [],
  );
  const [found, again] = plain.filter((each) => each.name === name);
  return plain.length === row.properties.length && again === undefined ? found?.value : undefined;
}

/** Whether what is under a name is only asked for single properties, `service.auth.key`: it goes nowhere as a whole, and into no other row. */
const isTakenApart = (ev: Evaluation, name: string): boolean => readsOf(ev.world, name)?.every(isApart) === true && isNoText(ev, name);

const isApart = ({ node }: { readonly node: Node }): boolean =>
  node.kind === 'member' && node.parent?.kind === 'member' && node.parent.object === node && node.parent.computed === undefined;

const isReadAt = (ev: Evaluation, name: string, node: Node): boolean => {
  const [read, second] = readsOf(ev.world, name) ?? [];
  return read?.node === node && second === undefined && isNoText(ev, name);
};

/** Whether nothing could be asked for a property by a text with its name. */
function isNoText({ world }: Evaluation, name: string): boolean {
  const isText = (module: SourceModule): boolean => [`'${name}'`, `"${name}"`, `\`${name}\``].some((text) => module.text.includes(text));
  return ![...world.modules.values()].some(isText);
}

/** Whether an expression gives a value: what it is of a parameter, by one of those who call. */
function isWhat(ev: Evaluation, node: Expression, module: SourceModule, value: Value): boolean {
  const whole = ev.evaluate(node, { module, frame: undefined });
  if (isSame(whole, value)) return true;
  if (!optionsOf(whole).some(({ type }) => type === 'param')) return false;
  const given = optionsOf(forAllCallers(ev, undefined, (frame) => ev.evaluate(node, { module, frame })));
  const isFrom = (option: Value): boolean => nodesOf(option.provenance).some((each) => each.module === module && isWithin(node, each.node));
  return optionsOf(value).every((option) => isFrom(option) && given.some((each) => isSame(each, option)));
}

/** What a function that takes nothing gives, `value: () => env.KEY`, in the place of the function. */
function givenBy(beside: Expression): Expression {
  if (beside.kind !== 'function' || beside.params.length > 0) return beside;
  const [returned = beside, second] = returnsOf(beside);
  return second === undefined ? returned : beside;
}

/** What stands beside a text in one object, or is given by one call. */
function besides(name: Node): Expression[] {
  const { parent } = name;
  if (parent?.kind === 'call') {
    const others = parent.args.filter((arg) => arg !== name);
    return others.flatMap((arg) => (arg.kind === 'spread' ? [] : arg));
  }
  if (parent?.kind !== 'property' || parent.value !== name || parent.parent?.kind !== 'object') return [];
  return parent.parent.properties.flatMap((each) =>
    each.kind === 'property' && each !== parent && each.accessor === undefined ? each.value : [],
  );
}
