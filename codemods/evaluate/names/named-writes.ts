/** What a name holds with everything that is written into it: into an object, a list, or the address of a URL. */
import type { Binding } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';
import { mixed, pushesAt, withAdded } from '../writes/added-items.ts';
import { isAddress, withPathname } from '../writes/address-writes.ts';
import { once } from '../../once.ts';
import { aliasesOf } from './aliases.ts';
import type { At, Evaluation } from '../evaluation.ts';
import { leadsToWrite } from '../writes/leads-to-write.ts';
import { looseWritesIn } from '../writes/loose-writes.ts';
import { bindingExported } from './declared.ts';
import { ifClosed, isClosedVariable } from '../writes/closed-collections.ts';
import { isForked } from './order.ts';
import { isSecondName, type Named } from './named.ts';
import { namesOf } from './other-names.ts';
import { choiceOf, optionsOf, unknown, type Value } from '../values/values.ts';
import { isMoved, isReordered, pushAt } from '../writes/targets.ts';
import { deepenedAt, isChangeable, writtenAt } from '../writes/writes.ts';

const named = ({ references }: Binding, at: At): Named[] => references.map((node) => ({ node, at, isOwn: true }));

/** The value of a variable with everything that is written through its name, and through all others of the same object. */
export function withWrites(ev: Evaluation, value: Value, binding: Binding, at: At): Value {
  const options = optionsOf(value);
  // What is written through a second name was found with the first.
  if (binding.owner.kind === 'variable' && options.every(({ type }) => type === 'object') && isSecondName(binding.owner, at.module))
    return value;
  // Neither an object nor an address: nothing can be written into it, however often it is named.
  if (!options.some((option) => isAddress(option) || isChangeable(option))) return value;
  const own = named(binding, at);
  const others = options.filter((option) => !isAddress(option));
  // `typeof options === 'string' ? { apiKey: options } : options`: what is written goes into the object.
  if (others.some(isChangeable) && others.length < options.length)
    return choiceOf([choiceOf(options.filter(isAddress)), choiceOf(others)].map((each) => withWrites(ev, each, binding, at)));
  if (options.some(isAddress)) return withPathname(ev, value, own, (write) => isAlwaysRun(write, binding));
  const isClosed = once(() => isClosedVariable(binding, at.module));
  if (options.some(({ type }) => type === 'list'))
    return withItems(ev, ifClosed(openToOthers(value, binding, at), value, isClosed), binding, own, isClosed);
  const aliases = aliasesOf(ev.world, binding).flatMap((alias) => named(alias.binding, { module: alias.module, frame: undefined }));
  return ifClosed(writtenAt(ev, value, [...own, ...aliases]), value, isClosed);
}

/** Whoever imports a list that nobody counts may add to it. */
function openToOthers(value: Value, binding: Binding, { module }: At): Value {
  const isOffered = [...module.exports.values()].some((each) => bindingExported(each, module) === binding);
  if (!isOffered) return value;
  return choiceOf(optionsOf(value).map((each) => (each.type === 'list' && each.isOpen ? { ...each, placed: undefined } : each)));
}

/** A list with what is added to it, by whatever name; of one that is changed otherwise nothing is known: `bases[0] = …`, `bases.reverse()`. */
function withItems(ev: Evaluation, value: Value, binding: Binding, own: readonly Named[], isClosed: () => boolean): Value {
  const [first] = own;
  if (first === undefined || !own.some((each) => leadsToWrite(ev, each))) return value;
  const names = namesOf(ev, own);
  const all = names.all.filter(({ isCopy }) => isCopy !== true);
  if (names.isCut || all.some(({ node }) => isReordered(node) || (isMoved(node) && !isClosed())))
    return unknown(undefined, first.at.module, 'assigned');
  const pushes = pushesAt(all);
  // What others add to a Set, they add to many a thing.
  const isSet = pushes.some(({ call }) => call.callee.kind === 'member' && call.callee.property === 'add');
  if (names.lost !== undefined && (isSet || looseWritesIn(ev.world).isList)) return unknown(names.lost.node, first.at.module, 'assigned');
  const within = (list: Value): Value => (optionsOf(list).some(holdsChangeable) ? deepenedAt(ev, list, names.all) : list);
  const isMixed = all.some(({ node }) => isMoved(node));
  if (pushes.length === 0 && !isMixed) return within(value);
  const isInOrder = !isMixed && all.length === own.length && pushes.every(({ call }) => isAlwaysRun(call, binding));
  const longer = choiceOf(
    optionsOf(value).map((option) => {
      if (option.type !== 'list') return option;
      const args = pushes.flatMap(({ call, at }) => call.args.map((arg) => ({ arg, at })));
      const isCounted = isInOrder && !args.some(({ arg }) => arg.kind === 'spread');
      if (!isCounted && !isClosed()) return { ...option, isOpen: true, placed: undefined };
      if (!isCounted) return isMixed ? mixed(withAdded(ev, option, pushes)) : withAdded(ev, option, pushes);
      const nodes = args.flatMap(({ arg }) => (arg.kind === 'spread' ? [] : [arg]));
      return {
        ...option,
        items: [...option.items, ...args.map(({ arg, at }) => ev.evaluate(arg, at))],
        nodes: [...option.items.map((_, index) => option.nodes[index]), ...nodes],
      };
    }),
  );
  return within(longer);
}

const holdsChangeable = (value: Value): boolean => value.type === 'list' && value.items.some((item) => optionsOf(item).some(isChangeable));

/** Whether something is run after a name is declared, whatever happens, and before anything else is read through the name. */
function isAlwaysRun(node: Node, { declaration, references }: Binding): boolean {
  const around = new Set<Node>();
  for (let at: Node | undefined = declaration; at !== undefined; at = at.parent) around.add(at);
  const isFirst = references.every((reference) => reference.start >= node.start || pushAt(reference) !== undefined);
  return isFirst && !isForked(node, (each) => around.has(each));
}
