/**
 * Whether a program asks by classes of Backbone in a way that these do not say: with options of a call, by an address that it is given or reads. Who is called
 * so, mostly nobody knows: then it may be any of them.
 */
import { requiredBy } from '../../../syntax/required.ts';
import { v1Auth } from '../../../../src/contract/auth.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { standsFor } from '../../../evaluate/names/aliases.ts';
import type { World } from '../../../evaluate/program.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import { memoOf } from '../../../once.ts';
import { nodesOfKind, walk } from '../../../syntax/link.ts';
import type { CallNode, Expression, MemberNode, NameNode, Node, ObjectNode, PropertyNode } from '../../../syntax/tree.ts';

/** What is done to all of Backbone. */
const hooked = new RegExp(
  [
    String.raw`\bBackbone\.(?:sync|ajax|emulateHTTP|emulateJSON)\s*=(?!=)`,
    String.raw`\bBackbone\.\$\s*=(?!=)(?!\s*(?:window\.)?(?:\$|j[qQ]uery)\s*[;\n])`,
    String.raw`\bBackbone\.(?:Model|Collection)\.prototype\b(?!\s*\.\w+\s*\.(?:call|apply)\b)`,
    String.raw`\.prototype\.(?:sync|url|urlRoot|fetch|save|create|destroy)\s*=(?!=)`,
    String.raw`\b(?:extend|assign|defaults)\(\s*[\w$.]+\.prototype\b`,
    String.raw`\bmixin\(|\b_\.result\(|\bajaxTransport\b`,
  ].join('|'),
);

const isWritten = (node: MemberNode): boolean => node.parent?.kind === 'assign' && node.parent.target === node;

/** Scripts of a page that have none of this show an address that they read, or link to it: they have no key to ask by. */
const mayAsk = new RegExp(String.raw`\b(?:import|require|define|exports)\b|${v1Auth.field}|authorization|\bv1\b`, 'i');

/** The library itself, as pages of old have it beside their scripts. */
export const backboneItself = /\bBackbone\.VERSION\s*=/;

export const isAskedOtherwise = memoOf((world: World): boolean =>
  [...world.modules.values()].some(
    (module) =>
      !isTest(module) &&
      !backboneItself.test(module.text) &&
      (hooked.test(module.text) ||
        module.calls.some(hasOptions) ||
        nodesOfKind(module.tree.program, 'member').some(
          (node) => isAddress(world, node, module) && (isWritten(node) || mayAsk.test(module.text)),
        )),
  ),
);

/** Of what a program calls what asks, or makes classes, by the name of that. */
export const callsByName = memoOf(
  (world: World): ReadonlyMap<string, readonly { readonly node: Expression; readonly module: SourceModule }[]> => {
    const found = [...world.modules.values()].flatMap((module) =>
      isTest(module)
        ? []
        : module.calls.flatMap(({ callee }) =>
            callee.kind === 'member' && isSought(callee.property) ? [{ name: callee.property ?? '', node: callee.object, module }] : [],
          ),
    );
    return Map.groupBy(found, ({ name }) => name);
  },
);

const isSought = (method = ''): boolean => method === 'extend' || optionsAt.has(method);

/** Whether a class asks with headers of each call: `fetchPage: function () { return this.fetch({ headers }); }`. */
export function asksWithOptions(of: ObjectNode): boolean {
  let isFound = false;
  walk(of, (node) => {
    const at =
      node.kind === 'call' && node.callee.kind === 'member' && isOwn(node.callee.object)
        ? optionsAt.get(node.callee.property ?? '')
        : undefined;
    isFound ||= at !== undefined && node.kind === 'call' && node.args.slice(at).some((each) => !saysNothing(each));
    return !isFound;
  });
  return isFound;
}

/** Where the options of a call stand. */
export const optionsAt: ReadonlyMap<string, number> = new Map([
  ['fetch', 0],
  ['destroy', 0],
  ['save', 1],
  ['create', 1],
  ['sync', 2],
]);
const telling: ReadonlySet<string> = new Set(['headers', 'beforeSend', 'url', 'urlRoot', 'type', 'method', 'ajaxSync', 'xhr']);

/** `new Contacts([], { url })` */
export const isMadeWithOptions = ({ args, isNew }: CallNode): boolean =>
  isNew && args.slice(1).some((each) => each.kind === 'object' && !saysNothing(each));

/** `contacts.fetch({ headers })`; by an own method of the class, `this.fetch({ headers })`, it is known who asks. */
function hasOptions(call: CallNode): boolean {
  const { callee, args, isNew } = call;
  if (isNew || callee.kind !== 'member' || isOwn(callee.object)) return false;
  // It hands on what it was given: whether it does, is asked where the class is looked at.
  if (callee.property === 'sync' && methodAround(call)?.name === 'sync') return false;
  const at = optionsAt.get(callee.property ?? '');
  // `save('name', value, options)`
  return at !== undefined && args.slice(at).some((each) => !saysNothing(each));
}

const saysNothing = (node: Node): boolean =>
  node.kind === 'literal' ||
  (node.kind === 'object' &&
    node.properties.every((each) => each.kind === 'property' && each.name !== undefined && !telling.has(each.name)));

/** `contacts.url` and `contact.url()`, where that is not of an object that the program has written out: `config.url`. */
function isAddress(world: World, node: MemberNode, module: SourceModule): boolean {
  if (node.property !== 'url' && node.property !== 'urlRoot') return false;
  const { object, parent } = node;
  const isCalled = parent?.kind === 'call' && parent.callee === node;
  if (isOwn(object)) return !isCalled;
  return isCalled || object.kind !== 'name' || !isWrittenOut(world, object, module);
}

function isWrittenOut(world: World, name: NameNode, module: SourceModule): boolean {
  if (standsFor(world, name, module)?.node.kind === 'object') return true;
  const owner = module.scopes.bindingOf(name)?.owner;
  const specifier = requiredBy(owner?.kind === 'variable' ? owner.init : undefined);
  return specifier !== undefined && world.resolve(module, specifier.value)?.whole?.kind === 'object';
}

/** `this`, in a method of such a class. */
const isOwn = (node: Node): boolean => node.kind === 'this' && methodAround(node) !== undefined;

/** The method of such a class that something stands in, and in no other function. */
function methodAround(node: Node): PropertyNode | undefined {
  let at: Node | undefined = node.parent;
  while (at !== undefined && (at.kind !== 'function' || at.isArrow)) at = at.parent;
  const property = at?.parent?.kind === 'property' ? at.parent : undefined;
  const call = property?.parent?.parent;
  const isOfClass = call?.kind === 'call' && call.callee.kind === 'member' && call.callee.property === 'extend';
  return isOfClass && call.args[0] === property?.parent ? property : undefined;
}
