/** Sets V8 up for a program that serves for weeks, and holds little: 20 MB that stay, and what calls under way need. */
import { availableParallelism } from 'node:os';
import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/** Bytes of the young generation. In half of it calls under way are soon taken for what stays, and have to be collected with that. */
const mostYoung = 8 * 1024 * 1024;
/** How often it is looked whether the young generation may grow, in milliseconds. */
const interval = 100;
/** By how many per cent the old generation may grow before it is collected: less often where the thread that serves does so by itself. */
const growth = { helped: 20, alone: 50 };

/** Bytecode of one function, and of all, that V8 puts into another one at most. Its own bounds are 460 and 920. */
const inlined = { each: 1_000, all: 3_000 };

/**
 * To be called once all is loaded, threads included: with other flags than those it was made with, V8 compiles all modules of Node anew that are kept compiled, and a
 * thread costs half as much again. And before anything has been called often: what V8 has optimized stays as it is.
 */
export function setUpV8(): void {
  inlineMore();
  const isAlone = availableParallelism() === 1;
  // Helpers that mark take turns with the thread that serves where there is one core, four milliseconds each (bench/README.md).
  if (isAlone) v8.setFlagsFromString('--no-concurrent-marking');
  // Otherwise, as long as the old generation is marked, the young one is not collected but grows, to four times its bound, and all of it that was met then counts as
  // what stays: as much again as really does (bench/README.md).
  v8.setFlagsFromString('--no-separate-gc-phases');
  boundHeap(isAlone ? growth.alone : growth.helped);
}

/** A call passes through some hundred small functions of ours and of Node's: as fewer large ones they take a twentieth less CPU (bench/README.md). */
function inlineMore(): void {
  v8.setFlagsFromString(`--max-inlined-bytecode-size=${inlined.each}`);
  v8.setFlagsFromString(`--max-inlined-bytecode-size-cumulative=${inlined.all}`);
}

/**
 * Keeps the young generation, which V8 lets grow to 128 MiB, and what has piled up in the old one within bounds: it takes a fifth less memory, at the
 * same speed (bench/README.md). `--max-semi-space-size` is read before any program begins; whether it grows, V8 asks each time.
 */
function boundHeap(growing: number): void {
  v8.setFlagsFromString(`--heap-growing-percent=${growing}`);
  let grows: boolean | undefined;
  const look = (): void => {
    const young = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    const mayGrow = young === undefined || young.space_size < mostYoung;
    if (mayGrow === grows) return;
    grows = mayGrow;
    v8.setFlagsFromString(`--semi-space-growth-factor=${grows ? 2 : 1}`);
    // To be told of each collection costs a call a thirtieth of its CPU: only while each may make it grow.
    if (grows) collections.observe({ entryTypes: ['gc'] });
    else collections.disconnect();
  };
  const collections = new PerformanceObserver(look);
  look();
  // V8 makes it smaller while little happens.
  setInterval(look, interval).unref();
}
