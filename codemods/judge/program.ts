/** What a run knows before anything is judged: the files, what their analysis gave, and what the bases are. */
import type { TextPlan } from '../component/analyse-text.ts';
import type { ComponentFile } from '../component/component-file.ts';
import type { ComponentResult } from '../component/component.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Scan } from '../find/scan.ts';
import type { Walk } from '../find/walk.ts';
import type { Finding } from '../model.ts';
import type { Analysed } from '../run/analyse.ts';
import type { Surroundings } from '../run/surroundings.ts';
import { positionsOf } from '../syntax/position.ts';
import type { CandidateCall } from '../verdict/bases/candidates.ts';
import { allowedAt, allowLines, findingOf, type IsOpen } from '../verdict/directive-comments.ts';
import type { Bases } from '../verdict/bases/routes.ts';

export interface Program {
  readonly walked: Walk;
  readonly found: Scan;
  /** The bases that the user gave. */
  readonly bases: Bases;
  /** The same with the variables that files prove to hold one. */
  readonly named: Bases;
  readonly resolve: Resolve;
  readonly isMadeHere: Surroundings['isMadeHere'];
  readonly isHere: Surroundings['isHere'];
  /** Files beside the code that could not be read. */
  readonly faults: readonly Finding[];
  /** Files of each component of the import graph, and what its analysis gave. */
  readonly components: readonly (readonly ComponentFile[])[];
  readonly results: readonly ComponentResult[];
  /** Files that are no scripts. */
  readonly beside: readonly TextPlan[];
  /** Calls of which it is open whose they are, in scripts and beside them. */
  readonly candidates: readonly CandidateCall[];
  /** The text of a file. */
  readonly textIn: (file: string) => string;
  /** Whether nobody says of a place that what it holds may move. */
  readonly isOpen: IsOpen;
  /** What a comment or the user said may move, by its place, as far as `isOpen` was asked. */
  readonly allowed: ReadonlyMap<string, Finding>;
}

export function programOf(
  walked: Walk,
  { found, named, isMadeHere, isHere, faults }: Surroundings,
  { components, results }: Analysed,
  beside: readonly TextPlan[],
  bases: Bases,
  resolve: Resolve,
): Program {
  const textIn = (path: string): string => found.texts.utf8(path);
  return {
    walked,
    found,
    bases,
    named,
    resolve,
    isMadeHere,
    isHere,
    faults,
    components,
    results,
    beside: beside.map(withoutRefused(results)),
    candidates: [...results, ...beside].flatMap((member) => member.candidates),
    textIn,
    ...openIn(textIn, bases),
  };
}

/** What a file of settings leaves by itself, code that parses it may still move. */
function withoutRefused(results: readonly ComponentResult[]): (plan: TextPlan) => TextPlan {
  const edited = new Set(results.flatMap(({ edits }) => edits.flatMap(({ file }) => (/\.(?:ya?ml|toml)$/.test(file) ? file : []))));
  return (plan) =>
    plan.refused.some(({ file }) => edited.has(file)) ? { ...plan, refused: plan.refused.filter(({ file }) => !edited.has(file)) } : plan;
}

function openIn(textIn: Program['textIn'], bases: Bases): Pick<Program, 'isOpen' | 'allowed'> {
  const sources = new Map<string, SourceText>();
  const allowed = new Map<string, Finding>();
  const isOpen: IsOpen = ({ file, start, end }) => {
    const text = textIn(file);
    const source = sources.get(file) ?? { file, text, position: positionsOf(text) };
    if (!sources.has(file)) allowLines(source, bases.allowed?.get(file));
    sources.set(file, source);
    const found = allowedAt(source, start, end);
    if (found !== undefined) allowed.set(`${file} ${found.start}`, { file, start, end, ...source.position(start), ...findingOf(found) });
    return found === undefined;
  };
  return { isOpen, allowed };
}
