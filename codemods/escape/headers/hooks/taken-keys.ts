/**
 * Code that a request of ours goes through and that takes Authorization out of it, or lets v1's header alone through. The key would go as it is moved there, and
 * the request be answered 401: its call stays until a person has seen to that.
 */
import { isAuthorization, isKeyHeader, v1Auth, v2Auth } from '../../../../src/contract/auth.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isScript } from '../../../evaluate/module.ts';
import { functionsAround } from '../../../requests/left-to-default.ts';
import type { Node } from '../../../syntax/tree.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';
import type { Escape } from '../../escapes.ts';
import { getsAnswers, hookedIn } from '../../flow/functions/hooks.ts';
import { sentThrough } from '../../paths/sent-through.ts';
import { passingIn } from '../lists/allowed-names.ts';
import { authorizationReadsHolding } from '../reads/authorization-reads-holding.ts';
import { leftOutByBeginning } from './left-out-by-beginning.ts';
import { leftOutByHooks } from './left-out.ts';

/** @param reported escapes that are known: a line is reported once */
export function takenKeysOf(ev: Evaluation, sites: readonly RequestSite[], reported: readonly Escape[]): Escape[] {
  const real = sites.filter(({ verdict, request, keys }) => verdict.kind === 'ours' && !request.isMock && keys.length > 0);
  if (real.length === 0) return [];
  const known = new Set(reported.map(lineOf));
  return [
    ...real.flatMap(takenFrom),
    ...leftOutOf(ev, real),
    ...leftOutByHooks(ev, real),
    ...leftOutByBeginning(ev, real),
    ...askedOf(ev, real),
  ].filter((escape) => !known.has(lineOf(escape)));
}

const lineOf = ({ module, node }: Escape): string => `${module.file} ${module.position(node.start).line}`;

/** `delete config.headers.Authorization`, `config.headers.clear(/^x-/)`, where the key is not put in after that. */
function takenFrom({ request: { takings }, changes }: RequestSite): Escape[] {
  const change = changes.find(({ what }) => what === 'header name');
  return takings.flatMap(({ entry, after }): Escape[] => {
    const { node, module } = entry;
    const isTaken = isAuthorization(entry.name) || (isKeyHeader(entry.name) && isClearing(node));
    if (!isTaken || after.some(({ name }) => isKeyHeader(name)) || change === undefined || !isScript(module)) return [];
    return [{ change, node, module, name: isKeyHeader(entry.name) ? v1Auth.field : v2Auth.fieldName, way: 'read' }];
  });
}

/** A pattern that takes v1's header away, and leaves v2's. */
const isClearing = (node: Node): boolean => node.kind === 'call' && node.callee.kind === 'member' && node.callee.property === 'clear';

/** `if (!['x-api-key', 'accept'].includes(name)) headers.delete(name)` in a hook of the client. */
function leftOutOf(ev: Evaluation, real: readonly RequestSite[]): Escape[] {
  const hooked = hookedIn(ev);
  return [...ev.world.modules.values()].flatMap((module) =>
    passingIn(ev, module).flatMap(({ name, by }) => {
      const clients = by.flatMap((use) => [...functionsAround(use.node)].flatMap((fn) => hooked(fn, use.module)));
      return sentThrough(clients, real).map((change): Escape => ({ change, node: name, module, name: v1Auth.field, way: 'read' }));
    }),
  );
}

/** `if (config.headers.Authorization) await refresh()` in a hook of the client. */
function askedOf(ev: Evaluation, real: readonly RequestSite[]): Escape[] {
  return authorizationReadsHolding(ev).flatMap(({ node, module }) => {
    const around = [...functionsAround(node)].filter((fn) => !getsAnswers(fn));
    const clients = around.flatMap((fn) => hookedIn(ev)(fn, module));
    return sentThrough(clients, real).map((change): Escape => ({ change, node, module, name: v2Auth.fieldName, way: 'read' }));
  });
}
