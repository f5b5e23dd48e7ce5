/** Addresses of ours that a test expects, whose path v1 has not: `expect(urlOf('/any', { a: 'b' })).toBe('https://api.example.com/v1/any?a=b')`. */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { nodesOf } from '../../evaluate/values/provenance.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import { memo } from '../../once.ts';
import { functionsAround } from '../../requests/left-to-default.ts';
import { walk } from '../../syntax/link.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import { statementAround } from '../statements.ts';
import { isExpected } from './repeats.ts';
import type { Suspicious } from '../ledger/suspicious.ts';

/** @returns those that are expected of what makes the address of a call that moves */
export function expectedAddresses(
  ev: Evaluation,
  modules: readonly SourceModule[],
  sites: readonly RequestSite[],
  isMoved: (site: RequestSite) => boolean,
  bases: Bases,
): Suspicious[] {
  const makers = makersOf(sites.filter((site) => !site.request.isMock && isMoved(site)));
  return modules.flatMap((module) => {
    // What a test itself gives says the address in place of the program.
    const isMade = memo((made: Node) =>
      callsIn(made).some(
        ({ callee, args }) =>
          !args.some(({ start, end }) => /\bv1\b/.test(module.text.slice(start, end))) &&
          functionsIn(ev, callee, module).some((each) => makers.has(each)),
      ),
    );
    const isOfMaker = memo((expectation: Node) => isMade(expectation) || namedIn(expectation, module).some(isMade));
    return module.texts.flatMap((node): Suspicious[] => {
      const match = node.kind === 'string' && node.value.includes('/v1/') ? matchUrl(node.value, bases) : undefined;
      const isOpen = match?.kind === 'ours' && match.versionStart !== undefined && match.route === undefined;
      const isExpectation = isOpen && expectationsOf(node, module).some(isOfMaker);
      return isExpectation ? [{ node, module, start: node.start, end: node.end }] : [];
    });
  });
}

/** What a text is expected in, by its name, too. A list is gone through by a test: `it.each([['/any', 'https://api.example.com/v1/any']])`. */
function expectationsOf(node: Node, module: SourceModule): Node[] {
  const statement = statementAround(node);
  if (isExpected(node, module)) return [statement];
  const { parent } = node;
  if (parent?.kind === 'variable' && parent.target.kind === 'patternName') {
    const references = module.scopes.declaredBy(parent.target)?.references ?? [];
    return references.filter((each) => isExpected(each, module)).map(statementAround);
  }
  let at = node;
  while (at.parent?.kind === 'property' || at.parent?.kind === 'object') at = at.parent;
  if (at.parent?.kind !== 'array') return [];
  return [statement.parent?.kind === 'variable' ? module.tree.program : statement];
}

/** What the variables are made by that stand in an expectation: `const url = urlOf('/any'); expect(url)…`. */
function namedIn(expectation: Node, { scopes }: SourceModule): Node[] {
  const found = new Set<Node>();
  walk(expectation, (each) => {
    const owner = each.kind === 'name' ? scopes.bindingOf(each)?.owner : undefined;
    if (owner?.kind === 'variable' && owner.init !== undefined && owner.init.kind !== 'function') found.add(owner.init);
  });
  return [...found];
}

function callsIn(node: Node): CallNode[] {
  const found: CallNode[] = [];
  walk(node, (each) => {
    if (each.kind === 'call') found.push(each);
  });
  return found;
}

function functionsIn(ev: Evaluation, callee: Node, module: SourceModule): Node[] {
  const { value, isCut } = ev.budget.question({ node: callee, module }, () => ev.evaluate(callee, { module, frame: undefined }));
  return isCut ? [] : optionsOf(value).flatMap((each) => (each.type === 'function' ? each.node : []));
}

/** Functions that make addresses of calls, and do not make these: what those give is an answer. */
function makersOf(sites: readonly RequestSite[]): Set<Node> {
  const parts = sites.flatMap(({ request }) => request.url ?? []);
  const texts = parts.flatMap((part) => ('text' in part ? (part.source?.node ?? []) : []));
  const places = [...texts, ...parts.flatMap((part) => nodesOf(part.provenance).map(({ node }) => node))];
  const asking = new Set(sites.flatMap(({ request }) => [request.call, ...request.callers.map(({ node }) => node)]).flatMap(around));
  return new Set(places.flatMap(around).filter((each) => !asking.has(each)));
}

const around = (node: Node): Node[] => [...functionsAround(node)];
