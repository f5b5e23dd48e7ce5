import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bin, projectRoot } from '../../helpers/build.ts';

function folder(text: string): string {
  const made = mkdtempSync(join(tmpdir(), 'migrate-v2-given-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  writeFileSync(join(made, 'main.js'), text);
  return made;
}

test('given trees are measured each, and the goals name those that miss them', () => {
  const call = "fetch('https://api.example.test/v1/messages', { headers: { 'x-api-key': key } });\n";
  const [ours, others] = [folder(call), folder(call.replace('api.example.test', 'api.example.net'))];
  const args = ['bench/codemods.ts', '--tree', ours, '--tree', others, '--rounds', '1', '--bin', bin];

  const { stdout, status } = spawnSync(process.execPath, args, { cwd: projectRoot, encoding: 'utf8' });

  expect(status).toBe(0);
  const rows = stdout.split('\n').filter((text) => text.includes('migrate-v2-given-') && text.startsWith('|'));
  expect(
    rows.map((text) =>
      text
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 7),
    ),
  ).toEqual([
    [basename(ours), '–', '1', '1', '4', expect.stringMatching(/^\d+$/)],
    [basename(others), '–', '1', '1', '0', expect.stringMatching(/^\d+$/)],
  ]);
  expect(stdout).toContain(`- no edits: MISSED (${basename(ours)})`);
});
