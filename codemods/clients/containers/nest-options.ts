/**
 * What a module of Nest is given, where its methods are those that a builder makes: whoever asks for the token of the builder has it.
 * https://docs.nestjs.com/fundamentals/dynamic-modules#configurable-module-builder
 */
import { lastName } from '../names.ts';
import { objectOf } from '../servers/incoming.ts';
import { classAround } from '../../evaluate/calls/callees.ts';
import { membersNamed } from '../../evaluate/classes/class-index.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import { injectedInto, type Put, type PutNode } from '../../evaluate/libraries/provided.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { readsOf } from '../../evaluate/calls/by-name.ts';
import { aliasesOf, declarationOf } from '../../evaluate/names/aliases.ts';
import { textOf } from '../../evaluate/values/text.ts';
import { choiceOf, type ExternalValue, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, ClassNode, Expression, MemberNode, Node, ObjectNode, VariableNode } from '../../syntax/tree.ts';
import { allGiven, given, madeBy } from './injection.ts';

const name = 'ConfigurableModuleBuilder';
const builder: ExternalValue = { type: 'external', source: '@nestjs/common', path: [name] };
const goesOn: LibraryFunction = () => builder;

/** What is made of all definitions may export more. */
const extended: LibraryFunction = (_ev, _args, { start, end }, { module }) =>
  /\bexports\b/.test(module.text.slice(start, end)) ? undefined : builder;

/** The token is another for each builder. */
const built: LibraryFunction = (_ev, _args, node, { module }) =>
  objectOf(
    {
      ConfigurableModuleClass: { ...builder, path: [name, 'class'] },
      MODULE_OPTIONS_TOKEN: textOf([{ text: `options of ${module.file} ${node.start}`, source: undefined }]),
    },
    { node, module },
  );

/** `const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } = new ConfigurableModuleBuilder<Options>().build()` */
function puts(node: PutNode): readonly Put[] {
  const { parent } = node;
  if (node.kind !== 'call' || lastName(node) !== 'build' || parent?.kind !== 'variable' || parent.target.kind !== 'objectPattern')
    return [];
  const methods = methodsBuilt(node);
  const token = parent.target.properties.find((each) => each.name === 'MODULE_OPTIONS_TOKEN')?.target;
  if (methods === undefined || token?.kind !== 'patternName') return [];
  return [{ space: 'tokens', key: token, node, value: (ev, at) => optionsGiven(ev, parent, methods, at) }];
}

interface Methods {
  readonly plain: string;
  /** Of a class that makes the options. */
  readonly factory: string;
}

/** What the methods are called that a builder makes; undefined where it is none. */
function methodsBuilt(build: CallNode): Methods | undefined {
  const methods = { plain: 'register', factory: 'create' };
  for (let at: Expression = build; at.kind === 'call';) {
    if (at.isNew) return lastName(at.callee) === name ? methods : undefined;
    if (at.callee.kind !== 'member') return undefined;
    const [said] = at.args;
    const set = settings[at.callee.property ?? ''];
    if (set !== undefined && said?.kind !== 'string') return undefined;
    if (set !== undefined && said?.kind === 'string') methods[set] = said.value;
    at = at.callee.object;
  }
  return undefined;
}

const settings: Readonly<Record<string, keyof Methods>> = { setClassMethodName: 'plain', setFactoryMethodName: 'factory' };

/** What those who take the modules of a builder give them. */
function optionsGiven(ev: Evaluation, of: VariableNode, { plain, factory }: Methods, { frame, module: own }: At): Value {
  const modules = [...ev.world.modules.values()];
  const heirs = classesOf(ev, of, modules);
  const classes = new Set(heirs.map(({ node }) => node));
  const built = of.target.kind === 'objectPattern' ? of.target.properties : [];
  const names = [
    ...built.flatMap(({ name: each, target }) => (each === 'ConfigurableModuleClass' ? [{ target, module: own }] : [])),
    ...heirs.map(({ node, module }) => ({ target: node.name, module })),
  ];
  const given = modules.flatMap((module) =>
    module.calls.flatMap((node): readonly Value[] => {
      const { callee } = node;
      const method = callee.kind === 'member' ? callee.property : '';
      if (method !== undefined && method !== plain && method !== `${plain}Async`) return [];
      const whose = callee.kind === 'member' ? whoseMethod(ev, callee, classes, module) : 'others';
      if (whose === 'others' || (whose === 'unknown' && method === undefined)) return [];
      const at = { node, module, frame };
      const [options] = ev.args(node, at);
      if (whose === 'unknown' || method === undefined || options === undefined) return [unknown(node, module)];
      return optionsOf(method === plain ? options : optionsMade(ev, options, at, factory));
    }),
  );
  // Who has the class in another way may give it other options.
  const isSeen = names.every(({ target, module }) => isOnlyRegistered(ev, target, module, plain));
  return choiceOf(isSeen ? given : [...given, unknown(of, own)]);
}

/** Whether a class is named to inherit from it, to list it or to call such a method, and for nothing else. */
function isOnlyRegistered({ world }: Evaluation, target: Node | undefined, module: SourceModule, plain: string): boolean {
  const binding = target?.kind === 'patternName' ? module.scopes.declaredBy(target) : undefined;
  const reads = binding && readsOf(world, binding.name);
  if (binding === undefined || reads === undefined) return false;
  const named = [binding, ...aliasesOf(world, binding).map((alias) => alias.binding)].flatMap(({ references }) => references);
  return [...named, ...reads.map(({ node }) => node)].every((node) => isListed(node) || isRegistering(node, plain));
}

/** `class TextsModule extends ConfigurableModuleClass`, `imports: [TextsModule]`, `{ module: TextsModule }`, `export { TextsModule }` */
function isListed(node: Node): boolean {
  const { parent } = node;
  // Each builder gives its own by that name.
  if (node.kind === 'patternProperty') {
    const built = parent?.parent?.kind === 'variable' ? parent.parent.init : undefined;
    return built?.kind === 'call' && methodsBuilt(built) !== undefined;
  }
  if (parent?.kind === 'class') return parent.superclass === node && node.kind === 'name';
  if (parent?.kind === 'property') return parent.name === 'module';
  return parent?.kind === 'array' || parent?.kind === 'export' || parent?.kind === 'exportDeclaration';
}

const isRegistering = (node: Node, plain: string): boolean => {
  const { parent } = node;
  const isMethod =
    parent?.kind === 'member' && parent.object === node && (parent.property === plain || parent.property === `${plain}Async`);
  return isMethod && parent.parent?.kind === 'call' && parent.parent.callee === parent;
};

interface Heir {
  readonly node: ClassNode;
  readonly module: SourceModule;
}

/** The classes that inherit from what a builder made, or from such. */
function classesOf(ev: Evaluation, of: Node, modules: readonly SourceModule[]): readonly Heir[] {
  const found = new Set<Node>([of]);
  const all = modules.flatMap((module) => module.classes.map((node): Heir => ({ node, module })));
  for (const base of found)
    for (const { node, module } of all)
      if (node.superclass?.kind === 'name' && declarationOf(ev.world, node.superclass, module)?.binding.owner === base) found.add(node);
  return all.filter(({ node }) => found.has(node));
}

/** Whether a method is one that such a class has from the builder: `super` is asked for that, where the class has one of its own. */
function whoseMethod(
  ev: Evaluation,
  { object, property = '' }: MemberNode,
  classes: ReadonlySet<ClassNode>,
  module: SourceModule,
): 'ours' | 'others' | 'unknown' {
  if (object.kind === 'super') {
    const around = classAround(object);
    return around !== undefined && classes.has(around) ? 'ours' : 'others';
  }
  const found = optionsOf(ev.evaluate(object, { module, frame: undefined }));
  const isOurs = found.some(
    (each) => each.type === 'class' && classes.has(each.node) && membersNamed(each.node, each.module, property).length === 0,
  );
  if (isOurs) return 'ours';
  return found.every(({ type }) => type === 'class' || type === 'external') ? 'others' : 'unknown';
}

/** Whether a dynamic module is that which the builder's method makes, `{ ...super.forRoot(options), imports }`, with nothing exported there. */
export const exportsNothing = (ev: Evaluation, { properties }: ObjectNode, at: At): boolean =>
  properties.some(({ kind }) => kind === 'spread') &&
  properties.every((each) =>
    each.kind === 'spread'
      ? optionsOf(ev.evaluate(each.argument, at)).every((of) => isMadeByBuilder(ev, of, at))
      : each.computed === undefined && each.name !== 'exports',
  );

function isMadeByBuilder(ev: Evaluation, value: Value, { module }: At): boolean {
  const call = value.type === 'unknown' && value.node?.kind === 'call' ? value.node.callee : undefined;
  const around = call?.kind === 'member' && call.object.kind === 'super' ? classAround(call) : undefined;
  const parent = around?.superclass && ev.evaluate(around.superclass, { module, frame: undefined });
  return parent?.type === 'external' && parent.source === builder.source && parent.path[0] === name;
}

/**
 * What `registerAsync({ useFactory })` is given, or a class that the container makes.
 * @param factory the method of such a class
 */
export function optionsMade(ev: Evaluation, settings: Value, call: At & { readonly node: CallNode }, factory: string): Value {
  const { node } = call;
  const use = (name: string): Value => ev.member(settings, name, node, call);
  const made = use('useFactory');
  if (made.type === 'function') return madeBy(ev, made, node, call, allGiven(ev, setting(node, 'inject'), call));
  const type = use('useClass');
  const existing = setting(node, 'useExisting');
  const maker = type.type === 'class' ? injectedInto(type) : existing && given(ev, existing, call);
  const method = maker && ev.member(maker, factory, node, call);
  return method?.type === 'function' ? ev.apply(method, [], node, call) : unknown(node, call.module, 'call');
}

const setting = ({ args: [settings] }: CallNode, name: string): Expression | undefined =>
  (settings?.kind === 'object' ? settings.properties : []).flatMap((each) =>
    each.kind === 'property' && each.name === name ? [each.value] : [],
  )[0];

export const nestOptionsLibrary: ClientRule = {
  name: 'nest options',
  functions: {
    [`@nestjs/common:${name}`]: goesOn,
    ...Object.fromEntries(Object.keys(settings).map((each) => [`@nestjs/common:${name}.${each}`, goesOn])),
    [`@nestjs/common:${name}.setExtras`]: extended,
    [`@nestjs/common:${name}.build`]: built,
  },
  carries: [{ where: /\bConfigurableModuleBuilder\b/, puts }],
};
