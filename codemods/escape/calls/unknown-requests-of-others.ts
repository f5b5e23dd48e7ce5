/**
 * Requests to other hosts of which nobody knows the headers, `fetch(crm, { headers: error.cause })`, or the path, `fetch(crm + error.config.url)`, beside a key or a path of
 * ours that others can get hold of. They may be the same, and the other service would get a Bearer token or be asked for a path of v2: a person has to look.
 */
import { isAuthorization, isKeyHeader } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript } from '../../evaluate/module.ts';
import { flat, unknownPart } from '../../evaluate/values/text.ts';
import type { Node, PropertyNode } from '../../syntax/tree.ts';
import { isMadeUp } from '../../verdict/bases/hosts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Change, isNameChange } from '../../verdict/changes/spans.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import { isOfTest } from '../../verdict/bases/unseen-callers.ts';
import type { Problem } from '../problems.ts';
import { isAskedAlone } from '../paths/asked-alone.ts';
import { relations } from './unresolved-calls.ts';

/** Nothing but the host is known: what follows may go on with its name, but that is no habit. */
const openPath = new RegExp(`^https?://([\\w.-]+\\.[a-z]+(?::\\d+)?)/?${unknownPart}`, 'i');

/**
 * @param all requests of any host
 * @param open ours that nothing speaks against
 * @returns for each request to another host what it forbids
 */
export function mayAskLikeOurs(ev: Evaluation, all: readonly RequestSite[], open: readonly RequestSite[], bases: Bases): Problem[][] {
  const ours = open.filter(({ request }) => !request.isMock && !isOfTest(request));
  const names = ours.flatMap((site) => site.changes.filter((change) => isNameChange(change) && !isInPlace(site, change)));
  const others = new Set(ours.flatMap(({ request: { call, client } }) => (client === 'fetch' ? [] : call)));
  const asked = new Set(ours.flatMap(({ request: { call } }) => (others.has(call) ? [] : call)));
  const paths = ours.flatMap((site) => pathsOf(ev, site, asked).filter((change) => !isInPlace(site, change)));
  if (names.length + paths.length === 0) return [];
  const related = relations(ev);
  return all.flatMap((site): Problem[][] => {
    const { call: node, module, isMock } = site.request;
    const host = otherHost(site, bases);
    if (host === undefined || isMock || !isScript(module) || isOfTest(site.request)) return [];
    const isNear = (change: Change): boolean => related.of(change.module.file) === related.of(module.file);
    const ofHeaders = hasOpenHeaders(site) ? names.filter(isNear) : [];
    const ofPath = openPath.test(flat(site.request.url ?? [])) ? paths.filter(isNear) : [];
    const detail = { host, how: ofHeaders.length > 0 ? 'headers' : 'path' };
    const problems = [...ofHeaders, ...ofPath].map((change): Problem => ({ code: 'shared-with-other-host', node, module, detail, change }));
    return problems.length === 0 ? [] : [problems];
  });
}

/** The host that a request is sent to, if that is somebody else's. */
function otherHost({ verdict, request: { url = [] } }: RequestSite, { v1 }: Bases): string | undefined {
  if (verdict.kind === 'foreign') return verdict.isMadeUp ? undefined : verdict.host;
  const host = verdict.kind === 'unproven' ? openPath.exec(flat(url))?.[1]?.toLowerCase() : undefined;
  return host === undefined || isMadeUp(host, v1) || v1.some((base) => new URL(base).host === host) ? undefined : host;
}

/** Whether its headers are not known, and none of those that are is a key of its own. */
const hasOpenHeaders = ({ mayHoldKey, keys, request: { call, headers } }: RequestSite): boolean =>
  mayHoldKey && keys.length === 0 && ![...headers, ...headersWritten(call)].some(({ name }) => isAuthorization(name) || isKeyHeader(name));

/** `crm.post(url, { headers: { Authorization: … } })`: what is written in a call stands there, whatever else of it was too much to follow. */
const headersWritten = (call: Node): readonly { readonly name?: string }[] =>
  call.kind === 'call'
    ? call.args
        .slice(-1)
        .flatMap((options) => propertiesOf(options).flatMap(({ name, value }) => (name === 'headers' ? propertiesOf(value) : [])))
    : [];

const propertiesOf = (node: Node): readonly PropertyNode[] =>
  node.kind === 'object' && node.properties.every(({ kind }) => kind === 'property')
    ? node.properties.flatMap((each) => (each.kind === 'property' ? each : []))
    : [];

/**
 * What would change in a path that stands for itself, without the host.
 * @param asked the requests that keep nothing of what they ask for: a path that goes into these alone is nobody else's
 */
function pathsOf(ev: Evaluation, { request: { url = [] }, changes }: RequestSite, asked: ReadonlySet<Node>): Change[] {
  const texts = url.flatMap((part) => ('text' in part && part.source !== undefined && /^\/?v1\//.test(part.text) ? part.source : []));
  return changes.filter((change) =>
    texts.some(
      ({ module, node }) =>
        module === change.module &&
        node.start <= change.start &&
        change.end <= node.end &&
        !(isScript(module) && isAskedAlone(ev, { node, module }, (call) => asked.has(call))),
    ),
  );
}

/** Written where it is sent, by what keeps nothing of it: nobody else can take it from there. Other clients hand on what was asked, as `error.config`. */
const isInPlace = ({ request: { call, module, client } }: RequestSite, change: Change): boolean =>
  client === 'fetch' && change.module === module && call.start <= change.start && change.end <= call.end;
