/** Nest's configuration: https://docs.nestjs.com/techniques/configuration. Factories name parts of it, services read them by a path. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { World } from '../../evaluate/program.ts';
import { variablesOf } from '../../evaluate/settings/settings.ts';
import { choiceOf, type ObjectValue, optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { CallNode, Node, ParamNode } from '../../syntax/tree.ts';
import { returned } from '../pass-through.ts';

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
function configuredAt(ev: Evaluation, path: string, node: Node, at: At): Value | undefined {
  const [first = '', ...rest] = path.split('.');
  const found = factoriesIn(ev.world).flatMap(({ call, module }) => {
    const place: At = { module, frame: undefined };
    const [name] = ev.args(call, place);
    const isNamed = name !== undefined && plainText(name) === first;
    const whole = isNamed ? [ev.evaluate(call, place)] : name === undefined ? [] : heldBy(ev, name, call, place);
    const steps = isNamed ? rest : [first, ...rest];
    return whole
      .filter((each) => each.type === 'object' && (isNamed || each.entries.some((entry) => entry.name === first)))
      .map((holder) => steps.reduce((value, step) => ev.member(value, step, node, at), holder));
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

/**
 * `ConfigModule.forRoot({ load: [configuration], validationSchema: Joi.object({ … }), validate: (env) => schema.parse(env) })`: what is loaded, and what
 * the environment is after it was looked at, with defaults.
 */
const heldBy = (ev: Evaluation, options: Value, call: CallNode, at: At): Value[] =>
  options.type === 'object' ? [...validatedBy(ev, options, call, at), ...loadedBy(ev, options, call, at)] : [];

function validatedBy(ev: Evaluation, options: ObjectValue, call: CallNode, at: At): Value[] {
  const [schema, validate] = ['validationSchema', 'validate'].map((name) => ev.member(options, name, call, at));
  return [
    ...(schema?.type === 'object' ? [variablesOf(ev, schema)] : []),
    ...(validate?.type === 'function' ? optionsOf(ev.apply(validate, [environment], call, at)) : []),
  ];
}

/** Nest writes what the validation gives into `process.env`, so that whoever reads a variable there has the default of the schema, too. */
function defaultOf(ev: Evaluation, name: string, node: Node, at: At): Value | undefined {
  const found = factoriesIn(ev.world).flatMap(({ call, module }) => {
    const place: At = { module, frame: undefined };
    const [options] = calleeName(call) === 'forRoot' ? ev.args(call, place) : [];
    const validated = options?.type === 'object' ? validatedBy(ev, options, call, place) : [];
    return validated.flatMap((each) => optionsOf(ev.member(each, name, node, at)).filter(({ type }) => type === 'text'));
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

const environment: Value = { type: 'external', source: '', path: ['process', 'env'] };

/** `ConfigModule.forRoot({ load: [configuration] })` */
function loadedBy(ev: Evaluation, options: Value, call: CallNode, at: At): Value[] {
  const list = ev.member(options, 'load', call, at);
  return (list.type === 'list' ? list.items : []).map((item) => (item.type === 'function' ? ev.apply(item, [], call, at) : item));
}

/** `@Inject(messagingConfig.KEY) config: ConfigType<…>` */
function injectedBy(ev: Evaluation, { decorators }: ParamNode, at: At): Value | undefined {
  for (const decorator of decorators) {
    const [token] = decorator.kind === 'call' && calleeName(decorator) === 'Inject' ? decorator.args : [];
    const value = token === undefined ? undefined : keyedBy(ev, token, at);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** `messagingConfig.KEY`: what the factory of that name makes. */
export function keyedBy(ev: Evaluation, token: Node, at: At): Value | undefined {
  const value = token.kind === 'member' && token.property === 'KEY' ? ev.evaluate(token.object, at) : undefined;
  return value?.type === 'object' ? value : undefined;
}

/** By what a service of it is asked. */
const asked = ['get', 'getOrThrow'];

export const nestConfigLibrary: ClientRule = {
  name: '@nestjs/config',
  givesBack: ['registerAs'],
  handed: { registerAs: asked, 'ConfigModule.forRoot': asked },
  functions: { '@nestjs/config:registerAs': (ev, [, fn], node, at) => returned(ev, fn === undefined ? [] : [fn], node, at) },
  plugIns: /^@nestjs\/config$/,
  configured: configuredAt,
  defaultOf,
  injected: injectedBy,
};
