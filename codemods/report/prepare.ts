import type { MigrateResult } from '../result.ts';
import { provenKeys, withoutKeysIn } from './secrets.ts';
import { readPlaces } from './places.ts';
import type { Report } from './report.ts';

export interface About extends Pick<Report, 'mode' | 'version' | 'v1Base' | 'v2Base' | 'color' | 'verbose'> {
  /** What the result's files are named relative to. */
  readonly cwd: string;
  readonly refused?: ReadonlySet<string> | undefined;
}

/** Makes ready what every output is made from: lines are looked up, and keys blotted out. */
export async function makeReport(result: MigrateResult, { cwd, refused = new Set(), ...about }: About): Promise<Report> {
  const places = await readPlaces(result, cwd);
  const keys = provenKeys(result.plan, places);
  return { ...about, refused, places, keys, result: { ...result, plan: withoutKeysIn(result.plan, keys) } };
}
