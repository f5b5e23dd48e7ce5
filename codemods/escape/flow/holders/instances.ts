/**
 * Instances of a class at other hosts: the class is one client for all of them, whether or not a call on each of them can be seen,
 * so a known other host keeps it as it is.
 */
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { type Bases, matchUrl } from '../../../verdict/bases/routes.ts';
import { classAround } from '../../../evaluate/calls/callees.ts';
import { heirsOf } from '../../../evaluate/classes/subclasses.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { CallGraph } from '../../../requests/call-graph.ts';
import { madeBySink } from '../../../requests/sinks.ts';
import { mayBeStages } from '../../../requests/items.ts';
import { flat, joinUrl } from '../../../evaluate/values/text.ts';
import type { Frame } from '../../../evaluate/calls/frame.ts';
import { type ClassValue, optionsOf, type Part, partsOf } from '../../../evaluate/values/values.ts';
import { isScript, type SourceModule } from '../../../evaluate/module.ts';
import type { SourceText } from '../../../evaluate/values/source-text.ts';
import { memo, once } from '../../../once.ts';
import type { CallNode, Expression, Node } from '../../../syntax/tree.ts';
import type { Problem } from '../../problems.ts';
import { isOpen } from '../holding.ts';
import { outOfSight } from '../functions/out-of-sight.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Change } from '../../../verdict/changes/spans.ts';
import { withDefaultFor } from '../../../verdict/bases/defaults.ts';
import { isForTest } from '../../../verdict/bases/hosts.ts';
import { hasOurBase, isInTurn } from '../../../verdict/bases/stand-ins.ts';
import { followsDefault, verdictOf } from '../../../verdict/verdicts.ts';

export interface ForeignInstance {
  /** Where it is made. */
  readonly node: CallNode;
  readonly module: SourceModule;
  /** undefined where it was too much to find out, where it is only bound, or where a variable says it. */
  readonly host: string | undefined;
  /** The variable of the environment that is its base, where nothing says what that is. */
  readonly env?: string | undefined;
  /** Whether it is bound to arguments, `Client.bind(null, base)`: who makes it then is not followed. */
  readonly isBound: boolean;
  /** Our request of the same class. */
  readonly site: RequestSite;
}

export function foreignInstances(ev: Evaluation, found: CallGraph, sites: readonly RequestSite[], bases: Bases): ForeignInstance[] {
  const made = once(() => instancesMade(ev));
  // A call that is seen to go elsewhere has a finding of its own.
  const told = new Set(sites.flatMap(({ request, verdict }) => (verdict.kind === 'foreign' ? [request.call] : [])));
  const toldOf = Map.groupBy(
    sites.filter(({ verdict }) => verdict.kind === 'unproven' && verdict.route !== undefined && verdict.env !== undefined),
    ({ request }) => request.call,
  );
  const asked = sites.flatMap((site) => {
    const { call, module } = site.request;
    return site.verdict.kind === 'ours' && isScript(module) && call.kind === 'call' && !told.has(call) ? [{ site, call, module }] : [];
  });
  // What an instance asks for hangs on the call alone, on however many paths that is come to.
  return [...Map.groupBy(asked, ({ call }) => call)].flatMap(([call, own]) => {
    const around = classAround(call);
    const [first] = own;
    if (around === undefined || first === undefined) return [];
    const of: ClassValue = { type: 'class', node: around, module: first.module, frame: undefined };
    const stages = new Set(own.flatMap(({ site }) => (site.isForStandIn === true ? hostOf(site.request.url, bases) : [])));
    const instanceAt = memo(({ node, module, heir }: Making) => {
      if (!node.isNew) return { node, module, host: undefined, isBound: true, isNobodys: false };
      const args = ev.args(node, { module, frame: undefined });
      const frame: Frame = { owner: of.node, self: { type: 'instance', of: heir ?? of, args }, outer: undefined };
      const { value, isCut } = ev.budget.question({ node, module }, () =>
        otherBase(
          madeBySink(ev, { call, module: of.module }, frame),
          bases,
          (env) => toldOf.get(call)?.some(({ verdict }) => verdict.kind === 'unproven' && verdict.env === env) === true,
          (host, url, ours) => stages.has(host) && !isInTurn({ call: node, url }) && ours.some((each) => mayBeStages(each, url)),
        ),
      );
      const { host, env } = value ?? {};
      const isOfTest = isTest(module) && (host === undefined || isForTest(host, module, bases.v1));
      const isNobodys = value === undefined ? !isCut : isOfTest;
      return { node, module, host, env, isBound: false, isNobodys };
    });
    const { byClass, open } = made();
    // An heir asks by the methods that it inherits.
    const ofHeirs = heirsOf(ev, of.node).flatMap((heir) => byClass.get(heir.node)?.map((each) => ({ ...each, heir })) ?? []);
    const seen = [...(byClass.get(of.node) ?? []), ...ofHeirs];
    // Where the class goes out of sight is all of a program, and mostly no call that may make an instance there would ask anybody else.
    if ([...seen, ...open.values()].every((each) => instanceAt(each).isNobodys)) return [];
    const unseen = outOfSight(ev, found).makingOf(of.node, of.module);
    const instances = [...seen, ...unseen.map(({ call: node, module }) => open.get(node) ?? { node, module })].map(instanceAt);
    const given = instances.filter(({ isNobodys }) => isNobodys).flatMap((each) => givenTo(ev, each));
    return instances.flatMap(({ isNobodys, ...instance }): ForeignInstance[] => {
      if (isNobodys) return [];
      const others = instance.isBound ? [] : givenTo(ev, instance);
      // What is given to the one when it is made, and not to the other, they do not share.
      const isApart = ({ changes }: RequestSite): boolean =>
        !instance.isBound && changes.every((change) => given.some(holds(change)) && !others.some(holds(change)));
      return own.flatMap(({ site }) => (isApart(site) ? [] : { ...instance, site }));
    });
  });
}

/** The texts, objects and calls that an instance is made with, where these are written. */
function givenTo(ev: Evaluation, { node, module }: { readonly node: CallNode; readonly module: SourceModule }): readonly Written[] {
  const values = ev.args(node, { module, frame: undefined }).flatMap(optionsOf);
  const written = values.flatMap((value): Written[] => {
    if (value.type === 'object') return [value];
    return partsOf(value).flatMap((part) => ('text' in part ? (part.source ?? []) : []));
  });
  return [{ node, module }, ...written];
}

interface Written {
  readonly node: Node;
  readonly module: SourceText;
}

const holds =
  ({ module, start, end }: Change) =>
  (at: Written): boolean =>
    at.module === module && at.node.start <= start && end <= at.node.end;

export function instanceProblem({ node, module, host, env, isBound, site }: ForeignInstance): Problem {
  const at = `${module.file}:${module.position(node.start).line}`;
  if (isBound) return { code: 'escapes', node: site.request.call, module: site.request.module, detail: { way: 'asked', at }, site };
  if (env !== undefined) return { code: 'base-not-proven', node, module, detail: { env, how: 'instance' }, site };
  return host === undefined
    ? { code: 'too-complex', node, module, detail: {}, site }
    : { code: 'shared-with-other-host', node, module, detail: { host }, site };
}

interface Making {
  readonly node: CallNode;
  readonly module: SourceModule;
  /** The class of it, where that only inherits the call. */
  readonly heir?: ClassValue;
}

interface Made {
  /** Every `new`, and what binds arguments for one, by the class that it makes an instance of. */
  readonly byClass: ReadonlyMap<Node, readonly Making[]>;
  /** Every `new` of which nothing says what it makes. */
  readonly open: ReadonlyMap<CallNode, Making>;
}

function instancesMade(ev: Evaluation): Made {
  const [byClass, open] = [new Map<Node, Making[]>(), new Map<CallNode, Making>()];
  for (const module of ev.world.modules.values()) {
    for (const node of module.calls) {
      const of = node.isNew ? node.callee : boundBy(node);
      if (of === undefined) continue;
      for (const value of optionsOf(ev.evaluate(of, { module, frame: undefined }))) {
        if (node.isNew && (isOpen(value) || value.type === 'function')) open.set(node, { node, module });
        if (value.type !== 'class') continue;
        const own = byClass.get(value.node);
        if (own === undefined) byClass.set(value.node, [{ node, module }]);
        else own.push({ node, module });
      }
    }
  }
  return { byClass, open };
}

/** `Client` in `Client.bind(null, base)` and `Client.bind.apply(Client, [null, base])`. */
function boundBy({ callee, args: [of, ...more] }: CallNode): Expression | undefined {
  if (callee.kind !== 'member' || more.length === 0) return undefined;
  // A method of its own by that name is given something else first: `Model.bind('change', listener)`.
  if (callee.property === 'bind') return of?.kind === 'string' || of?.kind === 'template' ? undefined : callee.object;
  return isNamed(callee.object, 'bind') && of?.kind !== 'spread' ? of : undefined;
}

const isNamed = (node: Expression, property: string): boolean => node.kind === 'member' && node.property === property;

/** Which port it has may be reckoned when a test runs. */
function hostOf(url: readonly Part[] = [], bases: Bases): string[] {
  const match = matchUrl(flat(url), bases);
  return match.kind === 'foreign' ? [match.host] : [];
}

/**
 * @param isTold whether it is told already that nobody knows what a variable says
 * @param isStage whether what is asked there stands in for the service, where one instance may ask either, and the call is seen to do so
 */
function otherBase(
  value: ReturnType<typeof madeBySink>,
  bases: Bases,
  isTold: (env: string) => boolean,
  isStage: (host: string, url: readonly Part[], ours: readonly (readonly Part[])[]) => boolean,
): Pick<ForeignInstance, 'host' | 'env'> | undefined {
  const asked = optionsOf(value).flatMap((http) => {
    const url = http.type === 'http' ? joinUrl(http.base, http.url, http.join ?? 'slash') : undefined;
    return url === undefined ? [] : optionsOf(url).map((option) => ({ url: partsOf(option), method: undefined, isPrefix: false }));
  });
  const known = asked.map((each) => ({ url: each.url, verdict: verdictOf(each, withDefaultFor(each, asked, bases)) }));
  // The path may be what a method is given.
  const ours = known.flatMap(({ url, verdict }) => (hasOurBase.has(verdict.kind) ? [url] : []));
  const [host] = known.flatMap(({ url, verdict }) => {
    const other = verdict.kind === 'foreign' ? verdict.host : hostBefore(url, bases);
    return other === undefined || isStage(other, url, ours) ? [] : other;
  });
  if (host !== undefined) return { host, env: undefined };
  const isOurs = (url: readonly Part[]): boolean => ours.some((each) => followsDefault({ url }, { url: each }, bases));
  const [env] = known.flatMap(({ url, verdict }) => (verdict.kind === 'unproven' && !isOurs(url) ? (verdict.env ?? []) : []));
  return env === undefined || isTold(env) ? undefined : { host: undefined, env };
}

/** Another host that the whole path is put behind: `` `${base}${path}` `` with a base that is one. A test may have it in the place of ours. */
function hostBefore(url: readonly Part[], { v1 }: Bases): string | undefined {
  const [base, path] = url;
  if (base === undefined || !('text' in base) || path === undefined || 'text' in path) return undefined;
  if (base.source !== undefined && isTest(base.source.module)) return undefined;
  const [, host] = /^https?:\/\/([a-z0-9.-]+\.[a-z]{2,}(?::\d+)?)$/i.exec(base.text) ?? [];
  return host === undefined || v1.some((each) => new URL(each).host === host.toLowerCase()) ? undefined : host;
}
