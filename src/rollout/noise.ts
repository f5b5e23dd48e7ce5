/**
 * Whether what comparing has counted is a difference, or noise of v1's own: the proxy counts what v2 shows beside v1 and what v1 shows beside
 * itself (proxy/compare/noise.ts), and whoever reads the counts judges them here.
 */
import type { Comparing } from './rules.ts';

/** How often something showed at one path, as one kind. */
export interface NoiseCounts {
  /** All that showed it: between v1 and v2, and between two answers of v1. */
  readonly count: number;
  /** Those that are between two answers of v1. */
  readonly noise: number;
  /** Calls compared. */
  readonly calls: number;
}

/** Shares from 0 to 1; what is not above both is noise. `relative` is of all that showed it, `absolute` of all calls. */
export type NoiseThresholds = Comparing['noise'];

/** Those of Diffy. */
export const usualThresholds: NoiseThresholds = { relative: 0.2, absolute: 0.0003 };

/** Three standard deviations: one path in a thousand is beyond by chance alone. */
const beyondChance = 3;

/**
 * Whether v2 differs, or v1 does as much from itself. Where v1 never did, one call is enough; where it did, v2 must do so more often than
 * chance explains, which Diffy leaves to whoever looks at few calls.
 */
export function isNoise({ count, noise, calls }: NoiseCounts, { relative, absolute }: NoiseThresholds = usualThresholds): boolean {
  const more = count - 2 * noise;
  if (more <= 0 || calls <= 0) return true;
  if (more / count <= relative || more / calls <= absolute) return true;
  return noise > 0 && more < beyondChance * Math.sqrt(count);
}
