/** Where the name of a function stands in a program, so that somebody may call it. */
import { titled } from '../../clients/testing/declared-tests.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { superclassOf } from '../../evaluate/classes/subclasses.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, type Value } from '../../evaluate/values/values.ts';
import { templateIn } from '../../formats/markup.ts';
import { pathsIn } from '../../formats/template-bindings.ts';
import { expressionsIn } from '../../formats/template-calls.ts';
import { memoOf } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, ClassNode, FunctionNode, MemberNode, Node } from '../../syntax/tree.ts';
import { isOfServer } from '../servers/own-routes.ts';

/** Whether code that was not read may call it: a method with a decorator, or of a class that extends one of a package. */
export function isForOthers(ev: Evaluation, { parent }: FunctionNode, module: SourceModule): boolean {
  if (parent?.kind !== 'classMember' || parent.parent?.kind !== 'class') return false;
  if (parent.decorators.length > 0) return true;
  let node: ClassNode = parent.parent;
  for (let of = module, seen = new Set<Node>(); node.superclass !== undefined && !seen.has(node); seen.add(node)) {
    const superclass = superclassOf(ev, { type: 'class', node, module: of, frame: undefined });
    if (superclass?.type !== 'class') return true;
    [node, of] = [superclass.node, superclass.module];
  }
  return false;
}

/** What of a name counts as the function. */
interface Meant {
  readonly isIt?: (value: Value) => boolean;
  /** Whether a member of that name is looked at. */
  readonly isCounted?: (member: MemberNode) => boolean;
}

/** Whether a value is a function, or may be any. */
export const mayBe = (value: Value, fn: FunctionNode): boolean => (value.type === 'function' ? value.node === fn : isAnything(value));

export const isAnything = (value: Value): boolean => isOpen(value) || (value.type === 'method' && isOpen(value.receiver));

/** Whether a name stands somewhere that may mean the function, beside where it is exported under it. */
export function isNamed(
  ev: Evaluation,
  name: string,
  fn: FunctionNode,
  { isIt = (value) => mayBe(value, fn), isCounted = () => true }: Meant = {},
): boolean {
  return [...ev.world.modules.values()].some((module) => {
    const isMeant = (node: Node): boolean => optionsOf(ev.evaluate(node, { module, frame: undefined })).some(isIt);
    const { program } = module.tree;
    const has = (value: Value): boolean =>
      /^(?:instance|object)$/.test(value.type) &&
      optionsOf(ev.member(value, name, fn, { module, frame: undefined })).some((each) => each.type === 'function' && each.node === fn);
    return (
      module.texts.some(
        (text) =>
          text.kind === 'string' &&
          text.value === name &&
          !isWithin(text, fn) &&
          !isTitle(text, module) &&
          (isGivenBesideObject(text) || mayAskByName(ev)),
      ) ||
      nodesOfKind(program, 'patternProperty').some((property) => property.name === name) ||
      mayBeInTemplate(ev, module, name, isIt) ||
      nodesOfKind(program, 'name').some((node) => node.name === name && !isAlias(node, name) && isMeant(node)) ||
      nodesOfKind(program, 'member').some(
        (node) => node.property === name && !isWritten(node) && isCounted(node) && !isOfServer(ev, node.object, module) && isMeant(node),
      ) ||
      // `contacts[name]` of what has it
      nodesOfKind(program, 'member').some(
        ({ computed, object }) => computed !== undefined && optionsOf(ev.evaluate(object, { module, frame: undefined })).some(has),
      )
    );
  });
}

const namedInTemplate = memoOf(({ file, text }: SourceModule) => {
  const template = templateIn(text, file);
  return template === undefined
    ? []
    : expressionsIn(template).flatMap(({ start, end }) =>
        pathsIn(template.text.slice(start, end), start).map(({ path }) => ({ path, isInScope: template.isInScope })),
      );
});

/** `@click="client.remove(id)"`: whether a template has the name of what may be the function. Members of a component are known by their names. */
const mayBeInTemplate = (ev: Evaluation, module: SourceModule, name: string, isIt: (value: Value) => boolean): boolean =>
  namedInTemplate(module).some(({ path: [first, ...members], isInScope }) => {
    const at = members.indexOf(name);
    if (first !== name && at === -1) return false;
    const binding = module.scopes.top(first);
    if (!isInScope || binding === undefined) return !isInScope && at !== -1;
    const place = { module, frame: undefined };
    const whole = members
      .slice(0, at + 1)
      .reduce((value, each) => ev.member(value, each, binding.declaration, place), ev.binding(binding, place));
    return optionsOf(whole).some(isIt);
  });

/** `vi.spyOn(client, 'remove')`, `call([client, 'remove'])`: a name that somebody is given along with what may have it. */
function isGivenBesideObject(text: Node): boolean {
  const list = text.parent?.kind === 'array' ? text.parent : text;
  const beside = list === text ? (text.parent?.kind === 'call' ? text.parent.args : []) : list.kind === 'array' ? list.elements : [];
  return (
    (list === text || list.parent?.kind === 'call') && beside.some((each) => each !== text && each !== undefined && each.kind !== 'string')
  );
}

const askingByName = new WeakMap<Evaluation, boolean>();

/** Whether somewhere in these files a function is taken of something of which nothing is known, by a name that the program puts together: `target[action](…)`, `const { [action]: act } = target`, `Reflect.get(target, action)`. */
function mayAskByName(ev: Evaluation): boolean {
  const before = askingByName.get(ev);
  if (before !== undefined) return before;
  const found = [...ev.world.modules.values()].some((module) => {
    const { program } = module.tree;
    const valuesOf = (node: Node): readonly Value[] => optionsOf(ev.evaluate(node, { module, frame: undefined }));
    return (
      nodesOfKind(program, 'patternProperty').some(({ computed }) => computed !== undefined && !valuesOf(computed).every(isNumber)) ||
      nodesOfKind(program, 'member').some((node) => {
        const { object, property, computed } = node;
        if (property === 'get' && object.kind === 'name' && object.name === 'Reflect') return true;
        return computed !== undefined && isCalled(node, module) && valuesOf(object).some(isOpen) && !valuesOf(computed).every(isNumber);
      })
    );
  });
  askingByName.set(ev, found);
  return found;
}

const isNumber = (value: Value): boolean => value.type === 'literal' && typeof value.value === 'number';

/** `target[action](…)`, `target[action].call(target, …)`, `const act = target[action]; act(…)`, and what a function gives back. */
function isCalled(node: MemberNode, { scopes }: SourceModule): boolean {
  const { parent } = node;
  switch (parent?.kind) {
    case 'call':
      return parent.callee === node || !isConverting(parent);
    case 'member':
      return parent.object === node && parent.property !== undefined && /^(?:call|apply|bind)$/.test(parent.property);
    case 'variable': {
      const { target } = parent;
      const references = target.kind === 'patternName' ? scopes.declaredBy(target)?.references : undefined;
      return references === undefined || references.some((each) => each.parent?.kind === 'call' && each.parent.callee === each);
    }
    default:
      return parent !== undefined && handingOn.has(parent.kind);
  }
}

const handingOn: ReadonlySet<Node['kind']> = new Set(['return', 'function', 'logical', 'conditional', 'property', 'array']);

/** `String(row[name])`, `params.append(name, row[name])`: values that are written down, and no functions. */
const isConverting = ({ callee }: CallNode): boolean =>
  callee.kind === 'member' ||
  (callee.kind === 'name' &&
    /^(?:String|Number|Boolean|BigInt|Date|parse(?:Int|Float)|encodeURI(?:Component)?|is[A-Z]\w*)$/.test(callee.name));

/** `test('list', …)` */
const isTitle = (text: Node, module: SourceModule): boolean =>
  isTest(module) &&
  text.parent?.kind === 'call' &&
  text.parent.args[0] === text &&
  text.parent.callee.kind === 'name' &&
  titled.has(text.parent.callee.name);

const isWithin = (node: Node, fn: FunctionNode): boolean => {
  for (let at = node.parent; at !== undefined; at = at.parent) if (at === fn) return true;
  return false;
};

const isOpen = ({ type }: Value): boolean => type === 'unknown' || type === 'param';
const isWritten = (node: Node): boolean => node.parent?.kind === 'assign' && node.parent.target === node;

/** `module.exports = { remove }`, `{ delete: remove }`, `exports.remove = remove`: whoever takes it names it again. */
function isAlias({ parent }: Node, name: string): boolean {
  if (parent?.kind === 'assign') return parent.target.kind === 'member' && parent.target.property === name;
  return parent?.kind === 'property' && parent.name !== undefined && parent.computed === undefined;
}
