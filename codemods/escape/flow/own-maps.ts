/**
 * Maps of the program's own that begin empty and are asked by whatever a function is given, as a cache by paths or a limiter by addresses has one: they find what
 * they were given by the same key, whatever that is, as long as nobody writes one of the keys out or lists them.
 */
import { classAround } from '../../evaluate/callees.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nameOf } from '../../evaluate/all-callers.ts';
import { optionsOf, type Value } from '../../evaluate/values.ts';
import { isWithin, nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';

const asking = /^(?:get|set|has|add|delete)$/;
const keepsKeys = /^(?:size|clear|values)$/;
const namesVersion = /^['"`]\/?v1(?![\w-])/;

/** Whether a call asks such a map by a parameter. */
export function isKeyOfOwnMap(ev: Evaluation, { callee, args: [key] }: CallNode, at: Node, module: SourceModule): boolean {
  if (key !== at || at.kind !== 'name' || callee.kind !== 'member' || !asking.test(callee.property ?? '')) return false;
  if (module.scopes.bindingOf(at)?.owner.kind !== 'param') return false;
  const places = placesOf(callee.object, module);
  if (places === undefined || !places.every(isAskedByKey)) return false;
  const holders = [...new Set([at, ...places].flatMap(holdersOf))];
  const names = new Set(holders.flatMap(namesIn));
  return [...ev.world.modules.values()].every((other) => other.calls.every((call) => !namesKey(call, other) || !isOfHolder(call, other)));

  function isOfHolder({ callee: asked }: CallNode, other: SourceModule): boolean {
    const name = asked.kind === 'member' ? asked.property : asked.kind === 'name' ? asked.name : undefined;
    if (name === undefined || !names.has(name)) return false;
    const { value } = ev.budget.question({ node: asked, module: other }, () => ev.evaluate(asked, { module: other, frame: undefined }));
    return optionsOf(value).some(
      (each) =>
        isOpen(each) || (each.type === 'function' && each.module === module && holders.some((holder) => isWithin(holder, each.node))),
    );
  }
}

/** Whose method it is, nobody knows: what a client or a mock is asked by is a path. */
const isOpen = (value: Value): boolean =>
  value.type === 'unknown' || value.type === 'param' || (value.type === 'method' && isOpen(value.receiver));

const namesKey = ({ args: [key] }: CallNode, { text }: SourceModule): boolean =>
  key !== undefined && namesVersion.test(text.slice(key.start, key.end));

/** Where a map is named that begins empty; undefined where it is none, or begins with something. */
function placesOf(map: Node, module: SourceModule): readonly Node[] | undefined {
  if (map.kind === 'name') {
    const binding = module.scopes.bindingOf(map);
    const owner = binding?.owner;
    return binding !== undefined && owner?.kind === 'variable' && isEmptyMap(owner.init) ? binding.references : undefined;
  }
  const of = map.kind === 'member' && map.object.kind === 'this' ? classAround(map) : undefined;
  if (of === undefined || map.kind !== 'member') return undefined;
  const isIt = (node: Node): boolean => node.kind === 'member' && node.object.kind === 'this' && node.property === map.property;
  const mentions = nodesOfKind(module.tree.program, 'member').filter((node) => isIt(node) && classAround(node) === of);
  const isField = of.members.some(({ name, value }) => name === map.property && isEmptyMap(value));
  return isField || mentions.some(isMade) ? mentions.filter((node) => !isMade(node)) : undefined;
}

/** `this.items = new Map()` */
const isMade = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node && isEmptyMap(node.parent.value);

const isEmptyMap = (node: Node | undefined): boolean =>
  node?.kind === 'call' && node.isNew && node.args.length === 0 && node.callee.kind === 'name' && /^(?:Map|Set)$/.test(node.callee.name);

function isAskedByKey({ parent }: Node): boolean {
  return parent?.kind === 'member' && (asking.test(parent.property ?? '') || keepsKeys.test(parent.property ?? ''));
}

/** What has the map, and is asked for it: a class, an object that a function gives, the function itself. */
function holdersOf(at: Node): readonly Node[] {
  const found: Node[] = [];
  for (let node = at.parent; node !== undefined; node = node.parent)
    if (node.kind === 'class' || node.kind === 'object' || node.kind === 'function') found.push(node);
  return found;
}

function namesIn(node: Node): readonly string[] {
  if (node.kind === 'class') return node.members.flatMap(({ name }) => name ?? []);
  if (node.kind === 'object') return node.properties.flatMap((each) => (each.kind === 'property' ? (each.name ?? []) : []));
  return node.kind === 'function' ? [nameOf(node)] : [];
}
