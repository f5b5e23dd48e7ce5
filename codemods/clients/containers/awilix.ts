/** Awilix: https://github.com/jeffijoe/awilix. What is registered under a name is a property of what each factory and constructor is given. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { type Ask, type AskNode, providedFor, type Put, type PutNode } from '../../evaluate/libraries/provided.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { unknown } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, ObjectNode, ParamNode } from '../../syntax/tree.ts';
import { isGivenByName } from './awilix-parameters.ts';
import { loadsUnknown, ofLoadedFile } from './awilix-files.ts';
import { madeBy } from './injection.ts';
import { askedBy, isCallOf, lastName, ownerOf } from '../names.ts';

const space = 'awilix';
const container = /container|scope|cradle|^(?:app|di|ioc)$/i;
const cradle = /^(?:cradle|deps|dependencies|opts|options|services|\(parameter\))$/;

const puts = (node: PutNode, module: SourceModule): readonly Put[] =>
  putBy(node, module).map((put) => ({
    ...put,
    isFor: (ev, asking, at) => isGivenByName(ev, asking) && put.isFor?.(ev, asking, at) !== false,
  }));

function putBy(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind === 'assign' || node.kind === 'exportDeclaration') return ofLoadedFile(space, node, module);
  if (node.kind !== 'call') return [];
  if (isCallOf(node, { method: /^loadModules$/ })) return loadsUnknown(node, module) ? [{ space, key: node, node }] : [];
  return isCallOf(node, { method: /^register$/ }) ? registeredBy(node) : [];
}

/** `container.register({ client: asClass(Client).singleton() })`, `container.register('client', asValue(client))`: something of awilix says that it is a container, or its name. */
function registeredBy({ callee, args: [first, second] }: CallNode): readonly Put[] {
  if (first === undefined || first.kind === 'spread' || second?.kind === 'spread') return [];
  const isNamed = callee.kind === 'member' && container.test(lastName(callee.object));
  const all = first.kind === 'object' ? propertiesOf(first) : second === undefined ? [] : [{ key: first, value: second }];
  return isNamed || all.some(({ value }) => isResolver(value)) ? all.flatMap(({ key, value }) => resolved(key, value)) : [];
}

const propertiesOf = ({ properties }: ObjectNode): { readonly key: string | Expression; readonly value: Expression }[] =>
  properties.flatMap((each) => {
    const key = each.kind === 'property' ? (each.name ?? each.computed) : undefined;
    return each.kind === 'spread' || key === undefined ? [] : [{ key, value: each.value }];
  });

const isResolver = (value: Expression): boolean =>
  value.kind === 'conditional' ? isResolver(value.whenTrue) || isResolver(value.whenFalse) : resolverOf(value) !== undefined;

/** `asClass(Client)` of `asClass(Client).singleton().disposer(close)` */
function resolverOf(value: Expression): CallNode | undefined {
  let call = value;
  while (call.kind === 'call' && call.callee.kind === 'member' && call.callee.object.kind === 'call') call = call.callee.object;
  return call.kind === 'call' && /^(?:as(?:Class|Function|Value)|aliasTo)$/.test(lastName(call.callee)) ? call : undefined;
}

/** How something comes out of what is registered. */
function resolved(key: string | Expression, value: Expression): readonly Put[] {
  if (value.kind === 'conditional') return [value.whenTrue, value.whenFalse].flatMap((each) => resolved(key, each));
  const call = resolverOf(value);
  const [node] = call?.args ?? [];
  if (call === undefined || node === undefined || node.kind === 'spread')
    // What else resolves may give anything; what a framework registers has no name.
    return typeof key === 'string' || key.kind === 'string'
      ? [{ space, key, node: value, value: (_ev, at) => unknown(value, at.module) }]
      : [];
  const by = lastName(call.callee);
  if (by === 'asValue') return [{ space, key, node }];
  if (by === 'aliasTo')
    return [{ space, key, node, value: (ev, at) => providedFor(ev, { space, key: node }, node, at) ?? unknown(node, at.module) }];
  return [{ space, key, node, value: (ev, at) => madeBy(ev, ev.evaluate(node, at), node, at) }];
}

function asks(node: AskNode, name: string | undefined): Ask | undefined {
  if (node.kind === 'call') return askedBy(node, space, { method: /^resolve$/, on: container });
  if (node.kind === 'param') return askedByName(node);
  return name !== undefined && cradle.test(ownerOf(node)) ? { space, key: name } : undefined;
}

/** A parameter of a function that stands by itself, or of a constructor: whether a container gives it what it is called after, what is put there says. */
function askedByName({ target, parent: fn, isRest }: ParamNode): Ask | undefined {
  if (target.kind !== 'patternName' || isRest || fn?.kind !== 'function') return undefined;
  return { space, key: target.name };
}

export const awilixLibrary: ClientRule = {
  name: 'awilix',
  carries: [{ where: /['"]awilix(?:-\w+)?['"]/, puts, asks }],
  // https://github.com/jeffijoe/awilix#auto-loading-modules, and https://github.com/jeffijoe/awilix-koa with its siblings, which load controllers
  patternLoaders: /^awilix(?:-\w+)?$/,
};
