/**
 * Hosts that a test has others ask than what asks us: `vi.mock('./env', () => ({ API_URL: '…/v1', BILLING_URL: '…/v1' }))` with one host in both, or
 * `new Crm('https://upstream.acme.dev')` beside what sets our variable to the same. Of what is expected there, nobody knows whose that is.
 */
import { replacedModule } from '../../clients/testing/replaced-settings.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { runsTests } from '../../clients/testing/declared-tests.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { settingOf } from '../../evaluate/settings/variables-set.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, type Part, partsOf, type Value } from '../../evaluate/values/values.ts';
import { memo, memoOf, once } from '../../once.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import { envOf } from '../bases/environment.ts';
import type { RequestSite } from '../request-sites.ts';
import { basesPutFor } from './bases-in-tests.ts';
import type { Reach } from './reached.ts';

type ReachOfTests = Pick<Reach, 'isOfTests' | 'byFile' | 'byImports' | 'packagesBy'>;

/**
 * @returns whether a test, or what it is set up with, has others ask a host than requests of ours
 */
export function sharedHosts(
  ev: Evaluation,
  sites: readonly RequestSite[],
  reach: ReachOfTests,
): (host: string, module: SourceText) => boolean {
  const asked = once(() => hostsOfOthers(ev, sites, reach));
  const isOurs = settingsOfOurs(ev, sites, reach);
  const set = memoOf((module: SourceModule) => {
    const settings = settingsIn(ev, module).filter((each) => !isOurs(each));
    return new Set([...settings.map(({ host }) => host), ...givenToPackages(ev, module, reach)]);
  });
  const tests = once(() => [...ev.world.modules.values()].filter(isScript).filter((module) => reach.isOfTests(module)));
  // What sets up a runner does so for all of them.
  const around = memoOf((module: SourceText) => {
    const run = runsTests(module.text) ? reach.byImports(module) : undefined;
    return tests().filter((each) => run?.has(each) !== false);
  });
  const isShared = memoOf((module: SourceText) =>
    memo((host: string) =>
      around(module).some((each) => asked().has(`${each.file} ${host}`) || (mentions(each, host) && set(each).has(host))),
    ),
  );
  return (host, module) => isShared(module)(host.toLowerCase());
}

const mentions = ({ text }: SourceText, host: string): boolean => text.toLowerCase().includes(host);

/** By file, the hosts that its test gives to what asks somebody else, or asks in truth: its own server, say. */
function hostsOfOthers(ev: Evaluation, sites: readonly RequestSite[], reach: ReachOfTests): ReadonlySet<string> {
  const put = basesPutFor(ev, reach);
  const real = sites.filter(({ request }) => !request.isMock);
  const calls = new Set(real.flatMap(({ request, verdict }) => (verdict.kind === 'ours' ? request.call : [])));
  const given = real.filter(({ request, verdict: each }) =>
    each.kind === 'foreign' ? !each.isMadeUp || !calls.has(request.call) : each.kind === 'unproven',
  );
  const asked = real.flatMap(({ request, verdict }) => {
    const { url = [], isAnswered, call } = request;
    const source = url[0] !== undefined && 'text' in url[0] ? url[0].source : undefined;
    const isOurs = isAnswered === true && calls.has(call);
    return verdict.kind !== 'foreign' || isOurs || source === undefined ? [] : keyOf(source.module, url);
  });
  return new Set([...given.flatMap(put).map(({ module, text }) => keyOf(module, partsOf(text))), ...asked]);
}

const keyOf = ({ file }: SourceText, url: readonly Part[]): string => `${file} ${hostIn(url)}`;

const hostIn = (url: readonly Part[]): string => /^https?:\/\/([^/?#]*)/i.exec(flat(url))?.[1]?.toLowerCase() ?? '';

/** An address that a test sets something to, up to the version. */
interface Setting {
  readonly name: string;
  readonly host: string;
  readonly kind: 'property' | 'variable';
  /** What puts it in the place of a file of the program. */
  readonly mock: CallNode | undefined;
}

/** Tells the settings by which our requests get their base. */
function settingsOfOurs(ev: Evaluation, sites: readonly RequestSite[], reach: ReachOfTests): (setting: Setting) => boolean {
  const put = basesPutFor(ev, reach);
  const ours = once(() => sites.filter(({ request, verdict }) => verdict.kind === 'ours' && !request.isMock));
  const variables = once(
    () =>
      new Set(
        ours().flatMap(({ request, variable, given }) => [
          envOf(request.url?.[0])?.name,
          variable?.value.name,
          ...given.map(({ name }) => name),
        ]),
      ),
  );
  const bases = once(() => Map.groupBy(ours().flatMap(put), ({ name }) => name));
  return ({ name, mock }) => {
    const found = bases().get(name) ?? [];
    return mock === undefined ? variables().has(name) || found.length > 0 : found.some(({ call }) => call === mock);
  };
}

/** `process.env.NAME = '…'`, `vi.stubEnv('NAME', '…')`, and what stands in the place of a file of the program: `vi.mock('./env', () => ({ NAME: '…' }))`. */
function settingsIn(ev: Evaluation, module: SourceModule): Setting[] {
  const { program } = module.tree;
  const mocks = module.calls.filter((call) => replacedModule(call) !== undefined || isHoisted(call));
  const mockAround = ({ start, end }: Node): CallNode | undefined => mocks.find((each) => each.start <= start && end <= each.end);
  return [...module.texts, ...nodesOfKind(program, 'name'), ...nodesOfKind(program, 'member'), ...nodesOfKind(program, 'concat')].flatMap(
    (node) => {
      const name = settingOf(node);
      const mock = name === undefined ? undefined : mockAround(node);
      if (name === undefined || !(mock !== undefined || isAssigned(node))) return [];
      return optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((value) => {
        const host = value.type === 'text' ? hostIn(partsOf(value)) : '';
        return host === ''
          ? []
          : { name, host, kind: mock === undefined ? 'variable' : 'property', mock: mock && isHoisted(mock) ? undefined : mock };
      });
    },
  );
}

const isHoisted = ({ callee }: CallNode): boolean => callee.kind === 'member' && callee.property === 'hoisted';

const isAssigned = ({ parent }: Node): boolean =>
  (parent?.kind === 'assign' && parent.target.kind === 'member') ||
  (parent?.kind === 'call' && parent.callee.kind === 'member' && parent.callee.property === 'stubEnv');

/** The hosts that a test gives to packages of which nobody knows what they ask: `new Crm({ host: 'https://…' })` of a service's SDK. */
function givenToPackages(ev: Evaluation, module: SourceModule, reach: ReachOfTests): string[] {
  const isUnread = (call: CallNode): boolean => {
    const root = call.callee.kind === 'member' ? call.callee.object : call.callee;
    const owner = root.kind === 'name' ? module.scopes.bindingOf(root)?.owner : undefined;
    return (
      owner?.kind === 'import' &&
      reach.packagesBy({ call, module }).some((each) => each.module === module && each.specifier === owner.source.value)
    );
  };
  const at = { module, frame: undefined };
  return module.calls
    .filter(isUnread)
    .flatMap((call) => ev.args(call, at).flatMap((value) => optionsOf(value).flatMap(withFields)))
    .flatMap((value) => (value.type === 'text' ? hostIn(partsOf(value)) : []));
}

const withFields = (value: Value): Value[] =>
  value.type === 'object' ? value.entries.flatMap((entry) => optionsOf(entry.value())) : [value];
