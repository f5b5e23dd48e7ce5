/** What is declared equal although it is written otherwise, by the path at which it stands. */
import type { Equality } from '../../src/rollout/rules.ts';
import { instantOf } from './instants.ts';
import { isNumber, normalNumber, writtenAs } from './numbers.ts';

export type EqualityKind = Equality['as'];

/** What is declared of a path. */
export type Equalities = (path: string) => EqualityKind | undefined;

export const nothingEqual: Equalities = () => undefined;

/** The equalities that hold for one endpoint. Where several are of one path, what is ignored is ignored, and else the first counts. */
export function equalitiesOf(equalities: readonly Equality[], endpoint: string): Equalities {
  const own = equalities
    .filter((equality) => equality.endpoint === undefined || equality.endpoint === endpoint)
    .map(({ path, as }) => ({ matches: matcherOf(path), as }));
  if (own.length === 0) return nothingEqual;
  const inOrder = [...own.filter(({ as }) => as === 'ignore'), ...own.filter(({ as }) => as !== 'ignore')];
  const known = new Map<string, EqualityKind | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    const as = inOrder.find(({ matches }) => matches(path))?.as;
    if (known.size < mostKnown) known.set(path, as);
    return as;
  };
}

/** Answers have few paths; those of more are looked up each time. */
const mostKnown = 1_000;

function matcherOf(path: string): (path: string) => boolean {
  if (path === '**') return () => true;
  const anywhere = path.startsWith('**.');
  const exact = anywhere ? path.slice('**.'.length) : path;
  const source = exact.replaceAll(/[.*+?^${}()|[\]\\]/g, (character) => (character === '*' ? String.raw`[^.[\]]+` : `\\${character}`));
  const pattern = new RegExp(`^${anywhere ? String.raw`(?:.*\.)?` : ''}${source}$`);
  return (text) => pattern.test(text);
}

/** The same text for scalars that count as the same; only what has the same text is. */
export function scalarKey(value: unknown, as: EqualityKind | undefined): string {
  if (as === 'instant') {
    const instant = instantOf(value);
    if (instant !== undefined) return `instant ${instant}`;
  }
  if (as === 'number') {
    const number = isNumber(value) ? normalNumber(writtenAs(value)) : typeof value === 'string' ? normalNumber(value) : undefined;
    if (number !== undefined) return `number ${number}`;
  }
  if (typeof value === 'string') return `"${value}`;
  return isNumber(value) ? `#${writtenAs(value)}` : String(value);
}
