/** What every fixture proves: what a run over it changes and says, and that a second run changes nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isTest } from '../../../codemods/evaluate/libraries/test-files.ts';
import { migrate } from '../../../codemods/migrate.ts';
import type { Finding } from '../../../codemods/model.ts';
import { wordsOf } from '../../../codemods/report/wording.ts';
import type { MigrateOptions, MigrateResult } from '../../../codemods/result.ts';
import { copyFixture, type Fixture, loadFixtures, readTree, treeOf, v1BaseOf } from './fixtures.ts';

/** What someone else owns needs no person: it stands in the ledger, and is a finding where a fixture says so. */
const foreign = new Set(['other-host', 'own-server', 'no-call']);

/** Runs over all fixtures of an axis: each axis has a file of its own, so that both cores have something to do. */
export function runAxis(axis: string): void {
  test.each(loadFixtures(axis))('$name: $facts.title', async (fixture) => {
    const cwd = mkdtempSync(join(tmpdir(), 'fixture-'));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    copyFixture(fixture, 'input', cwd);

    const result = await run(fixture, cwd);

    const expected = treeOf(fixture, 'output');
    const listed = fixture.facts.findings ?? [];
    expect(readTree(cwd)).toEqual(expected);
    expect(said(result).filter((finding) => !isForeign(finding) || listed.includes(finding))).toEqual(listed);

    // What is offered to be allowed lets something move.
    expect(await leftThoughAllowed(fixture, cwd, result)).toEqual([]);

    // Where nothing has changed, a second run is the first.
    if (fixture.unchanged) return;
    const again = await run(fixture, cwd);
    expect(readTree(cwd)).toEqual(expected);
    // What v2 does otherwise is for a person, moved or not, and so is what speaks of v1 beside it.
    expect(codesOf(again)).toEqual(codesOf(result));
    const places = new Set(said(again).map(placeOf));
    expect(said(lasting(result)).filter((finding) => isOfProgram(finding) && !places.has(placeOf(finding)))).toEqual([]);
    // What was moved without a word against it is not told afterwards.
    const before = new Set(
      said(result)
        .filter((finding) => !isForeign(finding))
        .map(placeOf),
    );
    expect(said(again).filter((finding) => !isForeign(finding) && !before.has(placeOf(finding)))).toEqual([]);
  });
}

const advice = /^(?:minute-limit|limit-code|retry-per-minute|polls|answer-shape|browser-key|redacts-header|mentioned|old-type) /;
/** Variables to set, routes that v1 has not, what a comment allows, files that are made again and what tests do is told by the run alone that moves the calls beside it. */
const isOfProgram = (finding: string): boolean =>
  !isForeign(finding) &&
  !/^(?:env-elsewhere|new-endpoint|unknown-route|allowed|made-again) |playwright\.config\./.test(finding) &&
  !isInTest(finding);
/** Without what is told of Authorization as long as calls are about to get one: afterwards it may be theirs. */
const lasting = ({ plan, ...rest }: MigrateResult): MigrateResult => ({
  ...rest,
  plan: {
    ...plan,
    findings: plan.findings.filter(({ detail }) => !['taken', 'asked', 'added', 'refused', 'forwarded'].includes(detail['how'] ?? '')),
  },
});
const placeOf = (finding: string): string => finding.slice(finding.indexOf(' ') + 1);
const codesOf = (result: MigrateResult): string[] =>
  said(result).filter((finding) => advice.test(finding) && !(finding.startsWith('mentioned ') && isInTest(finding)));
const isInTest = (finding: string): boolean => isTest({ file: placeOf(finding).replace(/:\d+$/, '') });

const run = ({ facts }: Fixture, cwd: string, more: Pick<MigrateOptions, 'allow' | 'dryRun'> = {}): Promise<MigrateResult> =>
  migrate({
    paths: ['.'],
    cwd,
    v1Base: v1BaseOf(facts),
    ...(facts.v2Base !== undefined && { v2Base: facts.v2Base }),
    force: true,
    // In this thread, which has analysed before: one of its own compiles everything anew.
    jobs: 1,
    ...more,
  });

const offersToAllow = (finding: Finding): boolean => wordsOf(finding).remedy.includes('--allow');

/** What a finding says of another place is allowed there. */
const toAllow = ({ file, line, detail: { by = '' } }: Finding): string => (/:\d+$/.test(by) ? by : `${file}:${line}`);

/** Findings that stay as they are where a person does what they say. Where calls have moved, their places have, too. */
async function leftThoughAllowed(fixture: Fixture, cwd: string, { plan }: MigrateResult): Promise<readonly string[]> {
  if (!fixture.unchanged) return [];
  const offered = plan.findings.filter(offersToAllow);
  if (offered.length === 0) return [];
  const allowed = await run(fixture, cwd, { dryRun: true, allow: offered.map(toAllow) });
  return offered.filter(isAmong(allowed.plan.findings)).map(({ code, file, line }) => `${code} ${file}:${line}`);
}

const isAmong =
  (findings: readonly Finding[]) =>
  (one: Finding): boolean =>
    findings.some(
      (other) => other.code === one.code && other.file === one.file && other.line === one.line && toAllow(other) === toAllow(one),
    );

/** Findings, and the places that the ledger says are someone else's. */
function said({ plan: { findings, ledger }, failures }: MigrateResult): string[] {
  const found = [...findings, ...failures].map(({ code, file, line }) => `${code} ${file}:${line}`);
  const others = ledger.filter(({ state }) => state === 'foreign').map(({ reason, file, line }) => `${reason} ${file}:${line}`);
  return [...found, ...new Set(others.filter((other) => !found.includes(other)))].toSorted();
}

const isForeign = (finding: string): boolean => foreign.has(finding.split(' ', 1)[0] ?? '');
