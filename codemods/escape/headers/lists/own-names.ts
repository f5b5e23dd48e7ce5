/** Names of the header that a server of the user's own goes by, too: with these it stays as it is. */
import { isKeyHeader } from '../../../../src/contract/auth.ts';
import type { Place } from '../../../evaluate/budget.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import { isScript } from '../../../evaluate/module.ts';
import { optionsOf, partsOf, plainText } from '../../../evaluate/values/values.ts';
import { once } from '../../../once.ts';
import type { CallNode, Node } from '../../../syntax/tree.ts';
import type { NamedPlace } from '../../../verdict/changes/kept-names.ts';
import { receiverOf } from '../../../verdict/key-mentions.ts';
import { isNameChange } from '../../../verdict/changes/spans.ts';
import type { DataflowQuery } from '../../flow/dataflow-query.ts';
import { isOfServer } from '../../servers/own-routes.ts';
import { headerReads } from '../reads/reads.ts';

/** The expressions by which servers of the program read the header of what arrives: those of tests may stand in for the service. */
export const readByServers = (ev: Evaluation): readonly NamedPlace[] =>
  [...ev.world.modules.values()].flatMap((module) =>
    (isTest(module) ? [] : headerReads(ev, module)).flatMap(({ node, isServer }) =>
      isServer && node.kind !== 'patternProperty' ? [{ node, module }] : [],
    ),
  );

/** The texts that are the names by which servers read it, wherever these stand. */
export const namesReadByServers = (ev: Evaluation): ReadonlySet<Node> =>
  new Set(
    readByServers(ev).flatMap(({ node, module }) =>
      optionsOf(ev.evaluate(node, { module, frame: undefined })).flatMap((name) =>
        partsOf(name).flatMap((part) => ('text' in part && part.source !== undefined ? [part.source.node] : [])),
      ),
    ),
  );

/** Whether a name stands where such a server reads it, or is asked: `request(app).get('/').set(NAME, key)`, `app.inject({ headers: { [NAME]: key } })`. */
export function namedForOwnServer(ev: Evaluation, reads: () => readonly NamedPlace[]): (place: Place) => boolean {
  // `headers[NAME.toLowerCase()]` begins with the constant.
  const read = once(() => new Set(reads().map(({ node, module }) => `${module.file} ${node.start}`)));
  return ({ node, module }) => {
    const { callee } = callAround(node) ?? {};
    return read().has(`${module.file} ${node.start}`) || (callee?.kind === 'member' && isOfServer(ev, callee.object, module));
  };
}

/**
 * The names by which code asks headers of ours for the key, or takes it out of them. Where a constant of these stays, and the header is written out where it is
 * given, they are asked for what nobody puts there. A test that does so fails, and says so.
 * @param query with the names of all that are given
 */
export function askedOfOurs(query: DataflowQuery): readonly NamedPlace[] {
  const { ev } = query;
  const isOfOurs = ({ node, module }: NamedPlace): boolean => {
    const [receiver, before] = [receiverOf(node), query.cut.length];
    return receiver === undefined || query.carried({ node: receiver, module }).some(isNameChange) || query.cut.length > before;
  };
  return [...ev.world.modules.values()]
    .filter((module) => isScript(module) && !isTest(module))
    .flatMap((module): NamedPlace[] => {
      const read = headerReads(ev, module).flatMap(({ node, isServer }): NamedPlace[] =>
        node.kind === 'patternProperty' || (isServer && !isOfOurs({ node, module })) ? [] : [{ node, module }],
      );
      const taken = module.calls.flatMap(({ callee, args: [name] }): NamedPlace[] =>
        callee.kind === 'member' && callee.property === 'delete' && (name?.kind === 'name' || name?.kind === 'member')
          ? [{ node: name, module }]
          : [],
      );
      return [...read, ...taken.filter(({ node }) => isKeyHeader(plainText(ev.evaluate(node, { module, frame: undefined }))))];
    });
}

function callAround(node: Node): CallNode | undefined {
  let at = node.parent;
  while (at !== undefined && at.kind !== 'call' && at.kind !== 'function') at = at.parent;
  return at?.kind === 'call' ? at : undefined;
}
