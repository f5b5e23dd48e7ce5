/** The fixtures of this topic, file by file: what the pipeline makes of them as a whole is tested with all the others. */
import { describe, expect, test } from 'vitest';
import type { TextFile } from '../../../codemods/formats/reader.ts';
import { kindOf } from '../../../codemods/find/kinds.ts';
import { isOfMoved } from '../../../codemods/judge/passes/listed-headers.ts';
import { type Fixture, loadFixtures, readTree, treeOf, v1BaseOf } from '../helpers/fixtures.ts';
import { type Facts, run } from './run.ts';

const fixtures = loadFixtures().filter(({ name }) => name.startsWith('formats/'));
// What matters where something moves alone is told of a whole run. What one file says of the requests in others needs all of the pipeline, and so does prose, which moves when the code beside it did.
const alone = fixtures.filter(
  ({ name }) =>
    !/^formats\/(?:action-inputs|bruno-(?:inherited|scripts)|env-(?:said|set-aside)|inputs-of-workflows|sourced-headers|systemd-|helm-|markdown-(?:passages|code-blocks|pages)|mdx-pages|permissions|openapi-of-)/.test(
      name,
    ),
);

describe('files beside the code', () => {
  test('are shown in at least 30 fixtures, a third of which must not change', () => {
    const unchanged = fixtures.filter((fixture) => fixture.unchanged).length;
    expect(fixtures.length).toBeGreaterThanOrEqual(30);
    expect(unchanged).toBeGreaterThanOrEqual(fixtures.length / 3);
  });

  test.each(alone)('$name: $facts.title', (fixture) => {
    const files = filesOf(fixture);
    const scripts = files.filter(({ kind }) => kind === 'shell');
    const expected = treeOf(fixture, 'output');
    const given = { v1: v1BaseOf(fixture.facts), v2: fixture.facts.v2Base };
    const facts: Facts = { ...given, env: files.flatMap((file) => run(file, given, scripts).envs.map(({ name }) => name)) };
    const listed = (fixture.facts.findings ?? []).filter((finding) => files.some(({ file }) => finding.includes(` ${file}:`)));

    const ran = files.map((file) => ({ file, ...run(file, facts, scripts) }));

    expect(ran.map(({ file, output }) => [file.file, output])).toEqual(ran.map(({ file }) => [file.file, expected[file.file]]));
    const found = ran.flatMap(({ findings }) => findings.filter((each) => !isOfMoved(each)));
    expect(found.map(({ code, file, line }) => `${code} ${file}:${line}`).toSorted()).toEqual(listed);
    expect(ran.flatMap(({ file, output }) => run({ ...file, text: output }, facts, scripts).edits)).toEqual([]);
  });
});

/** Those that need no analysis of scripts. */
function filesOf(fixture: Fixture): TextFile[] {
  return Object.entries(readTree(fixture.input)).flatMap(([file, text]) => {
    const kind = kindOf(file.slice(file.lastIndexOf('/') + 1));
    const isOther = kind === undefined || kind === 'bare' || kind === 'script' || (kind === 'markup' && !fixture.unchanged);
    return isOther ? [] : [{ file, kind, text }];
  });
}
