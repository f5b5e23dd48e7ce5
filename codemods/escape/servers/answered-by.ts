/** Who answers what a test asks of its own machine: the user's own application, or what stands in for the service. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat, sliceParts, unknownPart } from '../../evaluate/values/text.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { optionsOf, type Part, type UnknownPart, type UnknownValue } from '../../evaluate/values/values.ts';
import { cases } from '../../clients/testing/declared-tests.ts';
import { answeringAnyHost } from '../../clients/testing/libraries.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { type Named, namedIn } from '../../verdict/expected/named.ts';
import type { Reach } from '../../verdict/expected/reached.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { isNobodys } from '../../verdict/bases/hosts.ts';
import { isStandIn, type OwnRoute } from '../../verdict/bases/stand-ins.ts';
import { ownRoutesIn, servedIn } from './own-routes.ts';

type Files = ReadonlySet<SourceText>;

/** Who may answer what a test sends to its own machine. */
export interface Answerers {
  /** The routes of the program's own that may. */
  readonly ownRoutes: (site: RequestSite) => readonly OwnRoute[];
  /** Whether it certainly is the program itself, by whatever route. */
  readonly isOfProgram: (site: RequestSite) => boolean;
}

export function answerersOf(ev: Evaluation, reach: Reach): Answerers {
  let all: readonly OwnRoute[] | undefined;
  const isOwn = (module: SourceText): boolean => isScript(module) && !reach.isOfTests(module) && servedIn(ev, module).size > 0;
  return {
    ownRoutes: (site) => {
      all ??= [...ev.world.modules.values()].flatMap((module) => (reach.isOfTests(module) ? [] : ownRoutesIn(ev, module)));
      if (all.length === 0) return [];
      const { verdict } = site;
      const files = filesOfTest(site, reach);
      const isIn = (pattern: RegExp): boolean => [...files].some((each) => reach.isOfTests(each) && pattern.test(each.text));
      const isReplaced =
        (verdict.kind === 'foreign' && isNobodys(verdict.host)) ||
        [...files].some((each) => reach.isOfTests(each) && isReplacedIn(each, site));
      const servers = isReplaced || isIn(serving) ? listeningIn(ev, site, files, reach) : undefined;
      // Where there is a network, and no server of the test at a port that it names, what was started elsewhere may answer: any of the own routes.
      const isElsewhere = servers?.length === 0 && !isReplaced && !hostOf(site.request.url ?? []).includes(unknownPart);
      const run = serverOf(ev, site, reach) ?? (servers === undefined || isElsewhere ? undefined : (union(servers) ?? files));
      return run === undefined ? all : all.filter(({ module }) => run.has(module));
    },
    isOfProgram: (site) => isStandIn(site) && [...(serverOf(ev, site, reach) ?? [])].some(isOwn),
  };
}

/** The files that are run where a request is sent by tests. */
function filesOfTest({ request: { url = [], callers } }: RequestSite, reach: Reach): Files {
  const [first] = url;
  const by = first === undefined ? undefined : 'text' in first ? first.source?.module : originOf(first)?.module;
  const given = [...callers.map(({ module }) => module), ...(by === undefined ? [] : [by])].filter(reach.isOfTests);
  return new Set(given.flatMap((module) => [...reach.byFile(module)]));
}

/** A server of a test's own. */
const serving = /\b(?:createServer|(?:Bun|Deno)\.serve)\b|\.listen\(/;

/** Whether a file puts something in the place of the network, elsewhere than in another case than the one that asks. */
function isReplacedIn(module: SourceText, { request }: RequestSite): boolean {
  if (!isScript(module)) return answeringAnyHost.test(module.text);
  const asking = [{ node: request.call, module: request.module }, ...request.callers].filter((place) => place.module === module);
  const others = module.calls.filter(
    (each) => isCase(each) && asking.length > 0 && !asking.some(({ node }) => each.start <= node.start && node.end <= each.end),
  );
  return [...module.text.matchAll(new RegExp(answeringAnyHost, 'g'))].some(
    ({ index }) => !others.some(({ start, end }) => start <= index && index < end),
  );
}

/** `test('asks', async () => …)`, `it.only(…)` */
function isCase({ callee }: CallNode): boolean {
  const named = callee.kind === 'member' ? callee.object : callee;
  return named.kind === 'name' && cases.has(named.name);
}

/** The files of which the server is made whose address a test has asked for; undefined where that cannot be told. */
function serverOf(ev: Evaluation, { request: { url = [] } }: RequestSite, reach: Reach): Files | undefined {
  const asked = sliceParts(url, 0, hostOf(url).length).filter((part) => 'unknownPart' in part);
  return asked.length === 0 ? undefined : union(asked.map((part) => madeOf(ev, part, reach)));
}

const hostOf = (url: readonly Part[]): string => /^(?:https?:\/\/)?[^/?#]*/i.exec(flat(url))?.[0] ?? '';

/** `server.address().port`, by what `server` is; where a helper is given it, by what its callers give. */
function madeOf(ev: Evaluation, part: UnknownPart, reach: Reach): Files | undefined {
  const { node, module } = originOf(part) ?? {};
  if (node === undefined || module === undefined || !isScript(module) || !reach.isOfTests(module)) return undefined;
  const named = namedIn(node, module);
  const isMade = [...named.parts()].some(({ start, end }) => making.test(module.text.slice(start, end)));
  if (!isMade && [...named.specifiers].every(({ size }) => size === 0)) return undefined;
  const own = reachedBy(ev, named, module, reach);
  if (!named.isGiven) return own;
  const calls = nodesOf(part.provenance).filter(({ node: { kind }, module: by }) => kind === 'call' && reach.isOfTests(by));
  return calls.length === 0
    ? undefined
    : union([own, ...calls.map((call) => reachedBy(ev, namedIn(call.node, call.module), call.module, reach))]);
}

/** What it is before any name has it. */
const originOf = ({ unknownPart: value }: UnknownPart): Pick<UnknownValue, 'node' | 'module'> | undefined =>
  value.type === 'unknown' ? value : nodesOf(value.provenance).at(-1);

const making = /\b(?:createServer|(?:Bun|Deno)\.serve)\(|\.listen\(/;

/** The files of each server that may answer at the address that a test gives; undefined for those of which they cannot be told. */
function listeningIn(ev: Evaluation, { request: { url = [] } }: RequestSite, files: Files, reach: Reach): readonly (Files | undefined)[] {
  const { port, protocol } = URL.parse(hostOf(url)) ?? {};
  if (protocol === undefined) return [undefined];
  const asked = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  const calls = [...files].filter(isScript).flatMap((module) => module.calls.map((call) => ({ call, module })));
  const servers = calls.flatMap(({ call, module }) => {
    const ports = listening.test(nameOf(call)) ? portsOf(ev, call, module) : [];
    const isThere = ports.some((each) => each === undefined || each === asked);
    // At a port that only the server knows, any that is told to find one may answer.
    const mayBeThere = isThere || (ports.includes('0') && hostOf(url).includes(unknownPart));
    const server = mayBeThere ? servedBy(call) : passedOn(call, module);
    return server === undefined ? [] : { server, module, isFound: !isThere && mayBeThere };
  });
  return servers.flatMap(({ server, module, isFound }): (Files | undefined)[] => {
    if (!reach.isOfTests(module)) return [reach.byImports(module)];
    const named = namedIn(server, module);
    if (!named.isGiven) return [reachedBy(ev, named, module, reach)];
    return isFound ? [] : [undefined];
  });
}

const listening = /^(?:listen|serve|start)$/;

/** `server.listen(3000, done)`, by the server; `serve({ fetch: app.fetch, port: 3000 })`, by all that it is given. */
const servedBy = (call: CallNode): Node => (call.callee.kind === 'member' && nameOf(call) !== 'serve' ? call.callee.object : call);

const nameOf = ({ callee }: CallNode): string =>
  (callee.kind === 'member' ? callee.property : callee.kind === 'name' ? callee.name : '') ?? '';

/** `fetch: (input, init) => app.request(input, init)`: an application that is given what is asked, without a network. */
function passedOn({ callee, args: [first] }: CallNode, { scopes }: SourceModule): Node | undefined {
  if (callee.kind !== 'member' || !/^(?:request|fetch|inject|handle|dispatch|emit)$/.test(callee.property ?? '')) return undefined;
  let isGiven = false;
  if (first !== undefined)
    walk(first, (node) => {
      isGiven ||= node.kind === 'name' && scopes.bindingOf(node)?.owner.kind === 'param';
    });
  return isGiven ? callee.object : undefined;
}

/** The ports that it may listen at: `listen(3000)`, `listen({ port: 3000 })`; undefined for one that is not known. */
function portsOf(ev: Evaluation, { callee, args: [first] }: CallNode, module: SourceModule): (string | undefined)[] {
  if (first === undefined) return callee.kind === 'member' && callee.property === 'listen' ? [] : [undefined];
  const given = first.kind === 'object' ? first.properties.find((each) => each.kind === 'property' && each.name === 'port') : first;
  const node = given?.kind === 'property' ? given.value : given;
  if (node === undefined || node.kind === 'spread' || node.kind === 'function') return [undefined];
  return optionsOf(ev.evaluate(node, { module, frame: undefined })).map((value) =>
    value.type === 'literal'
      ? `${value.value}`
      : value.type === 'text' && !flat(value.parts).includes(unknownPart)
        ? flat(value.parts)
        : undefined,
  );
}

const reachedBy = (ev: Evaluation, { specifiers }: Named, module: SourceModule, reach: Reach): Files =>
  new Set(
    [...specifiers]
      .flatMap((each) => [...each])
      .flatMap((specifier) => {
        const from = ev.world.resolve(module, specifier);
        return from === undefined ? [] : [...reach.byImports(from)];
      }),
  );

const union = (all: readonly (Files | undefined)[]): Files | undefined =>
  all.includes(undefined) ? undefined : new Set(all.flatMap((each) => [...(each ?? [])]));
