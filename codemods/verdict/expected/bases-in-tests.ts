/**
 * What a test puts in the place of the program's base: `vi.mock('../src/config', () => ({ config: { url: '…/v1' } }))` where the program reads
 * `config.url` of that file, `new Contacts(http, { get: () => '…/v1' })` where the class reads `this.config.get('url')`, `createClient({ baseUrl: '…/v1' }, fake)`
 * where the function takes `baseUrl` out of what it is given. It is read as the program reads it, whatever the test has the program ask.
 */
import { replacedModule } from '../../clients/testing/replaced-settings.ts';
import { callsOf, forAllCallers } from '../../evaluate/calls/all-callers.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { flat } from '../../evaluate/values/text.ts';
import { nothing, optionsOf, type Part, partsOf, type TextValue, type Value } from '../../evaluate/values/values.ts';
import { once } from '../../once.ts';
import type { Request } from '../../requests/requests.ts';
import type { CallNode, ParamNode } from '../../syntax/tree.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';
import type { Range } from '../verdict.ts';
import { keyOf, type Root, type Way, wayTo } from '../bases/ways-to-bases.ts';

export interface BaseOfTest {
  /** What puts it there. */
  readonly call: CallNode;
  readonly module: SourceModule;
  readonly text: TextValue;
  /** Whether it is a setting that the program reads, and nothing that a client is made with. */
  readonly isSetting: boolean;
  /** The property by which the program reads it; empty where it is given by itself. */
  readonly name: string;
}

/** A call of a test that puts something there. */
interface Place {
  readonly call: CallNode;
  readonly module: SourceModule;
}

/** What tests put in the place of a part of an address. */
type Find = (part: Part | undefined, request: Pick<Request, 'module'>) => readonly BaseOfTest[];

const known = new WeakMap<Evaluation, Find>();

/** @returns what tests put in the place of the base of a request, whoever it is of */
export function basesPutFor(ev: Evaluation, reach: Pick<Reach, 'isOfTests' | 'byFile'>): (site: RequestSite) => readonly BaseOfTest[] {
  const find = basesInTests(ev, reach);
  return (site) => (site.request.isMock ? [] : find(firstOf(site), site.request));
}

const firstOf = ({ request: { url = [] } }: RequestSite): Part | undefined => url[0];

/**
 * What tests put in the place of a text behind the host that has the version of a request of ours in it, `{ basePath: '/v1' }`: the same text, where they give no host or the
 * program's. Of what another host has behind it, nobody knows whose that is.
 * @returns each with where the version stands in it
 */
export function ourVersionsInTests(
  ev: Evaluation,
  { request, verdict }: RequestSite,
  reach: Pick<Reach, 'isOfTests' | 'byFile'>,
): readonly (BaseOfTest & { readonly version: Range })[] {
  const { url: [first, ...behind] = [], isMock } = request;
  if (verdict.kind !== 'ours' || verdict.version === undefined || first === undefined || isMock) return [];
  const find = basesInTests(ev, reach);
  let offset = flat([first]).length;
  for (const part of behind) {
    const said = flat([part]);
    const [start, end] = [verdict.version.start - offset, verdict.version.end - offset];
    offset += said.length;
    if (start < 0 || end > said.length) continue;
    const hosts = find(first, request);
    const isAtOurs = (call: CallNode): boolean => hosts.every((each) => each.call !== call || flat(partsOf(each.text)) === flat([first]));
    const given = find(part, request);
    // A test that gives several of them is about what the program makes of each.
    const several = new Set(given.flatMap((each) => (flat(partsOf(each.text)) === said ? [] : each.module)));
    return given.flatMap((each) => (!several.has(each.module) && isAtOurs(each.call) ? { ...each, version: { start, end } } : []));
  }
  return [];
}

/** @returns what tests that run a request put in the place of its base */
function basesInTests(ev: Evaluation, reach: Pick<Reach, 'isOfTests' | 'byFile'>): Find {
  const before = known.get(ev);
  if (before !== undefined) return before;
  const calls = once(() =>
    [...ev.world.modules.values()]
      .filter((module) => reach.isOfTests(module))
      .flatMap((module) => module.calls.map((call): Place => ({ call, module }))),
  );
  const mocks = once(() =>
    Map.groupBy(calls(), ({ call, module }) => {
      const specifier = replacedModule(call)?.specifier;
      return specifier === undefined ? undefined : ev.world.resolve(module, specifier);
    }),
  );
  const given = ({ of }: Extract<Root, { param: ParamNode }>): readonly Place[] =>
    callsOf(ev, of).flatMap(({ node: call, module }) => (reach.isOfTests(module) ? { call, module } : []));
  const answers = new Map<string, readonly BaseOfTest[]>();
  const givenBy = (way: Way): readonly BaseOfTest[] => {
    const isSetting = 'file' in way.root || way.steps.some((step) => typeof step !== 'string');
    const name = way.steps.findLast((step) => typeof step === 'string') ?? '';
    const places = 'file' in way.root ? (mocks().get(way.root.file) ?? []) : given(way.root);
    return places.flatMap(({ call, module }) => {
      const read = forAllCallers(ev, undefined, (frame) =>
        readBy(ev, putBy(ev, way.root, call, { module, frame }), way, { module, frame }),
      );
      return optionsOf(read).flatMap((text) => (text.type === 'text' ? { call, module, text, isSetting, name } : []));
    });
  };
  const find: Find = (part, { module }) =>
    nodesOf(part?.provenance).flatMap((place) => {
      const way = isScript(place.module) ? wayTo(ev, place.node, place.module) : undefined;
      if (way === undefined) return [];
      const key = keyOf(way);
      const ofFile = `${key}\0${module.file}`;
      const given = answers.get(key) ?? givenBy(way);
      // Who makes a client there runs what it asks by, whoever gives that: `new Client(settings, retrying)`.
      const found = answers.get(ofFile) ?? given.filter((each) => 'param' in way.root || reach.byFile(each.module).has(module));
      answers.set(key, given).set(ofFile, found);
      return found;
    });
  known.set(ev, find);
  return find;
}

/** What a mock of the file exports, or what a constructor or function is given. */
function putBy(ev: Evaluation, root: Root, call: CallNode, at: At): Value {
  if ('file' in root) {
    const factory = replacedModule(call)?.factory;
    return factory === undefined ? nothing : calledWith(ev, ev.evaluate(factory, at), [], call, at);
  }
  return ev.args(call, at)[root.of.params.indexOf(root.param)] ?? nothing;
}

function readBy(ev: Evaluation, from: Value, { steps, module }: Way, at: At): Value {
  let value = from;
  for (const step of steps)
    value =
      typeof step === 'string'
        ? memberOf(ev, value, step, at)
        : calledWith(ev, value, ev.args(step, { module, frame: undefined }), step, { module, frame: undefined });
  return value;
}

function memberOf(ev: Evaluation, value: Value, name: string, at: At): Value {
  const [object] = optionsOf(value);
  return object === undefined || !('node' in object) || object.node === undefined ? nothing : ev.member(value, name, object.node, at);
}

function calledWith(ev: Evaluation, fn: Value, args: readonly Value[], call: CallNode, at: At): Value {
  const [first] = optionsOf(fn);
  if (first?.type === 'function') return ev.apply(first, args, call, at);
  return (first && ev.ask(first, args, call, at)) ?? nothing;
}
