/** Configuration that is read from the environment by way of a schema, a framework's bindings or a configuration module. */
import type { CallNode, Node, ParamNode } from '../syntax/tree.ts';
import type { At, Evaluation } from './evaluation.ts';
import type { SourceModule } from './module.ts';
import { choiceOf, type Entry, type ObjectValue, optionsOf, plainText, type Value } from './values.ts';
import type { World } from './program.ts';

/** How people write the names of variables. */
const variable = /^[A-Z][A-Z0-9_]*$/;

/** `env.API_URL` of what a platform hands to its functions as `env`: Workers, Pages, Hono's `c.env`. */
export function bindingIn(value: Value, name: string, node: Node, { module }: At): Value | undefined {
  if (!variable.test(name)) return undefined;
  const holder = value.type === 'method' ? value.path.at(-1) : value.type === 'unknown' ? nameOf(value.node) : undefined;
  return holder === 'env' ? { type: 'env', name, node, module } : undefined;
}

function nameOf(node: Node | undefined): string | undefined {
  if (node?.kind === 'param') return node.target.kind === 'patternName' ? node.target.name : undefined;
  return node?.kind === 'patternName' ? node.name : undefined;
}

/** What `schema.parse(process.env)` gives: each variable, or the default that the schema has for it. */
export function parsedBy(schema: ObjectValue, given: Value | undefined): ObjectValue | undefined {
  const isEnvironment = given?.type === 'external' && given.source.replace(/^process$/, '') === '' && given.path.at(-1) === 'env';
  return isEnvironment ? variablesOf(schema) : undefined;
}

/** An object of the variables that a schema names. */
export function variablesOf(schema: ObjectValue): ObjectValue {
  return { ...schema, entries: schema.entries.map(readEntry) };
}

const readEntry = (entry: Entry): Entry => ({ ...entry, value: () => variableOr(entry) });

function variableOr({ name, node, module, value }: Entry): Value {
  const otherwise = optionsOf(value()).filter(({ type }) => type === 'text' || type === 'literal');
  return choiceOf([...(name === undefined ? [] : [{ type: 'env', name, node, module } as const]), ...otherwise]);
}

/** `createEnv({ server: { … }, client: { … } })` of @t3-oss/env. */
export function groupedVariables(ev: Evaluation, options: Value | undefined, node: Node, at: At): ObjectValue | undefined {
  if (options?.type !== 'object') return undefined;
  const groups = ['server', 'client', 'shared'].flatMap((name) => optionsOf(ev.member(options, name, node, at)));
  return variablesOf({ ...options, entries: groups.flatMap((group) => (group.type === 'object' ? group.entries : [])) });
}

const factories = new WeakMap<World, readonly { readonly call: CallNode; readonly module: SourceModule }[]>();

/** The calls that name configuration for Nest: https://docs.nestjs.com/techniques/configuration. */
function factoriesIn(world: World): readonly { readonly call: CallNode; readonly module: SourceModule }[] {
  const known = factories.get(world);
  if (known !== undefined) return known;
  const found = [...world.modules.values()].flatMap((module) =>
    module.text.includes('@nestjs/config')
      ? module.calls.flatMap((call) => (/^(?:registerAs|forRoot)$/.test(calleeName(call)) ? [{ call, module }] : []))
      : [],
  );
  factories.set(world, found);
  return found;
}

const calleeName = ({ callee }: CallNode): string =>
  callee.kind === 'name' ? callee.name : callee.kind === 'member' ? (callee.property ?? '') : '';

/** What Nest's `config.get('messaging.baseUrl')` gives: by a named factory, or by those that are loaded. */
export function configuredAt(ev: Evaluation, path: string, node: Node, at: At): Value | undefined {
  const [first = '', ...rest] = path.split('.');
  for (const { call, module } of factoriesIn(ev.world)) {
    const place: At = { module, frame: undefined };
    const [name] = ev.args(call, place);
    const isNamed = name !== undefined && plainText(name) === first;
    const whole = isNamed ? [ev.evaluate(call, place)] : name === undefined ? [] : loadedBy(ev, name, call, place);
    const steps = isNamed ? rest : [first, ...rest];
    const holder = whole.find((each) => each.type === 'object' && (isNamed || each.entries.some((entry) => entry.name === first)));
    if (holder !== undefined) return steps.reduce((value, step) => ev.member(value, step, node, at), holder);
  }
  return undefined;
}

/** `ConfigModule.forRoot({ load: [configuration] })` */
function loadedBy(ev: Evaluation, options: Value, call: CallNode, at: At): Value[] {
  const list = options.type === 'object' ? ev.member(options, 'load', call, at) : undefined;
  return (list?.type === 'list' ? list.items : []).map((item) => (item.type === 'function' ? ev.apply(item, [], call, at) : item));
}

/** `@Inject(messagingConfig.KEY) config: ConfigType<…>` */
export function injectedBy(ev: Evaluation, { decorators }: ParamNode, at: At): Value | undefined {
  for (const decorator of decorators) {
    const [token] = decorator.kind === 'call' && calleeName(decorator) === 'Inject' ? decorator.args : [];
    if (token?.kind === 'member' && token.property === 'KEY') {
      const value = ev.evaluate(token.object, at);
      if (value.type === 'object') return value;
    }
  }
  return undefined;
}
