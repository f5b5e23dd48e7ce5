/** A key that code adds where a request goes to another host: `if (config.url.startsWith('https://shop.example.net')) config.headers['x-api-key'] = shopKey`. */
import { wayTo } from '../../clients/servers/guards.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/test-files.ts';
import { nodesOfKind } from '../../syntax/link.ts';
import type { Node } from '../../syntax/tree.ts';
import { isLocal } from '../../verdict/hosts.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';
import { type Bases, matchUrl } from '../../verdict/routes.ts';
import type { Escape } from '../escapes.ts';
import { followerOf, testsOf } from '../paths/path-decisions.ts';

export function hostDecisionsOf(ev: Evaluation, sites: readonly RequestSite[], bases: Bases): Escape[] {
  const asked = [...ev.world.modules.values()].flatMap((module) => (isTest(module) ? [] : hostsAskedFor(module, bases)));
  if (asked.length === 0) return [];
  const real = sites.filter(({ verdict, request, changes: [first] }) => verdict.kind === 'ours' && !request.isMock && first !== undefined);
  const tests = Map.groupBy(
    testsOf(ev, real).filter(({ module }) => !isTest(module)),
    ({ test }) => test,
  );
  if (tests.size === 0) return [];
  const follow = followerOf(ev, () => false);
  return asked.flatMap(({ node, module, host }) =>
    follow({ node, module }).flatMap((place): Escape[] => {
      // Where it is read of what asks whether it is another, it is turned.
      const isTurned = place.node !== node && isNegative(questionAt(node));
      return around(place.node)
        .flatMap((test) => tests.get(test) ?? [])
        .filter((test) => isReachedBy(place.node, test.node, isTurned))
        .map(({ change }) => ({ change, node, module, name: '', code: 'shared-with-other-host', host }));
    }),
  );
}

function around(node: Node): Node[] {
  const found: Node[] = [];
  for (let at: Node | undefined = node; at !== undefined; at = at.parent) found.push(at);
  return found;
}

const bareHost = /^(?:[a-z\d-]+\.)+[a-z]{2,}$/i;

interface Asked {
  readonly node: Node;
  readonly module: SourceModule;
  readonly host: string;
}

/** Texts that a URL, or a part of it, is held against, and that are of somebody else, or the names of constants that are. */
function hostsAskedFor(module: SourceModule, bases: Bases): Asked[] {
  return nodesOfKind(module.tree.program, 'string').flatMap((text) => {
    const isBare = bareHost.test(text.value);
    if (!isBare && !/^https?:\/\//.test(text.value)) return [];
    const nodes = [text, ...readsOf(text, module)].filter((node) => isHeldAgainstUrl(node, module));
    const verdict = nodes.length === 0 ? undefined : matchUrl(isBare ? `https://${text.value}/` : text.value, bases);
    return verdict?.kind === 'foreign' && !isLocal(verdict.host) ? nodes.map((node) => ({ node, module, host: verdict.host })) : [];
  });
}

const readsOf = ({ parent }: Node, { scopes }: SourceModule): readonly Node[] =>
  parent?.kind === 'variable' && parent.target.kind === 'patternName' ? (scopes.declaredBy(parent.target)?.references ?? []) : [];

/** `config.url.startsWith(…)`, `new URL(url).hostname === …`, `case …:`. */
function isHeldAgainstUrl(node: Node, { text }: SourceModule): boolean {
  const { parent } = node;
  const isCompared =
    (parent?.kind === 'binary' && /^[=!]==?$/.test(parent.operator)) ||
    (parent?.kind === 'call' &&
      parent.callee.kind === 'member' &&
      /^(?:startsWith|includes|endsWith)$/.test(parent.callee.property ?? '')) ||
    (parent?.kind === 'other' && parent.what === 'CaseClause');
  const around = parent?.kind === 'other' ? parent.parent : parent;
  return isCompared && /url|host|origin/i.test(text.slice(around?.start, parent?.kind === 'other' ? parent.start : around?.end));
}

/** The whole of what is asked about it. */
function questionAt(node: Node): Node {
  let at = node;
  while (at.parent !== undefined && (at.parent.kind === 'call' || at.parent.kind === 'member' || at.parent.kind === 'binary'))
    at = at.parent;
  return at;
}

const isNegative = (question: Node): boolean =>
  (question.kind === 'binary' && question.operator.startsWith('!')) !==
  (question.parent?.kind === 'unary' && question.parent.operator === '!');

/** @param isTurned whether it holds where the host is not the other's */
function isReachedBy(asked: Node, node: Node, isTurned: boolean): boolean {
  const { parent } = asked;
  if (parent?.kind === 'other' && parent.what === 'CaseClause') return isWithin(parent, node);
  const question = questionAt(asked);
  const way = wayTo(question, node);
  return way !== undefined && (way === 'where it holds') === (isNegative(question) === isTurned);
}

const isWithin = (around: Node, { start, end }: Node): boolean => around.start <= start && end <= around.end;
