/**
 * Which files of a component have to be looked at. What is suspicious flows through names: into what mentions them, and out of what
 * they are made of. A file that mentions none of these names can neither carry what would be edited nor use it.
 *
 * Only what a configured base flows into is ever edited, so everybody who uses that is looked for first, and what stands there is
 * followed (`Slice.isFollowed`). What is suspicious elsewhere is only reported: it is looked at with what it is made of, and with those
 * who use it and may have something to say of a request.
 */
import type { SourceModule } from '../../evaluate/module.ts';
import { memo } from '../../once.ts';
import { holding } from './marks.ts';
import { Slicer } from './slicer.ts';
import type { SliceFile, Sources } from './sources.ts';
import type { Unit } from './outline.ts';
import type { Place, Visited } from './visited.ts';

/** How long files may be that are looked at before it is asked whether so many have to be. */
const alwaysLooked = 1_000_000;
/** How much longer they may be than those that a base flows into by its names alone. */
const maxTimes = 1.5;

export type { Place } from './visited.ts';

export interface Slice {
  /** The files that matter, parsed, in the given order. */
  readonly modules: readonly SourceModule[];
  /** Whether everybody was looked for who may use what stands at a place. */
  isFollowed(file: string, offset: number): boolean;
  /** What a base may flow into: what was followed, and what that is made of. */
  readonly near: Near;
  /** Whether who uses what may be edited was looked for, wherever it is needed near a base. */
  readonly isWhole: boolean;
}

export interface Near {
  has(file: string, offset: number): boolean;
  /** How long it is … */
  readonly characters: number;
  /** … and what stands beside it in its files. */
  readonly beside: number;
  /** The files that say a base themselves, and those that say something else of v1: its header, a route. */
  readonly closest: readonly ReadonlySet<string>[];
}

/** @param places what is to be followed besides, as it turned out to be edited: then with all who use what else may be */
export function slice(files: readonly SliceFile[], given: Sources, places: readonly Place[] = []): Slice {
  const sources: Sources = { ...given, load: memo((file) => given.load(file)) };
  const holdingBase = new Set(files.flatMap(({ file, isCandidate }) => (isCandidate && sources.isNear(sources.text(file)) ? file : [])));
  // Where no base is, there is little to advise on: what asks alike is to be given one first.
  const isAny = holdingBase.size > 0 || places.length > 0;
  const reportable = new Set(
    files.flatMap(({ file, isCandidate }) => (isCandidate || (isAny && sources.isReportable(sources.text(file))) ? file : [])),
  );
  const { slicer, isWhole } = nearOf(
    (isEager, most) => {
      const begun = new Slicer(files, sources, reportable, isEager);
      begun.runFrom(holdingBase, most);
      for (const place of places) begun.follow(place);
      return begun;
    },
    places.length > 0 ? Infinity : alwaysLooked,
  );
  const isFollowed = slicer.within(followedIn);
  const isNear = slicer.within(nearIn);
  const followed = slicer.followed();
  const lengths = slicer.lengths();
  slicer.goFar(alwaysLooked);
  const found = (): SourceModule[] => [
    ...files.flatMap(({ file }) => (reportable.has(file) || slicer.isUsed(file) ? (slicer.moduleOf(file) ?? []) : [])),
    ...slicer.beside().flatMap((file) => slicer.moduleOf(file) ?? []),
  ];
  const put = (): ReadonlySet<string> =>
    sources.namesPutIn(found(), {
      isIn: (file) => followed.has(file) || slicer.takes(file),
      has: either(isFollowed, slicer.taking()),
    });
  let names: ReadonlySet<string> = new Set();
  // Who takes what is ours may put it under another name.
  for (let next = put(); next.size > names.size; next = put()) {
    names = next;
    const isTaker = holding(names);
    for (const { file } of files) slicer.share(file, isTaker);
    slicer.run();
  }
  const candidates = new Set(files.flatMap(({ file, isCandidate }) => (isCandidate ? file : [])));
  const near: Near = { has: either(isNear, slicer.taking()), ...lengths, closest: [holdingBase, candidates] };
  return { modules: found(), isFollowed, near, isWhole };
}

// What is told of a slice keeps nothing of what was read on the way, as functions that are made within another's would.
const followedIn = ({ tainted }: Visited): Iterable<Unit> => tainted;
const nearIn = ({ tainted, needed }: Visited): Iterable<Unit> => [...tainted, ...needed];
const either =
  (one: Near['has'], other: Near['has']): Near['has'] =>
  (file, offset) =>
    one(file, offset) || other(file, offset);

/**
 * What is near a base. Who uses what may turn out to be edited is looked for at once, unless that is much more than what the base flows into by its
 * names: most of what is only needed there is never edited, and what is comes back as a place.
 */
function nearOf(begin: (isEager: boolean, most: number) => Slicer, most: number): { readonly slicer: Slicer; readonly isWhole: boolean } {
  const whole = begin(true, most);
  if (whole.run(most)) return { slicer: whole, isWhole: true };
  const least = begin(false, Infinity);
  least.run();
  return whole.run(maxTimes * least.looked) ? { slicer: whole, isWhole: true } : { slicer: least, isWhole: false };
}
