/** Playwright's request contexts: https://playwright.dev/docs/api/class-apirequestcontext. Of pages only `page.request`. */
import { hooks } from '../../testing/declared-tests.ts';
import { expectationRule } from '../../testing/expectations.ts';
import { givenToHandler, pageRoute } from '../../testing/page-routes.ts';
import { allProjects, projectsOf, withoutDevices } from '../../testing/playwright-projects.ts';
import { calledAs, countsFor, isSetTwice, settingsFor } from '../../testing/playwright-settings.ts';
import type { Additions, ClientRule, Mutation, Given, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { addressAnswered, isOfAnswer, isOfAnswers } from '../../testing/expected/answered-addresses.ts';
import { made, option, verbs } from '../../shapes.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { choiceOf, type Entry, type HttpValue, optionsOf, plainText, unknown, type Value } from '../../../evaluate/values/values.ts';
import { walk } from '../../../syntax/link.ts';
import type { Node } from '../../../syntax/tree.ts';

const name = 'playwright';
const modules = ['@playwright/test', 'playwright', 'playwright-core'];
/** Fixtures that tests get by name, all of which lead to a request context. */
const fixtures = ['request', 'page', 'context', 'browser', 'playwright'];
const adders = ['use', 'extend', 'defineConfig'];
const openers = new Set(['launch', 'connect', 'connectOverCDP', 'launchPersistentContext']);
/** What a page, its frames and its context are part of: `page.context()`. */
const owners = new Set(['context', 'page', 'browser', 'mainFrame']);
const besideTests = new Set(['only', 'skip', 'fixme', 'slow', 'fail', ...hooks]);

function call(call: RuleCall): Value | undefined {
  // Of what a page asks, nobody knows here which host that is.
  if (isExpecting(call) && isOfAnswers(call.args[0])) return expectationRule.call?.({ ...call, path: call.path.slice(1) });
  const path = call.path.filter((each) => each !== 'request');
  const [verb = '', ...more] = path;
  const [first, options] = call.args;
  if (path.at(-1) === 'extend')
    return { ...made(name, 'client', call, {}), ...(first === undefined ? {} : { notes: { fixtures: first } }) };
  if (openers.has(path.at(-1) ?? '')) return made(name, 'client', call, {});
  if (call.on !== undefined && owners.has(path.at(-1) ?? '')) return call.on;
  if (more.length > 0) return undefined;
  if (verb === 'newContext' || verb === 'newPage') {
    const own = option(call, first, 'extraHTTPHeaders');
    return { ...made(name, 'client', call, { ...config(call, first), join: 'resolve' }), ...(own && { notes: { ownHeaders: own } }) };
  }
  // What a test says of it later is about the call that was answered.
  if (verb === 'url' && call.on?.stage === 'request' && call.on.mock === undefined) return addressAnswered(call.on);
  const route = pageRoute(name, call);
  if (route !== undefined) return route;
  if (call.on === undefined || (verb !== 'fetch' && !verbs.has(verb))) return undefined;
  const method = verb === 'fetch' ? (option(call, options, 'method') ?? 'GET') : verb;
  return {
    ...made(name, 'request', call, { url: first, method, headers: [option(call, options, 'headers')], join: 'resolve' }),
    origins: modules,
  };
}

const isExpecting = ({ on, path }: Pick<RuleCall, 'on' | 'path'>): boolean => on === undefined && path[0] === 'expect';

const config = (call: RuleCall, options: Value | undefined) => ({
  base: option(call, options, 'baseURL'),
  headers: [option(call, options, 'extraHTTPHeaders')],
});

/** `test.use({ … })` and the configuration's `use: { … }` count for every context that does not say otherwise. */
function additions(mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined {
  // A pattern of addresses fits any base.
  if (mutation.kind !== 'call' || (request.mock?.expects === 'part' && !isOfAnswer(request))) return undefined;
  const verb = mutation.path.at(-1) ?? '';
  if (!adders.includes(verb)) return undefined;
  const [settings] = ev.args(mutation.node, mutation);
  if (settings === undefined) return undefined;
  if (!countsFor(ev, mutation, request)) return undefined;
  const get = (from: Value, each: string): Value => ev.member(from, each, mutation.node, mutation);
  const headersIn = (uses: readonly Value[]): Value[] =>
    uses.map((use) => get(use, 'extraHTTPHeaders')).filter(({ type }) => type !== 'literal');
  const projects = verb === 'defineConfig' ? projectsOf(ev, settings, request.module.file, mutation.node, mutation) : [];
  // It may be of any project, which each have their own: whose key it sends, it may send to any of them.
  if (projects === undefined)
    return { base: unknown(mutation.node, mutation.module), headers: headersIn(allProjects(ev, settings, mutation.node, mutation)) };
  const shared = verb === 'defineConfig' ? get(settings, 'use') : settings;
  const ways = (projects.length === 0 ? [[shared]] : projects.map((project) => [project, shared])).map((way) =>
    way.filter(({ type }) => type === 'object').map(withoutDevices),
  );
  if (ways.every((used) => used.length === 0)) return undefined;
  const of = (name: string): Value | undefined => {
    const values = ways.map((used) => used.map((each) => get(each, name)).find(({ type }) => type !== 'literal'));
    const known = values.filter((value) => value !== undefined);
    // Where some have one of their own, those that have none go without it.
    if (known.length > 0 && known.length < values.length) return unknown(mutation.node, mutation.module);
    return known.length === 0 ? undefined : choiceOf(known);
  };
  const [base, headers] = [
    isSetTwice(ev, mutation, request) ? unknown(mutation.node, mutation.module) : of('baseURL'),
    of('extraHTTPHeaders'),
  ];
  // A test that two services answer belongs to neither: of one of them its path would be wrong.
  if (projects.length > 1 && base !== undefined && new Set(optionsOf(base).map(hostOf)).size > 1)
    return { base: unknown(mutation.node, mutation.module), headers: headersIn(ways.flat()) };
  const given = headers === undefined ? [] : optionsOf(headers);
  return {
    ...(given.every(({ type }) => type === 'object') && request.notes?.['ownHeaders'] === undefined && { headers: given }),
    ...(base !== undefined && { base }),
  };
}

/** Of a variable that of its default; where it is not known, nothing that another has. */
const hostOf = (base: Value): unknown =>
  URL.parse(plainText((base.type === 'env' ? base.otherwise : undefined) ?? base) ?? '')?.host ?? base;

/** The fixtures of a test, of its hooks and of other fixtures. */
function given(given: Given): Value | undefined {
  const { path, on, within, index, node, module, call, ev } = given;
  const handled = givenToHandler(given);
  if (handled !== undefined) return handled;
  if (index !== 0) return undefined;
  const [first, second, ...more] = on === undefined ? path : ['test', ...path];
  const isTest = (first === 'test' || first === 'it') && (second === undefined || besideTests.has(second) || second === 'extend');
  if (!isTest || more.length > 0 || (second === 'extend' && within.length === 0)) return undefined;
  const client: HttpValue = { type: 'http', client: name, stage: 'client', node, module, headers: [], origins: modules, join: 'resolve' };
  const entry = (each: string, value: () => Value): Entry => ({ name: each, key: undefined, node, module, valueNode: undefined, value });
  // Fixtures that are made together have each other; one that has the name of another has that.
  const beside = second === 'extend' ? ev.args(call, { module, frame: undefined })[0] : undefined;
  const added = [on?.notes?.['fixtures'], beside].flatMap((own) =>
    own?.type === 'object'
      ? own.entries.flatMap((each) =>
          each.name === undefined || (own === beside && each.name === within[0]) ? [] : [entry(each.name, () => usedIn(ev, each))],
        )
      : [],
  );
  const shared = [...fixtures.map((each) => entry(each, () => client)), entry('baseURL', () => baseSetFor(ev, client))];
  return { type: 'object', node, module, entries: [...shared, ...added], unknown: [] };
}

/** What tests get by the name `baseURL`: what is set for those that a client is for. */
function baseSetFor(ev: Evaluation, client: HttpValue): Value {
  const { node, module } = client;
  const bases = settingsFor(ev, { node, module }).flatMap(
    (setting) => additions({ ...setting, kind: 'call', path: [calledAs(setting.node) ?? ''], frame: undefined }, client, ev)?.base ?? [],
  );
  return bases.length === 0 ? unknown(node, module) : choiceOf(bases);
}

/** What a fixture is: what its function calls `use` with. */
function usedIn(ev: Evaluation, fixture: Entry): Value {
  const values = optionsOf(fixture.value());
  const fn = values.find((each) => each.type === 'function');
  const use = fn?.node.params[1]?.target;
  const binding = use?.kind === 'patternName' ? fn?.module.scopes.declaredBy(use) : undefined;
  if (fn === undefined || binding === undefined) return unknown(fixture.node, fixture.module);
  let used: Node | undefined;
  walk(fn.node, (node) => {
    if (node.kind === 'call' && binding.references.some((reference) => reference === node.callee)) used = node.args[0];
  });
  return used === undefined ? unknown(fn.node, fn.module) : ev.evaluate(used, { module: fn.module, frame: fn.frame });
}

export const playwrightRule: ClientRule = {
  name,
  title: 'Playwright',
  isHookless: true,
  modules,
  importedTypes: ['Page', 'BrowserContext', 'Frame', 'APIRequestContext'],
  call,
  isIdle: (call) => isExpecting(call) && expectationRule.isIdle?.({ ...call, path: call.path.slice(1) }) === true,
  additions,
  addsBy: adders,
  given,
  ambient: { mark: /\bextraHTTPHeaders\b/, reached: /\bplaywright\b/, isSilent: true },
  asksBy: ['use'],
};
