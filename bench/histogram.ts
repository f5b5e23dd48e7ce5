/**
 * Latencies in microseconds, kept in log-linear buckets as HdrHistogram does: exact below 128 µs, then 64 buckets for
 * each power of two (error under 1.6 %), at a fixed cost in time and memory for every value.
 */
const perOctave = 64;
const exact = perOctave * 2;
const octaves = 26;

export class Histogram {
  readonly #counts = new Uint32Array(exact + octaves * perOctave);
  #total = 0;

  /** Counts one latency, in microseconds. */
  add(micros: number): void {
    this.#total += 1;
    const value = Math.max(0, Math.round(micros));
    const index = Math.min(bucketOf(value), this.#counts.length - 1);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
  }

  /** The latency in microseconds that the given share (0 to 1) of the calls did not exceed; NaN without any call. */
  percentile(share: number): number {
    let missing = Math.max(1, Math.ceil(this.#total * share));
    for (const [index, count] of this.#counts.entries()) {
      missing -= count;
      if (missing <= 0) return lowest(index);
    }
    return Number.NaN;
  }
}

function bucketOf(value: number): number {
  if (value < exact) return value;
  // 31 - clz32 is the position of the highest bit; the shift keeps the seven bits below and including it.
  const shift = 31 - Math.clz32(value) - 6;
  return shift * perOctave + (value >>> shift);
}

function lowest(index: number): number {
  if (index < exact) return index;
  const shift = Math.floor(index / perOctave) - 1;
  return (index - shift * perOctave) * 2 ** shift;
}
