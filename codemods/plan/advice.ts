/** What v2 does differently and only a person can decide: told, never edited. */
import type { Evaluation } from '../identify/evaluation.ts';
import type { Finding } from '../model.ts';
import type { Site } from './sites.ts';

export function advise(_ev: Evaluation, _sites: readonly Site[], _isCandidate: (file: string) => boolean): Finding[] {
  return [];
}
