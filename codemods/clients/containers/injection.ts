/** Containers that make things and give them to constructors: what is registered under a token goes to whoever asks for that. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { type Ask, type AskNode, injectedInto, providedFor, type Put, type PutNode } from '../../evaluate/libraries/provided.ts';
import { after, choiceOf, optionsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Expression, Node, ObjectNode, ParamNode } from '../../syntax/tree.ts';
import { askedBy, isCallOf, lastName } from '../names.ts';
import { isInTestingModule } from './nest-modules.ts';
import { first } from '../pass-through.ts';

const space = 'tokens';
/** https://docs.nestjs.com/fundamentals/custom-providers, https://angular.dev/guide/di, https://inversify.io, https://github.com/microsoft/tsyringe, https://docs.adonisjs.com/guides/concepts/container */
const where = /['"](?:@nestjs\/common|@angular\/core|inversify|tsyringe|typedi|@adonisjs\/(?:core|fold)(?:\/[\w/-]+)?)['"]/;

/** Each class that a value may be, made by the container; whatever else it may be. */
const made = (value: Value): Value => choiceOf(optionsOf(value).map((each) => (each.type === 'class' ? injectedInto(each) : each)));

/** What a function makes, each of whose parameters is asked for. */
export function madeBy(ev: Evaluation, fn: Value, node: Node, at: At, given: readonly Value[] = []): Value {
  const call: CallNode = {
    kind: 'call',
    callee: { kind: 'this', start: node.start, end: node.end },
    args: [],
    isNew: false,
    start: node.start,
    end: node.end,
  };
  return choiceOf(
    optionsOf(fn).map((each) => {
      if (each.type === 'class') return injectedInto(each);
      // What a function around it is given: see `forAllCallers`.
      if (each.type === 'param') return each;
      if (each.type !== 'function') return unknown(node, at.module);
      const args = [
        ...each.node.params.map((param, index) => knownOf(given[index]) ?? unknown(param, each.module)),
        ...given.slice(each.node.params.length),
      ];
      return after(ev.apply(each, args, call, at), each.provenance);
    }),
  );
}

const knownOf = (value: Value | undefined): Value | undefined => (value?.type === 'unknown' ? undefined : value);

const valueOf = (object: ObjectNode, name: string): Expression | undefined =>
  object.properties.flatMap((each) => (each.kind === 'property' && each.name === name ? [each.value] : []))[0];

/** `{ provide: TOKEN, useFactory: (config) => …, inject: [CONFIG] }` */
function provider(object: ObjectNode, key: Expression): readonly Put[] {
  const use = (name: string): Expression | undefined => valueOf(object, name);
  const [value, factory, type, existing] = [use('useValue'), use('useFactory'), use('useClass'), use('useExisting') ?? use('useToken')];
  if (value !== undefined) return [{ space, key, node: value, isFor: (ev, node, at) => isInTestingModule(ev, object, node, at) }];
  if (factory !== undefined) return madeByFactory(object, key, factory);
  if (type !== undefined) return [{ space, key, node: type, value: (ev, at) => made(ev.evaluate(type, at)) }];
  return existing === undefined ? [] : [{ space, key, node: existing, value: (ev, at) => given(ev, existing, at) }];
}

/** @param object says by `inject` or `deps` what the factory is given */
function madeByFactory(object: ObjectNode, key: Expression, factory: Expression | undefined): readonly Put[] {
  if (factory === undefined) return [];
  const inject = valueOf(object, 'inject') ?? valueOf(object, 'deps');
  const value = (ev: Evaluation, at: At): Value => madeBy(ev, ev.evaluate(factory, at), factory, at, allGiven(ev, inject, at));
  return [{ space, key, node: factory, value }];
}

/** @param inject a list of tokens, or what a dynamic module is given as such: `options.inject ?? []` */
export function allGiven(ev: Evaluation, inject: Expression | undefined, at: At): Value[] {
  if (inject === undefined) return [];
  if (inject.kind === 'array') return inject.elements.map((token) => given(ev, token, at));
  const lists = optionsOf(ev.evaluate(inject, at)).flatMap((each) => (each.type === 'list' && !each.isOpen ? [each] : []));
  const [list, ...others] = lists.filter(({ nodes }) => nodes.length > 0);
  if (list === undefined || others.length > 0) return [];
  return list.nodes.map((token) => given(ev, token, { module: list.module, frame: undefined }));
}

/** What a container hands out for a token. */
export function given(ev: Evaluation, token: ObjectNode['properties'][number] | Expression | undefined, at: At): Value {
  const key = token === undefined || token.kind === 'spread' || token.kind === 'property' ? undefined : token;
  return (key && providedFor(ev, { space, key, isMade: true }, key, at)) ?? unknown(token, at.module);
}

function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind === 'object') {
    const key = valueOf(node, 'provide');
    return key === undefined ? [] : provider(node, key);
  }
  if (node.kind !== 'call') return [];
  const [first, second] = node.args.filter((arg) => arg.kind !== 'spread');
  if (node.isNew) return lastName(node.callee) === 'InjectionToken' && second?.kind === 'object' ? madeByItself(node, second) : [];
  if (node.callee.kind !== 'member') return [];
  const { property = '', object } = node.callee;
  if (property === 'set' && lastName(object) === 'Container' && typedi.test(module.text)) return setInTypedi(first, second, module);
  if (first !== undefined && second !== undefined && registering.test(property))
    // `container.register(TOKEN, { useValue: client })`, `container.registerSingleton(TOKEN, Client)`
    return second.kind === 'object'
      ? provider(second, first)
      : [{ space, key: first, node: second, value: (ev, at) => made(ev.evaluate(second, at)) }];
  // `container.bind(TOKEN).toConstantValue(client)`, `Test.createTestingModule(…).overrideProvider(TOKEN).useValue(client)`
  if (object.kind !== 'call' || !isCallOf(object, { method: /^(?:(?:re)?bind|overrideProvider)$/ })) return [];
  const [key] = object.args;
  return key === undefined || key.kind === 'spread' ? [] : bound(key, property, first);
}

const typedi = /['"]typedi['"]/;

/**
 * `Container.set('client', client)` of typedi, which gives what it is set to as it is, and `Container.set({ id: 'client', value: client })`; what is made
 * otherwise is not known: https://docs.typestack.community/typedi/develop/01-getting-started
 */
function setInTypedi(first: Expression | undefined, value: Expression | undefined, module: SourceModule): readonly Put[] {
  if (first === undefined) return [];
  if (value !== undefined) return [{ space, key: first, node: value }];
  const services = first.kind === 'array' ? first.elements.filter((each) => each !== undefined) : [first];
  return services.map((each): Put => {
    const [id, node] = each.kind === 'object' ? [valueOf(each, 'id'), valueOf(each, 'value')] : [];
    return { space, key: id ?? first, node: node ?? each, ...(node === undefined && { value: () => unknown(each, module) }) };
  });
}

/** `new InjectionToken('url', { factory: () => environment.url })` */
function madeByItself(token: CallNode, options: ObjectNode): readonly Put[] {
  const node = valueOf(options, 'factory');
  return node === undefined ? [] : [{ space, key: token, node, value: (ev, at) => madeBy(ev, ev.evaluate(node, at), node, at) }];
}

const registering = /^(?:register(?:Instance|Singleton|Type)?|overrideProvider)$/;

function bound(key: Expression, method: string, node: Expression | undefined): readonly Put[] {
  if (method === 'toSelf') return [{ space, key, node: key, value: (ev, at) => made(ev.evaluate(key, at)) }];
  if (node === undefined) return [];
  switch (method) {
    case 'toConstantValue':
    case 'useValue':
      return [{ space, key, node }];
    case 'toDynamicValue':
      return [{ space, key, node, value: (ev, at) => madeBy(ev, ev.evaluate(node, at), node, at) }];
    case 'to':
    case 'useClass':
      return [{ space, key, node, value: (ev, at) => made(ev.evaluate(node, at)) }];
    case 'toService':
      return [{ space, key, node, value: (ev, at) => given(ev, node, at) }];
    case 'useFactory':
      return node.kind === 'object' ? madeByFactory(node, key, valueOf(node, 'factory')) : [];
    default:
      return [];
  }
}

/** What hands out what a token stands for. */
const asking = { method: /^(?:get|resolve|inject|make)$/, on: /container|injector|moduleRef|module|app|scope|^c$|^ctx$|testbed/i };

function asks(node: AskNode, _name: string | undefined, module: SourceModule): Ask | undefined {
  if (node.kind === 'param') return injected(node, module);
  if (node.kind !== 'call') return undefined;
  const ask = askedBy(node, space, asking) ?? askedBy(node, space, { method: /^inject$/ });
  return ask && { space, key: ask.key, isMade: true };
}

/** `@Inject(TOKEN) client`, or a parameter of a class that a container makes, by its type. */
function injected(param: ParamNode, module: SourceModule): Ask | undefined {
  const { decorators, typeName, parent } = param;
  const inject = decorators.find((each) => each.kind === 'call' && /^inject$/i.test(lastName(each.callee)));
  const [key] = inject?.kind === 'call' ? inject.args : [tokenOfFactory(param)];
  if (key !== undefined && key.kind !== 'spread') return { space, key, isMade: true };
  const of = parent?.parent?.kind === 'classMember' && parent.parent.role === 'constructor' ? parent.parent.parent : undefined;
  if (of?.kind !== 'class' || of.decorators.length === 0 || typeName === undefined) return undefined;
  const type = module.scopes.top(typeName)?.declaration;
  return type === undefined ? undefined : { space, key: type, isMade: true };
}

/** `{ provide: Client, useFactory: (config) => …, inject: [CONFIG] }`: what the factory is given there. */
function tokenOfFactory(param: ParamNode): Expression | undefined {
  const { parent: fn } = param;
  const property = fn?.kind === 'function' ? fn.parent : undefined;
  const object = property?.kind === 'property' && property.name === 'useFactory' ? property.parent : undefined;
  const inject = object?.kind === 'object' ? valueOf(object, 'inject') : undefined;
  const token = fn?.kind === 'function' && inject?.kind === 'array' ? inject.elements[fn.params.indexOf(param)] : undefined;
  return token?.kind === 'spread' || param.isRest ? undefined : token;
}

export const injectionLibraries: ClientRule = {
  name: 'dependency injection',
  carries: [{ where, puts, asks }],
  // `useFactory: instanceCachingFactory((container) => client)` makes one, and then the same.
  functions: { 'tsyringe:instanceCachingFactory': first, 'tsyringe:instancePerContainerCachingFactory': first },
};
