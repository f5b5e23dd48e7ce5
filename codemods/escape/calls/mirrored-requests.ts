/**
 * Requests to other services that are made of ours: by a hook of our client with what it is given, `fetch(mirror + config.url, { headers: config.headers })`, or
 * of what an answer says was asked, `axios({ ...response.config, baseURL })`. What would change goes there, too, and so it stays.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { flat } from '../../evaluate/values/text.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Expression, NameNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { hookedIn } from '../flow/functions/hooks.ts';
import { sentThrough } from '../paths/sent-through.ts';
import type { Problem } from '../problems.ts';

/** A name is followed to what it was made of through so many others. */
const maxNames = 4;

/**
 * @param open ours that nothing speaks against
 * @returns for each such request what it forbids
 */
export function mirroredRequests(ev: Evaluation, sites: readonly RequestSite[], open: readonly RequestSite[]): Problem[][] {
  const real = open.filter(({ request }) => !request.isMock);
  if (real.length === 0) return [];
  const problems = sites.flatMap((site): Problem[] => {
    const { call, module } = site.request;
    if (call.kind !== 'call' || !isScript(module)) return [];
    const given = givenElsewhere(site, call, module);
    const changes = new Set(given.flatMap((each) => originsOf(each, module)).flatMap((origin) => changesOf(ev, origin, real)));
    return [...changes].map((change) => ({ ...aboutCall(site, call, module), change }));
  });
  return [...Map.groupBy(problems, ({ module, node }) => `${module.file} ${node.start}`).values()];
}

function aboutCall({ verdict }: RequestSite, node: CallNode, module: SourceModule): Omit<Problem, 'change'> {
  if (verdict.kind === 'foreign') return { code: 'shared-with-other-host', node, module, detail: { host: verdict.host } };
  return { code: 'escapes', node, module, detail: { way: 'asked' } };
}

/** What a request to another host is given that decides where it goes, or what it says of itself. */
function givenElsewhere({ verdict, request: { url = [] } }: RequestSite, call: CallNode, module: SourceModule): Expression[] {
  const [target, ...more] = call.args.flatMap((arg) => (arg.kind === 'spread' ? arg.argument : arg));
  if (target === undefined) return [];
  const isOther = verdict.kind === 'foreign' ? !verdict.isMadeUp : verdict.kind === 'unproven' && /^https?:/.test(flat(url));
  const isReplaced = !isOther && verdict.kind === 'unproven' && hasOtherPart(target, module);
  if (!isOther && !isReplaced) return [];
  // What stands in a query is told, as to a log.
  const isPath = isReplaced || !flat(url).includes('?');
  return [...(target.kind === 'object' ? partsOf(target) : isPath ? [target] : []), ...more.flatMap(partsOf)];
}

/** Where nobody knows the host, something may be put in its place: `request.url.replace('api.example.com', mirror)`. */
function hasOtherPart(node: Node, module: SourceModule, depth = 0): boolean {
  let isFound = false;
  walk(node, (each) => {
    isFound ||= each.kind === 'member' && /^replace(?:All)?$/.test(each.property ?? '');
    const owner = each.kind === 'name' && depth < maxNames ? module.scopes.bindingOf(each)?.owner : undefined;
    isFound ||= owner?.kind === 'variable' && owner.init !== undefined && hasOtherPart(owner.init, module, depth + 1);
    return !isFound;
  });
  return isFound;
}

/** Of options that are written those which say where to and with what headers. */
const partsOf = (node: Expression): Expression[] =>
  node.kind !== 'object'
    ? [node]
    : node.properties.flatMap((each) => (each.kind === 'spread' ? each.argument : deciding.test(each.name ?? '') ? each.value : []));
const deciding = /^(?:headers?|url|baseURL|path|pathname)$/;

interface Origin {
  readonly root: NameNode | CallNode;
  readonly module: SourceModule;
  /** The properties that it is read by. */
  readonly path: readonly string[];
}

/** The parameters, and answers of calls, that something is made of. */
function originsOf(node: Node, module: SourceModule, more: readonly string[] = [], depth = 0): Origin[] {
  const found: Origin[] = [];
  walk(node, (each) => {
    if (each.kind === 'call') found.push({ root: each, module, path: [...pathAbove(each), ...more] });
    if (each.kind !== 'name') return;
    const owner = module.scopes.bindingOf(each)?.owner;
    const path = [...pathAbove(each), ...more];
    if (owner?.kind === 'param') found.push({ root: each, module, path });
    if (owner?.kind !== 'variable' || owner.init === undefined || depth === maxNames) return;
    const taken = owner.target.kind === 'objectPattern' ? takenBy(owner.target.properties, each.name) : [];
    found.push(...originsOf(owner.init, module, [...taken, ...path], depth + 1));
  });
  return found;
}

const takenBy = (properties: readonly { readonly name?: string; readonly target: Node }[], name: string): readonly string[] =>
  properties.flatMap((each) => (each.target.kind === 'patternName' && each.target.name === name ? (each.name ?? []) : []));

function pathAbove(node: Node): readonly string[] {
  const path: string[] = [];
  let at = node.parent?.kind === 'await' ? node.parent : node;
  for (; at.parent?.kind === 'member' && at.parent.object === at; at = at.parent) path.push(at.parent.property ?? '');
  return path;
}

/** What all headers of a request are had by; of one of them alone others say more. */
const whole = /^(?:config|options|init|request|req|headers?|url|path|href|toJSON|entries|toString|replace(?:All)?|slice|baseURL)$/;

function changesOf(ev: Evaluation, { root, module, path }: Origin, real: readonly RequestSite[]): readonly Change[] {
  if (!path.every((name) => whole.test(name))) return [];
  if (root.kind === 'call') {
    if (path[0] !== 'config' && path[0] !== 'request') return [];
    return real.flatMap(({ request, changes }) => (request.call === root ? changes.slice(0, 1) : []));
  }
  const owner = module.scopes.bindingOf(root)?.owner;
  const clients = [...functionsAround(root)]
    .filter((fn) => fn.params.some((param) => param === owner))
    .flatMap((fn) => hookedIn(ev)(fn, module));
  return sentThrough(clients, real);
}
