/**
 * What a test puts in the place of the program's base: `vi.mock('../src/config', () => ({ config: { url: '…/v1' } }))` where the program reads
 * `config.url` of that file, `new Contacts(http, { get: () => '…/v1' })` where the class reads `this.config.get('url')`. It is read as the program reads it.
 */
import { replacedModule } from '../clients/testing/replaced-settings.ts';
import { constructorOf, paramOf } from '../evaluate/class-index.ts';
import type { At, Evaluation } from '../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../evaluate/module.ts';
import { nodesOf } from '../evaluate/provenance.ts';
import { flat } from '../evaluate/text.ts';
import { nothing, optionsOf, partsOf, type TextValue, type Value } from '../evaluate/values.ts';
import { once } from '../once.ts';
import type { Request } from '../requests/requests.ts';
import type { CallNode, ClassNode, Node, ParamNode } from '../syntax/tree.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from './request-sites.ts';

/** Where the program begins to read its base: at what another file exports, or what the constructor of a class is given. */
type Root = { readonly file: SourceModule } | { readonly param: ParamNode; readonly of: ClassNode };

/** A property that is read, or a call. */
type Step = string | CallNode;

interface Way {
  readonly root: Root;
  readonly steps: readonly Step[];
  readonly module: SourceModule;
}

export interface BaseOfTest {
  readonly module: SourceModule;
  readonly text: TextValue;
}

/** A call of a test that puts something there. */
interface Place {
  readonly call: CallNode;
  readonly module: SourceModule;
}

type Find = (request: Pick<Request, 'url' | 'module'>) => readonly BaseOfTest[];

const known = new WeakMap<Evaluation, Find>();

/** @returns what tests put in the place of bases of ours; where a test has somebody else asked at the same host, it isn't known whose that is */
export function ourBasesInTests(
  ev: Evaluation,
  sites: readonly RequestSite[],
  reach: Pick<Reach, 'isOfTests' | 'byFile'>,
): (site: RequestSite) => readonly BaseOfTest[] {
  const find = basesInTests(ev, reach);
  const ofOthers = new Set(sites.flatMap((site) => (isOfOthers(site) ? find(site.request).map(hostIn) : [])));
  return ({ request, verdict }) =>
    verdict.kind === 'ours' && !request.isMock ? find(request).filter((each) => !ofOthers.has(hostIn(each))) : [];
}

const isOfOthers = ({ request, verdict }: RequestSite): boolean =>
  !request.isMock && (verdict.kind === 'unproven' || (verdict.kind === 'foreign' && !verdict.isMadeUp));

const hostIn = ({ module, text }: BaseOfTest): string =>
  `${module.file} ${/^https?:\/\/[^/?#]*/i.exec(flat(partsOf(text)))?.[0].toLowerCase() ?? ''}`;

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
  const made = once(() =>
    Map.groupBy(calls(), ({ call: { isNew, callee } }) => (isNew && callee.kind === 'name' ? callee.name : undefined)),
  );
  const answers = new Map<string, readonly BaseOfTest[]>();
  const givenBy = (way: Way): readonly BaseOfTest[] => {
    const places = ('file' in way.root ? mocks().get(way.root.file) : made().get(way.root.of.name?.name)) ?? [];
    return places.flatMap(({ call, module }) => {
      const at: At = { module, frame: undefined };
      return optionsOf(readBy(ev, putBy(ev, way.root, call, at), way, at)).flatMap((text) =>
        text.type === 'text' ? { module, text } : [],
      );
    });
  };
  const find: Find = ({ url: [first] = [], module }) =>
    nodesOf(first?.provenance).flatMap((place) => {
      const way = isScript(place.module) ? wayTo(ev, place.node, place.module) : undefined;
      if (way === undefined) return [];
      const key = keyOf(way);
      const ofFile = `${key}\0${module.file}`;
      const given = answers.get(key) ?? givenBy(way);
      const found = answers.get(ofFile) ?? given.filter((each) => reach.byFile(each.module).has(module));
      answers.set(key, given).set(ofFile, found);
      return found;
    });
  known.set(ev, find);
  return find;
}

/** The same is read in many places. */
function keyOf({ root, steps, module }: Way): string {
  const shown = steps.map((step) =>
    typeof step === 'string' ? step : step.args.map(({ start, end }) => module.text.slice(start, end)).join(),
  );
  return ['file' in root ? root.file.file : `${module.file} ${root.param.start}`, ...shown].join(' ');
}

/** What an expression begins with, and what is read of that. */
function wayTo(ev: Evaluation, node: Node, module: SourceModule): Way | undefined {
  const steps: Step[] = [];
  let at = node;
  while (at.kind === 'member' || at.kind === 'call') {
    if (at.kind === 'member' && at.property === undefined) return undefined;
    if (at.kind === 'member' && at.object.kind === 'this') {
      const root = ofField(at, at.property);
      return root && { root, steps, module };
    }
    steps.unshift(at.kind === 'call' ? at : (at.property ?? ''));
    at = at.kind === 'call' ? at.callee : at.object;
  }
  const binding = at.kind === 'name' ? module.scopes.bindingOf(at) : undefined;
  if (binding?.owner.kind === 'param') {
    const root = ofParam(binding.owner);
    return root && { root, steps, module };
  }
  if (binding?.owner.kind !== 'import') return undefined;
  const file = ev.world.resolve(module, binding.owner.source.value);
  const imported = binding.owner.specifiers.find(({ local }) => local === binding.declaration)?.imported ?? '*';
  return file && { root: { file }, steps: imported === '*' ? steps : [imported, ...steps], module };
}

/** `constructor(private readonly config: ConfigService)` */
function ofField(member: Node, name = ''): Root | undefined {
  let of = member.parent;
  while (of !== undefined && of.kind !== 'class') of = of.parent;
  const param = of && paramOf(of, name);
  return param && ofParam(param);
}

function ofParam(param: ParamNode): Root | undefined {
  const member = param.parent?.parent;
  const of = member?.kind === 'classMember' && member.role === 'constructor' ? member.parent : undefined;
  return of?.kind === 'class' && param.target.kind === 'patternName' ? { param, of } : undefined;
}

/** What a mock of the file exports, or what the class is made with. */
function putBy(ev: Evaluation, root: Root, call: CallNode, at: At): Value {
  if ('file' in root) {
    const factory = replacedModule(call)?.factory;
    return factory === undefined ? nothing : calledWith(ev, ev.evaluate(factory, at), [], call, at);
  }
  const isMade = optionsOf(ev.evaluate(call.callee, at)).some((value) => value.type === 'class' && value.node === root.of);
  return (isMade ? ev.args(call, at)[constructorOf(root.of)?.params.indexOf(root.param) ?? -1] : undefined) ?? nothing;
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
