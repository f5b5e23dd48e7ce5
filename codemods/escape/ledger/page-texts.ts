/** What scripts say of v1 beside their values: the text of a page in JSX, and the codes that types list. The tree has neither. */
import { v1Auth } from '../../../src/contract/auth.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { escaped } from '../../find/words/literals.ts';
import type { Finding } from '../../model.ts';
import { type Bases, routeHeads } from '../../verdict/bases/routes.ts';
import { limitCodes } from '../limits/waits-by-code.ts';
import { isComment } from '../../syntax/comments.ts';
import { valuesOf } from '../answers/old-types.ts';
import { modulesNear } from './reach.ts';

const shown = new RegExp(`(?<![\\w-])${v1Auth.field}(?![\\w-])|(?:${routeHeads.join('|')})(?![\\w-])`, 'gi');
const listed = new RegExp(`(?<=["'])(?:${[...limitCodes].map(escaped).join('|')})(?=["'])`, 'g');

/** @returns one finding for each line of a page */
export function spokenIn(ev: Evaluation, bases: Bases): Finding[] {
  return [...ev.world.modules.values()].flatMap((module) => {
    const { file } = module;
    const places = /\.[jt]sx$/.test(file) ? outsideValues(module, shown) : [];
    if (places.length === 0 || !modulesNear(ev.world, bases).has(module)) return [];
    const lines = new Map(places.toReversed().map((place) => [module.position(place.start).line, place]));
    return [...lines.values()].map(({ start, end }): Finding => {
      return { code: 'mentioned', file, start, end, ...module.position(start), detail: {} };
    });
  });
}

interface Spoken {
  readonly start: number;
  readonly end: number;
  readonly found: string;
}

/** The first code of a limit that a type of the file lists. */
export const listedIn = (module: SourceModule): Spoken | undefined =>
  /\.[cm]?tsx?$/.test(module.file) ? outsideValues(module, listed)[0] : undefined;

function outsideValues(module: SourceModule, pattern: RegExp): Spoken[] {
  const found = [...module.text.matchAll(pattern)];
  const isValue = found.length === 0 ? () => false : valuesOf(module);
  return found.flatMap(({ index: start, 0: text }) =>
    isComment(module.text, start) || isValue(start) ? [] : [{ start, end: start + text.length, found: text }],
  );
}
