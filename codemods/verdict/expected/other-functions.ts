/**
 * What a test expects a function to be called with that is no client: a logger, a cache, a queue. Where the program gives a function of that name the same
 * text, and nothing of that moves, the expectation stays as it does, whatever else is asked by that path.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { flat } from '../../evaluate/values/text.ts';
import { optionsOf, partsOf, type Part, type Value } from '../../evaluate/values/values.ts';
import { recordsOfFunctions } from '../../clients/testing/expected/recorded.ts';
import { memoOf } from '../../once.ts';
import type { CallNode, Expression, Node, SpreadNode } from '../../syntax/tree.ts';
import { type ChangesByPlace, changesByPlace } from '../changes/changes-by-place.ts';
import type { Reach } from './reached.ts';
import type { RequestSite } from '../request-sites.ts';

const isOpen = ({ request, verdict, changes }: RequestSite): boolean =>
  request.isMock && request.expects !== undefined && request.url !== undefined && verdict.kind === 'ours' && changes.length > 0;

export function withoutOtherFunctions(ev: Evaluation, sites: readonly RequestSite[], reach: Reach): readonly RequestSite[] {
  if (!sites.some(isOpen)) return sites;
  const real = sites.filter(({ request }) => !request.isMock);
  const requests = new Set<Node>(real.map(({ request }) => request.call));
  const moving = changesByPlace(real.flatMap((site) => site.changes));
  const calls = memoOf((module: SourceModule) => Map.groupBy(module.calls, (call) => namedBy(call.callee)?.name));
  const isOfOther = ({ request }: RequestSite): boolean => {
    const { call, module, url = [] } = request;
    const named = isScript(module) ? expectedIn(call, module) : undefined;
    if (named === undefined) return false;
    const program = [...reach.byFile(module)].filter(isScript).filter((each) => !reach.isOfTests(each));
    const found = program.flatMap((each) => (calls(each).get(named.name) ?? []).map((node) => ({ node, module: each })));
    const own = found.filter(({ node }) => namedBy(node.callee)?.owner === named.owner);
    const candidates = own.length > 0 ? own : found;
    if (candidates.some(({ node }) => requests.has(node))) return false;
    const text = flat(url);
    const isSame = (parts: readonly Part[]): boolean => (request.expects === 'part' ? flat(parts).includes(text) : flat(parts) === text);
    const given = candidates.flatMap(({ node, module: of }) =>
      textsGiven(ev, node, of)
        .filter(isSame)
        .map((parts) => ({ parts, node, of })),
    );
    // Of a path below the version, the key that is given with it moves.
    return (
      given.length > 0 && !given.some(({ parts, node, of }) => isMoving(parts, moving) || moving.at(of, node.start, node.end).length > 0)
    );
  };
  return sites.filter((site) => !isOpen(site) || !isOfOther(site));
}

interface Named {
  readonly name: string;
  readonly owner: string | undefined;
}

/** `log.info`, `this.log.info`, `info` */
function namedBy(node: Node): Named | undefined {
  if (node.kind === 'name') return { name: node.name, owner: undefined };
  if (node.kind !== 'member' || node.property === undefined) return undefined;
  const { object } = node;
  return { name: node.property, owner: object.kind === 'name' ? object.name : object.kind === 'member' ? object.property : undefined };
}

/** What the function is called of which something is expected: `expect(log.info)`, `expect(log.info.mock.calls[0][0])`, a name of `vi.spyOn(log, 'info')`. */
function expectedIn(call: Node, module: SourceModule): Named | undefined {
  let at: Node | undefined = call;
  while (at?.kind === 'call' && at.callee.kind === 'member') at = at.callee.object;
  while (at?.kind === 'member') at = at.object;
  const actual = at?.kind === 'call' ? at.args[0] : undefined;
  const of = actual && withoutRecords(actual);
  if (of === undefined) return undefined;
  const spied = of.kind === 'name' ? spiedBy(module.scopes.bindingOf(of)?.owner) : undefined;
  return spied ?? namedBy(of);
}

function withoutRecords(node: Expression | SpreadNode): Node {
  let at: Node = node;
  let of: Node = node;
  for (; at.kind === 'member' || (at.kind === 'call' && at.callee.kind === 'member'); at = at.kind === 'member' ? at.object : at.callee)
    if (at.kind === 'member' && ofRecords.has(at.property ?? '')) of = at.object;
  return of;
}

/** What a function recorded, and what sinon calls a call's arguments; what is asked of servers and adapters, no function got. */
const ofRecords: ReadonlySet<string> = new Set([...recordsOfFunctions, 'lastArg', 'firstArg']);

/** `const spy = vi.spyOn(log, 'info')` */
function spiedBy(owner: Node | undefined): Named | undefined {
  let made: Node | undefined = owner?.kind === 'variable' ? owner.init : undefined;
  while (made?.kind === 'call' && made.callee.kind === 'member' && made.callee.object.kind === 'call') made = made.callee.object;
  if (made?.kind !== 'call') return undefined;
  const [object, name] = made.args;
  if (object === undefined || object.kind === 'spread' || name?.kind !== 'string') return undefined;
  return { name: name.value, owner: object.kind === 'name' ? object.name : object.kind === 'member' ? object.property : undefined };
}

/** Texts that a call gives, and those of options that it gives: `queue.add({ url: '…' })`. */
const textsGiven = (ev: Evaluation, { args }: CallNode, module: SourceModule): (readonly Part[])[] =>
  args.flatMap((arg) => (arg.kind === 'spread' ? [] : optionsOf(ev.evaluate(arg, { module, frame: undefined })).flatMap(textsOf)));

const textsOf = (value: Value): (readonly Part[])[] => {
  if (value.type === 'text') return [partsOf(value)];
  const values = value.type === 'object' ? value.entries.flatMap((entry) => optionsOf(entry.value())) : [];
  return values.flatMap((each) => (each.type === 'text' ? [partsOf(each)] : []));
};

const isMoving = (parts: readonly Part[], moving: ChangesByPlace): boolean =>
  parts.some(
    (part) =>
      'text' in part &&
      part.source !== undefined &&
      moving.at(part.source.module, part.source.start, part.source.start + part.text.length).length > 0,
  );
