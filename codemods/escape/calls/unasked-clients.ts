/**
 * Clients that are given the key, and of which no request was seen: nobody knows why, and with a base that they share with requests which move they would
 * send v1's header to v2.
 */
import { isKeyHeader } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { optionsOf, partsOf } from '../../evaluate/values/values.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/changes/spans.ts';
import type { Problem } from '../problems.ts';
import { type Suspicious, suspicious } from '../ledger/suspicious.ts';

/** @returns for each such client what it forbids: the edits of its base */
export function unaskedClients(ev: Evaluation, sites: readonly RequestSite[], changes: readonly Change[]): Problem[][] {
  if (changes.length === 0) return [];
  const sent = new Set(sites.flatMap(({ keys }) => keys.map(({ node }) => propertyAround(node))));
  const isUnasked = ({ node }: Suspicious): boolean => node.kind === 'property' && isKeyHeader(node.name) && !sent.has(node);
  return [...ev.world.modules.values()].flatMap((module) =>
    suspicious(module)
      .filter(isUnasked)
      .map(({ node }) =>
        basesGiven(ev, node, module).flatMap((base): Problem[] =>
          changes
            .filter((change) => isIn(change, base))
            .map((change) => ({ code: 'escapes', node, module, detail: { way: 'unasked' }, change })),
        ),
      ),
  );
}

/** A function that a test gives for the key compares it within: `{ 'x-api-key': (key) => key === '…' }`. */
function propertyAround(node: Node): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'property') at = at.parent;
  return at;
}

/** Where the texts stand that the base of a client is made of, which a header is given to. */
function basesGiven(ev: Evaluation, node: Node, module: SourceModule): Pick<Change, 'module' | 'start' | 'end'>[] {
  const calls = [...callsAround(node)];
  const made = calls.flatMap((call) =>
    optionsOf(ev.budget.question({ node: call, module }, () => ev.evaluate(call, { module, frame: undefined })).value),
  );
  return made
    .flatMap((value) =>
      value.type === 'http' && value.stage === 'client' && value.base !== undefined && calls.some((call) => call === value.node)
        ? optionsOf(value.base)
        : [],
    )
    .flatMap((base) => partsOf(base))
    .flatMap((part) =>
      'text' in part && part.source !== undefined
        ? [{ module: part.source.module, start: part.source.start, end: part.source.start + part.text.length }]
        : [],
    );
}

function* callsAround(node: Node): Generator<CallNode> {
  for (let at = node.parent; at !== undefined && at.kind !== 'function'; at = at.parent) if (at.kind === 'call') yield at;
}

const isIn = (change: Change, { module, start, end }: Pick<Change, 'module' | 'start' | 'end'>): boolean =>
  change.module === module && start <= change.start && change.end <= end;
