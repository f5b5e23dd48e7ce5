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
import { nearest } from './nearest.ts';
import { Slicer } from './slicer.ts';
import type { SliceFile, Sources } from './sources.ts';
import type { Unit } from './outline.ts';
import type { Place, Visited } from './visited.ts';

/** How long files may be that are looked at before it is asked whether so many have to be. */
const alwaysLooked = 1_000_000;
/** How much longer they may be than those that a base flows into by its names alone. */
const maxTimes = 1.5;
/** How long the files may be that are looked at once more, however little was looked at before. */
const maxFurther = 4_000_000;
/** How long the files may be that a base flows into by its names: a registry of all that an application has hands it to most of that. */
const maxNear = 6_000_000;

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
  /** How long the files are that were looked at; without end where that was given up. */
  readonly looked: number;
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

/** What is to be followed besides, as it turned out to be edited: then with all who use what else may be. */
export interface Further {
  readonly places: readonly Place[];
  /** How long the files were that were looked at before. */
  readonly looked: number;
}

export function slice(files: readonly SliceFile[], sources: Sources): Slice {
  const start = startOf(files, sources, []);
  return sliceOf(start, nearOf(start.begin));
}

/** @returns undefined where it leads through so much more than was looked at before that it is left */
export function sliceFurther(files: readonly SliceFile[], sources: Sources, { places, looked }: Further): Slice | undefined {
  if (looked > maxNear) return undefined;
  const start = startOf(files, sources, places);
  const most = Math.max(maxFurther, maxTimes * looked);
  const slicer = start.begin(true, most);
  return slicer.run(most) ? sliceOf(start, { slicer, isWhole: true, isCut: false }) : undefined;
}

/** Where a slice begins. */
interface Start {
  readonly files: readonly SliceFile[];
  readonly sources: Sources;
  /** The files with a base. */
  readonly holdingBase: ReadonlySet<string>;
  /** The files that are read in any case. */
  readonly reportable: ReadonlySet<string>;
  /**
   * @param isEager whether who uses what may turn out to be edited is looked for at once
   * @param most how long the files may be that are looked at
   */
  readonly begin: (isEager: boolean, most: number) => Slicer;
}

function startOf(files: readonly SliceFile[], given: Sources, places: readonly Place[]): Start {
  const sources: Sources = { ...given, load: memo((file) => given.load(file)) };
  const holdingBase = new Set(files.flatMap(({ file, isCandidate }) => (isCandidate && sources.isNear(sources.text(file)) ? file : [])));
  // Where no base is, there is little to advise on: what asks alike is to be given one first. Who stands far from it asks by something else.
  const begun = [...holdingBase, ...places.map(({ file }) => file)];
  const lengthOf = (file: string): number | undefined => {
    const text = sources.text(file);
    return sources.isAdvisable(text) ? text.length : undefined;
  };
  const advised = begun.length > 0 ? nearest(files, begun, lengthOf, alwaysLooked) : new Set<string>();
  const isReported = (file: string): boolean => advised.has(file) || (begun.length > 0 && sources.isReportable(sources.text(file)));
  const reportable = new Set(files.flatMap(({ file, isCandidate }) => (isCandidate || isReported(file) ? file : [])));
  const begin = (isEager: boolean, most: number): Slicer => {
    const begun = new Slicer(files, sources, reportable, isEager);
    begun.runFrom(holdingBase, most);
    for (const place of places) begun.follow(place);
    return begun;
  };
  return { files, sources, holdingBase, reportable, begin };
}

function sliceOf({ files, sources, holdingBase, reportable }: Start, { slicer, isWhole, isCut }: Found): Slice {
  const isFollowed = isCut ? () => false : slicer.within(followedIn);
  const isNear = slicer.within(nearIn);
  const followed = slicer.followed();
  const lengths = slicer.lengths();
  slicer.goFar(alwaysLooked);
  const modules = (): SourceModule[] => [
    ...files.flatMap(({ file }) => (reportable.has(file) || slicer.isUsed(file) ? (slicer.moduleOf(file) ?? []) : [])),
    ...slicer.beside().flatMap((file) => slicer.moduleOf(file) ?? []),
  ];
  const put = (): ReadonlySet<string> =>
    sources.namesPutIn(modules(), {
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
  return { modules: modules(), isFollowed, near, isWhole, looked: isCut ? Infinity : slicer.looked };
}

// What is told of a slice keeps nothing of what was read on the way, as functions that are made within another's would.
const followedIn = ({ tainted }: Visited): Iterable<Unit> => tainted;
const nearIn = ({ tainted, needed }: Visited): Iterable<Unit> => [...tainted, ...needed];
const either =
  (one: Near['has'], other: Near['has']): Near['has'] =>
  (file, offset) =>
    one(file, offset) || other(file, offset);

interface Found {
  readonly slicer: Slicer;
  readonly isWhole: boolean;
  /** Whether it led through so much that it was left: then who uses what is known of nothing. */
  readonly isCut: boolean;
}

/**
 * What is near a base. Who uses what may turn out to be edited is looked for at once, unless that is much more than what the base flows into by its
 * names: most of what is only needed there is never edited, and what is comes back as a place.
 */
function nearOf(begin: Start['begin']): Found {
  const whole = begin(true, alwaysLooked);
  if (whole.run(alwaysLooked)) return { slicer: whole, isWhole: true, isCut: false };
  const least = begin(false, maxNear);
  if (!least.run(maxNear)) return cutOf(begin);
  return whole.run(maxTimes * least.looked)
    ? { slicer: whole, isWhole: true, isCut: false }
    : { slicer: least, isWhole: false, isCut: false };
}

/** Nothing is edited where so much would have to be seen: what is only told there needs no more than what is far from a base. */
function cutOf(begin: Start['begin']): Found {
  const told = begin(false, alwaysLooked);
  told.run(alwaysLooked);
  return { slicer: told, isWhole: false, isCut: true };
}
