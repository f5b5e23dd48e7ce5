/** Integrations for Zapier: https://docs.zapier.com/platform/reference/cli-docs. Requests of `z`, those that operations describe, and what is done before each. */
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../../evaluate/evaluation.ts';
import type { SourceModule } from '../../../evaluate/module.ts';
import type { World } from '../../../evaluate/program.ts';
import { choiceOf, type HttpValue, optionsOf, type Value } from '../../../evaluate/values/values.ts';
import { nodesOfKind } from '../../../syntax/link.ts';
import type { ParamNode, PropertyNode } from '../../../syntax/tree.ts';
import { withBraces } from '../../values/braces.ts';
import { headersSetBy, replacedBy } from '../../callbacks.ts';
import { made, option } from '../../shapes.ts';

const name = 'zapier';

const core = 'zapier-platform-core';
const tester = 'appTester';

/** `z.request(url, options)`, `z.request({ url, method, headers })`; in tests `zapier.createAppTester(App)(App.authentication.test, bundle)` */
function call(call: RuleCall): Value | undefined {
  const [first, second] = call.args;
  if (call.path.join('.') === 'createAppTester') return { type: 'external', source: core, path: [tester] };
  if (call.path.join('.') === tester && first?.type === 'function')
    return call.ev.apply(first, [zOf(call), ...call.args.slice(1)], call.node, call);
  if (call.path.join('.') !== 'request' || first === undefined) return undefined;
  const options = first.type === 'object' ? first : second;
  return made(name, 'request', call, {
    url: first.type === 'object' ? option(call, first, 'url') : first,
    method: option(call, options, 'method') ?? 'GET',
    headers: [...headersOfHooks(call.ev), option(call, options, 'headers')],
    moved: movedBy(call.ev),
  });
}

/** `perform: { method, url, headers }` of an operation, `test: { url }` of an authentication. */
function declared(property: PropertyNode, at: At, ev: Evaluation): Value | undefined {
  // Much else than an authentication has a type and a test.
  if (property.name === 'test' && integrationsIn(ev.world).length === 0) return undefined;
  const found = optionsOf(ev.evaluate(property.value, at)).flatMap((each): HttpValue[] => {
    if (each.type !== 'object' || !each.entries.some((entry) => entry.name === 'url')) return [];
    const get = (key: string): Value => ev.member(each, key, property, at);
    const [moved, method] = [movedBy(ev), get('method')];
    return [
      {
        type: 'http',
        client: name,
        stage: 'request',
        node: property,
        module: at.module,
        origins: [],
        url: choiceOf(optionsOf(get('url')).map((url) => (url.type === 'text' ? withBraces(url) : url))),
        method: method.type === 'literal' ? 'GET' : method,
        headers: [...headersOfHooks(ev), get('headers')].filter(({ type }) => type !== 'literal'),
        ...(moved !== undefined && { notes: { moved } }),
      },
    ];
  });
  return found.length === 0 ? undefined : choiceOf(found);
}

const headersOfHooks = (ev: Evaluation): Value[] => hooksIn(ev).flatMap((hook) => headersSetBy(ev, hook, 0, ['headers']) ?? [hook]);

/** What a function puts in the place of the address. */
const movedBy = (ev: Evaluation): Value | undefined => hooksIn(ev).flatMap((hook) => replacedBy(ev, hook, 0, 'url'))[0];

/** The functions that the integration runs before each request: `beforeRequest: [addKey]`. */
const hooksIn = (ev: Evaluation): Value[] =>
  integrationsIn(ev.world).flatMap((module) =>
    nodesOfKind(module.tree.program, 'property').flatMap(({ name: property, value }) =>
      property === 'beforeRequest' ? functionsIn(ev.evaluate(value, { module, frame: undefined })) : [],
    ),
  );

const integrations = new WeakMap<World, readonly SourceModule[]>();

/** The files that define an integration as a whole. */
function integrationsIn(world: World): readonly SourceModule[] {
  const found = integrations.get(world) ?? [...world.modules.values()].filter(({ text }) => text.includes('platformVersion'));
  integrations.set(world, found);
  return found;
}

/** `perform: async (z, bundle) => …`: Zapier calls it. */
const injected = (ev: Evaluation, { target }: ParamNode, { module }: At): Value | undefined =>
  target.kind === 'patternName' && target.name === 'z' && integrationsIn(ev.world).length > 0 ? zOf({ node: target, module }) : undefined;

const zOf = ({ node, module }: Pick<HttpValue, 'node' | 'module'>): HttpValue => ({
  type: 'http',
  client: name,
  stage: 'client',
  node,
  module,
  headers: [],
  origins: [],
});

const functionsIn = (value: Value): readonly Value[] =>
  optionsOf(value).flatMap((each) => (each.type === 'list' ? each.items.flatMap(optionsOf) : [each]));

export const zapierRule: ClientRule = {
  name,
  title: 'Zapier',
  modules: [core],
  types: ['ZObject'],
  injected,
  declares: {
    names: ['perform', 'performGet', 'performList', 'performSubscribe', 'performUnsubscribe', 'performResume', 'test'],
    where: /\bperform\w*['"]?\s*:|\bconnectionLabel\b|\btype['"]?\s*:\s*['"](?:custom|basic|digest|session|oauth[12])['"]/,
  },
  call,
  declared,
  ambient: { mark: /\bz\.request\b|\bperform\w*['"]?\s*:\s*\{/, reached: /\bplatformVersion\b/ },
  // Which runs an integration, and asks for nothing by itself.
  plugIns: /^zapier-platform-core$/,
};
