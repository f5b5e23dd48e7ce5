/** Goes the tour as README.md says, once, in a folder that has what the project's own has. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { openDocument, pattern } from '../docs/document.ts';
import { projectRoot } from '../helpers/build.ts';
import { start } from '../helpers/process.ts';
import { needs } from '../helpers/tools.ts';

const { command, output } = openDocument('README.md').documented('npm run tour');

function folderWith(...names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-tour-'));
  for (const name of names) symlinkSync(join(projectRoot, name), join(folder, name));
  return folder;
}

async function tourIn(cwd: string, [program = '', ...args]: readonly string[]) {
  await using running = start(program, args, { cwd, env: { NO_COLOR: '1' } });
  const [code]: unknown[] = await once(running.child, 'close');
  return { code, stdout: running.stdout.join('\n'), stderr: running.stderr.join('\n') };
}

/** Without npm, which says more than the tour. */
const alone = [process.execPath, join(projectRoot, 'examples/tour/tour.ts')];

describe('npm run tour', needs('bash', 'curl', 'git'), () => {
  const folder = folderWith('package.json', 'node_modules', 'examples');
  let tour: Awaited<ReturnType<typeof tourIn>>;
  beforeAll(async () => {
    tour = await tourIn(folder, command.split(' '));
    // Ten seconds of work, and many times that where a slow machine has other tests to run.
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('shows what README.md says, and ends well', () => {
    expect(tour.stderr).not.toContain('The tour ends here');
    expect(tour.stdout.trim()).toMatch(pattern(`…${output}`));
    expect(tour.code).toBe(exitCodes.done.code);
  });

  it('passes all tests of the integration, on v1 and then on v2', () => {
    expect(tour.stdout.match(/Tests +13 passed \(13\)/g)).toHaveLength(2);
  });

  it('finds the v1 calls of the integration, and none of it once it is moved', () => {
    const calls = [...tour.stdout.matchAll(/^v1 calls +(\d+)/gm)].map(([, count]) => count);
    expect(calls).toEqual(['16', '16']);
  });

  it('records the two weeks without a hole', () => {
    expect(tour.stdout.match(/^Record .*; 100% of the period was recorded/gm)).toHaveLength(2);
  });

  it('leaves the report behind as a page', () => {
    const page = readFileSync(join(folder, 'tour/report.html'), 'utf8');
    expect(page).toContain('SAFE');
    expect(page).toContain('Bistro');
  });
});

describe('a step that fails', () => {
  it('ends the tour with a code that says so', needs('git'), async () => {
    // The integration does not find its packages.
    const folder = folderWith('examples');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const { code, stdout, stderr } = await tourIn(folder, alone);
    expect(stderr).toMatch(/The tour ends here\. This ended with 1, and not with 0 as it should: .* npx vitest run/);
    expect(stdout).not.toContain('3. ');
    expect(code).toBe(exitCodes.failed.code);
  });

  it('deletes no folder of the same name that is not its own', async () => {
    const folder = folderWith('examples');
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'tour/photos'), { recursive: true });
    const { code, stderr } = await tourIn(folder, alone);
    expect(stderr).toContain('The folder tour is there and of no earlier tour: move it away.');
    expect(code).toBe(exitCodes.failed.code);
  });
});
