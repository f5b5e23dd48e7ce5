/**
 * Headers that are written where a client is made, `axios.create({ headers: { 'x-api-key': key } })`: nobody has them but the client, and what its library keeps of them for
 * others to take, as `error.config.headers`. Where nothing takes any of that, no other request has them, however little is known of its headers.
 */
import { forAllCallers } from '../../evaluate/all-callers.ts';
import type { ClientRule } from '../../evaluate/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, moduleOf } from '../../evaluate/module.ts';
import { optionsOf, type Value } from '../../evaluate/values.ts';
import { memo } from '../../once.ts';
import type { CallNode, Expression, MemberNode, Node, PatternName } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import type { Change } from '../../verdict/spans.ts';
import { type PropertyRead, propertyReads } from '../flow/property-reads.ts';

/** What says nothing of who gets the headers: of anything else, as of an adapter, nobody knows what it does with them. */
const plain =
  /^(?:baseURL|headers|timeout|params|withCredentials|maxRedirects|maxBodyLength|maxContentLength|responseType|validateStatus|httpAgent|httpsAgent|paramsSerializer)$/;

/** @returns what tells of a change of one of our requests whether none but the client it is written in can have it */
export function keptByClientsAlone(ev: Evaluation): (site: RequestSite, change: Change) => boolean {
  const isTaken = memo((origin: CallNode) =>
    memo((library: string): boolean => {
      const rule = ev.rules.find(({ name }) => name === library);
      return (
        rule?.keepsUnder === undefined ||
        isReplaced(ev, origin) ||
        rule.keepsUnder.some((name) => (propertyReads(ev).get(name) ?? []).some((read) => mayTake(ev, read, name, rule, origin)))
      );
    }),
  );
  return ({ request: { client, origins } }, change) =>
    client !== undefined &&
    origins.some(
      (origin) =>
        typeof origin !== 'string' &&
        origin.kind === 'call' &&
        isScript(change.module) &&
        moduleOf(origin, change.module) === change.module &&
        isWrittenIn(origin, change) &&
        !isTaken(origin)(client),
    );
}

/** `axios.create = (options) => …`: nobody knows what that does with the options. */
const isReplaced = (ev: Evaluation, { callee }: CallNode): boolean =>
  callee.kind !== 'member' ||
  callee.property === undefined ||
  (propertyReads(ev).get(callee.property) ?? []).some(({ node }) => node.parent?.kind === 'assign' && node.parent.target === node);

/** Whether a change stands in the options of a call, with nothing around it that anybody else has. */
function isWrittenIn({ args: [options] }: CallNode, { start, end }: Change): boolean {
  if (options?.kind !== 'object') return false;
  const headers = options.properties.find((each) => each.start <= start && end <= each.end);
  return (
    options.properties.every((each) => each.kind === 'property' && each.name !== undefined && plain.test(each.name)) &&
    headers?.kind === 'property' &&
    headers.name === 'headers' &&
    headers.value.kind === 'object' &&
    headers.value.properties.some((each) => each.kind === 'property' && each.keyStart <= start && end <= each.keyEnd)
  );
}

/** What gives the headers of a request when it is called. */
const asking: ReadonlySet<string> = new Set(['getHeaders']);

/** What is read of headers and addresses that are kept; by any other name something else is. */
const ofRequest = /^(?:headers|request)$/;

/** Whether what reads a property of that name may get what a client kept of what it asked. */
function mayTake(ev: Evaluation, { node, module }: PropertyRead, name: string, rule: ClientRule, origin: CallNode): boolean {
  const object = node.kind === 'member' ? node.object : takenFrom(node);
  if (object === undefined) return true;
  const { parent } = node;
  // `this.config.headers` is what a class of the program has, `dotenv.config()` does something, and `error.config.retries` says nothing of a request.
  const isOther = parent?.kind === 'member' && parent.object === node && isOfSomethingElse(parent);
  if (object.kind === 'this' || isOther || (parent?.kind === 'call' && parent.callee === node && !asking.has(name))) return false;
  const { value, isCut } = ev.budget.question({ node, module }, () =>
    forAllCallers(ev, undefined, (frame) => ev.evaluate(object, { module, frame })),
  );
  return isCut || optionsOf(value).some((each) => mayBeMadeBy(each, rule, origin));
}

/** `const { config } = error` */
function takenFrom(name: PatternName): Expression | undefined {
  let at: Node | undefined = name.parent;
  while (at?.kind === 'patternProperty' || at?.kind === 'objectPattern') at = at.parent;
  return at?.kind === 'variable' && name.parent?.kind === 'patternProperty' && name.parent.parent?.parent === at ? at.init : undefined;
}

const isOfSomethingElse = ({ property }: MemberNode): boolean => property !== undefined && !ofRequest.test(property);

/** Whether something may be a client that a call made, or an answer, an error or the options of a request of such a client. */
function mayBeMadeBy(value: Value, { modules }: ClientRule, origin: CallNode): boolean {
  // What is done to the library itself, clients that it makes have nothing of.
  if (value.type === 'http') return value.origins.includes(origin);
  if (value.type === 'external') return modules?.includes(value.source) !== true;
  return !ofProgram.has(value.type);
}

/** What the program itself has made. */
const ofProgram: ReadonlySet<Value['type']> = new Set([
  'text',
  'object',
  'list',
  'function',
  'class',
  'instance',
  'env',
  'literal',
  'namespace',
]);
