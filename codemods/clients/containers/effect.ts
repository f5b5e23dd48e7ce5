/**
 * Effect's services: https://effect.website/docs/requirements-management/services. What a tag stands for, a layer says; `yield*` asks for it. Its settings
 * (https://effect.website/docs/configuration) stand for what they give.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { orDefault } from '../../evaluate/language/or-default.ts';
import type { Ask, AskNode, Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf, plainText, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { isCallOf } from '../names.ts';

const space = 'effect services';
/** With the tag before what it stands for. */
const providing = [
  { on: /^Layer$/, method: /^(?:succeed|sync|effect|scoped)$/ },
  { on: /^Effect$/, method: /^provideService(?:Effect)?$/ },
  { on: /^Context$/, method: /^make$/ },
];

/** What it stands for is what a program of Effect gives, which is not followed. */
const byProgram = { on: /^(?:Layer|Effect)$/, method: /^(?:effect|scoped|provideServiceEffect)$/ };

/** `Layer.succeed(Settings, { url })`, `Layer.sync(Settings, () => ({ url }))`, `Effect.provideService(program, Settings, { url })` */
function puts(node: PutNode): readonly Put[] {
  if (node.kind !== 'call' || !providing.some((each) => isCallOf(node, each))) return [];
  const [key, value] = node.args.slice(-2);
  if (key === undefined || value === undefined || key.kind === 'spread' || value.kind === 'spread') return [];
  return [
    {
      space,
      key,
      node: value,
      value: (ev, at) => {
        const made = isCallOf(node, byProgram) ? unknown(value, at.module) : ev.evaluate(value, at);
        return made.type === 'function' ? ev.apply(made, [], node, at) : made;
      },
    },
  ];
}

function asks(node: AskNode): Ask | undefined {
  const [tag] = node.kind === 'other' && node.what === 'YieldExpression' ? node.children : [];
  return tag?.kind === 'name' ? { space, key: tag } : undefined;
}

/** Of its modules, `Config` and the like: `import { Config } from 'effect'`, `import * as Config from 'effect/Config'`. */
const functionsOf = (space: string, functions: Readonly<Record<string, LibraryFunction>>): ClientRule['functions'] =>
  Object.fromEntries(
    Object.entries(functions).flatMap(([name, made]) => [
      [`effect:${space}.${name}`, made],
      [`effect/${space}:${name}`, made],
    ]),
  );

/** A variable of the environment, unless the program says that settings come from elsewhere. */
const variable: LibraryFunction = (ev, [given], node, { module }) => {
  const name = given && plainText(given);
  return name === undefined || hasOwnProvider(ev) ? undefined : { type: 'env', name, node, module };
};

const provides = /\bConfigProvider\b/;
const ownProviders = new WeakMap<Evaluation['world'], boolean>();

function hasOwnProvider({ world }: Evaluation): boolean {
  const known = ownProviders.get(world) ?? [...world.modules.values()].some((module) => !isTest(module) && provides.test(module.text));
  ownProviders.set(world, known);
  return known;
}

/** Programs and settings stand for what they give: nothing else is read of them. */
const same: LibraryFunction = (_ev, [value]) => value;

/** `Config.withDefault(Config.string('URL'), 'https://…')`, and what `pipe` is given: `Config.withDefault('https://…')`. */
const withDefault: LibraryFunction = (_ev, [value, otherwise]) => {
  if (value === undefined || otherwise !== undefined) return value && otherwise && orDefault(value, otherwise);
  return { type: 'method', receiver: value, path: ['withDefault'], isStep: true };
};

/** `yield*` in what `Effect.gen` runs. */
function yields(ev: Evaluation, of: Node, at: At): Value | undefined {
  let fn = of.parent;
  while (fn !== undefined && fn.kind !== 'function') fn = fn.parent;
  const call = fn?.parent;
  if (call?.kind !== 'call' || !optionsOf(ev.evaluate(call.callee, at)).every(isGen)) return undefined;
  const value = ev.evaluate(of, at);
  return optionsOf(value).every(isGiven) ? value : undefined;
}

const isGen = (callee: Value): boolean =>
  callee.type === 'external' && /^(?:effect:Effect\.gen|effect\/Effect:gen)$/.test(`${callee.source}:${callee.path.join('.')}`);

/** What a program may give: a tag stands for a service, and a function is none. */
const isGiven = ({ type }: Value): boolean => type === 'text' || type === 'env' || type === 'object' || type === 'literal';

export const effectLibrary: ClientRule = {
  name: 'effect',
  functions: {
    ...functionsOf('Config', { string: variable, nonEmptyString: variable, withDefault, all: same }),
    ...functionsOf('Effect', { succeed: same }),
  },
  yields,
  carries: [{ where: /['"]effect(?:\/\w+)?['"]/, puts, asks }],
};
