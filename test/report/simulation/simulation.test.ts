/** Random histories in which the truth is known: SIMULATIONS=2000 tries so many, and SEED begins elsewhere. */
import { expect, test } from 'vitest';
import { seeded } from '../../../bench/codemods/random.ts';
import { buildReport } from '../../../src/report/build.ts';
import type { Verdict } from '../../../src/report/verdict-model.ts';
import { reportDefaults } from '../../helpers/usage-store.ts';
import { randomHistory } from './history.ts';
import { memoryReader } from './memory-reader.ts';

const count = Number(process.env['SIMULATIONS'] ?? 500);
const firstSeed = Number(process.env['SEED'] ?? 1);

test('SAFE is never said while a call that the criteria cover still comes', async () => {
  const told: Record<Verdict['state'], { over: number; goesOn: number }> = {
    safe: { over: 0, goesOn: 0 },
    not_yet: { over: 0, goesOn: 0 },
    unknown: { over: 0, goesOn: 0 },
  };
  const wrong: number[] = [];
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const { record, now, rarestJob, replicas, goesOn } = randomHistory(seeded(seed).next);
    const since = { ago: 30 * 86_400_000 };
    const { verdict } = await buildReport(memoryReader(record), { ...reportDefaults, since, now, rarestJob, replicas });
    told[verdict.state][goesOn ? 'goesOn' : 'over']++;
    if (verdict.state === 'safe' && goesOn) wrong.push(seed);
  }
  if (process.env['SIMULATIONS'] !== undefined) console.log(told);
  expect(wrong, 'the seeds of wrong verdicts').toEqual([]);
  // A verdict that is never SAFE would be no use.
  expect(told.safe.over).toBeGreaterThan(0);
  expect(told.not_yet.goesOn).toBeGreaterThan(told.not_yet.over);
});
