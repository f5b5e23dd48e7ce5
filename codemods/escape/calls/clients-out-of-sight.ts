/**
 * Other services that may be asked by a client of a library that has our key, where nobody can see that it is this one: out of what a module or a class keeps,
 * a store, an emitter, a container. What it would ask for there is asked of the library; the key stays as it is.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, moduleOf, type SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { type HttpValue, optionsOf, partsOf, unknown, type Value } from '../../evaluate/values/values.ts';
import { addressOf } from '../../requests/addresses.ts';
import type { CallGraph } from '../../requests/call-graph.ts';
import { requestsOf } from '../../requests/sinks.ts';
import type { CallNode } from '../../syntax/tree.ts';
import type { ChangesByPlace } from '../../verdict/changes/changes-by-place.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Bases } from '../../verdict/bases/routes.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import { verdictOf } from '../../verdict/verdicts.ts';
import type { CallOutOfSight } from '../flow/holding.ts';
import { outOfSight } from '../flow/functions/out-of-sight.ts';
import { taintOf } from '../flow/taint.ts';
import type { Problem } from '../problems.ts';

/** A client that is made with our key. */
interface Client {
  readonly node: CallNode;
  readonly module: SourceModule;
  readonly made: readonly HttpValue[];
  readonly keys: readonly Change[];
}

/**
 * @param open ours that nothing speaks against
 * @returns for each call that may ask somebody else what it forbids
 */
export function askedByClientsOutOfSight(
  ev: Evaluation,
  found: CallGraph,
  open: readonly RequestSite[],
  changes: ChangesByPlace,
  bases: Bases,
): Problem[][] {
  const problems = clientsIn(ev, found, open, changes).flatMap((client) =>
    outOfSight(ev, found)
      .callsOfClient(client.node, client.module)
      .flatMap((each) =>
        othersAsked(ev, client, each, bases).flatMap((about) => client.keys.map((change): Problem => ({ ...about, change }))),
      ),
  );
  return [...Map.groupBy(problems, ({ module, node }) => `${module.file} ${node.start}`).values()];
}

function clientsIn(ev: Evaluation, found: CallGraph, open: readonly RequestSite[], changes: ChangesByPlace): Client[] {
  const carries = taintOf(ev, changes, found);
  const origins = new Map<CallNode, SourceModule>();
  for (const { request } of open)
    if (isScript(request.module))
      for (const origin of request.origins)
        if (typeof origin !== 'string' && origin.kind === 'call') origins.set(origin, moduleOf(origin, request.module));
  return [...origins].flatMap(([node, module]) => {
    const made = optionsOf(ev.evaluate(node, { module, frame: undefined })).filter(isClient);
    const keys = new Set(made.flatMap((each) => carries(each)).filter(({ what }) => what === 'header name'));
    return keys.size === 0 ? [] : [{ node, module, made, keys: [...keys] }];
  });
}

const isClient = (value: Value): value is HttpValue => value.type === 'http' && value.stage === 'client';

/** What a call would ask somebody else for, if it were one of the client. */
function othersAsked(ev: Evaluation, { made }: Client, { call, module }: CallOutOfSight, bases: Bases): Omit<Problem, 'change'>[] {
  const at = { module, frame: undefined };
  const { callee } = call;
  const requests = made.flatMap((receiver) => {
    const called: Value =
      callee.kind === 'member' && callee.property !== undefined ? { type: 'method', receiver, path: [callee.property] } : receiver;
    return requestsOf(ev.ask(called, ev.args(call, at), call, at) ?? unknown(call, module));
  });
  const about = { node: call, module };
  for (const request of requests) {
    for (const url of optionsOf(addressOf(request.base, request) ?? unknown(call, module)).map(partsOf)) {
      const verdict = verdictOf({ url, method: undefined, isPrefix: false }, bases);
      // A test has servers of its own.
      if (verdict.kind === 'foreign' && !(verdict.isMadeUp && isTest(module)))
        return [{ ...about, code: 'shared-with-other-host', detail: { host: verdict.host } }];
      const isOpen = verdict.kind === 'unproven' || verdict.kind === 'unknown-route';
      if (isOpen && optionsOf(request.url ?? unknown(call, module)).some(isWhole))
        return [{ ...about, code: 'escapes', detail: { way: 'asked' } }];
    }
  }
  return [];
}

/** Whether an address goes behind no base: `https://${host}/contacts`, `${process.env.CRM_URL}/contacts`. */
function isWhole(url: Value): boolean {
  const [first] = partsOf(url);
  if (first === undefined) return false;
  return 'text' in first ? /^https?:/.test(first.text) : first.unknownPart.type === 'env';
}
