import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { nodeProblem } from '../../src/cli/node-version.ts';
import { packageJson } from '../../src/cli/package-json.ts';
import { projectRoot } from '../helpers/build.ts';

describe('the check of the Node version', () => {
  const wanted = { name: 'migrate-v2', engines: { node: '>=22.21' } };

  test.each(['22.21.0', '22.30.1', '24.0.0', '100.0.0'])('%s will do', (version) => {
    expect(nodeProblem(version, wanted, [])).toBe('');
  });

  test.each(['22.20.9', '21.99.0', '20.20.2', '12.22.12', '9.0.0'])('%s is too old', (version) => {
    expect(nodeProblem(version, wanted, ['proxy'])).toBe(
      `migrate-v2 needs Node >=22.21, this is ${version}; run: npx -p node@24 -p migrate-v2 migrate-v2 proxy`,
    );
  });

  test.each([
    [['proxy', '--hash-secret', 's3cret', '--sandbox'], 'run with the same arguments: npx -p node@24 -p migrate-v2 migrate-v2 proxy'],
    [['--hash-secret', 's3cret', 'proxy'], 'run with the same arguments: npx -p node@24 -p migrate-v2 migrate-v2'],
    [['--hash-secret=s3cret'], 'run with the same arguments: npx -p node@24 -p migrate-v2 migrate-v2'],
    [[], 'run: npx -p node@24 -p migrate-v2 migrate-v2'],
  ])('the remedy for %j repeats no value, which may be a secret', (args, remedy) => {
    expect(nodeProblem('20.0.0', wanted, args)).toBe(`migrate-v2 needs Node >=22.21, this is 20.0.0; ${remedy}`);
  });

  test('engines in package.json has the form that the check reads', () => {
    expect(packageJson.engines.node).toMatch(/^>=\d+\.\d+$/);
  });
});

/** The first Node on the PATH, outside node_modules, that is too old for the package. */
function olderNode(): string | undefined {
  const paths = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  const others = paths.filter((path) => existsSync(path) && !realpathSync(path).includes('node_modules') && !path.includes('node_modules'));
  return others.find((path) => nodeProblem(execFileSync(path, ['-v'], { encoding: 'utf8' }).slice(1).trim(), packageJson, []) !== '');
}

const older = olderNode();

describe('bin on an older Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bin-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const why = older === undefined ? ' (skipped: the PATH has no Node that is too old)' : '';
  test.skipIf(older === undefined)(`prints one line with the remedy and exits with 4${why}`, async () => {
    // Old Nodes do not run TypeScript: what they get is the build, of which bin loads no more than this.
    copyFileSync(join(projectRoot, 'package.json'), join(folder, 'package.json'));
    const config = {
      extends: join(projectRoot, 'tsconfig.build.json'),
      compilerOptions: { rootDir: projectRoot, outDir: 'dist', typeRoots: [join(projectRoot, 'node_modules/@types')] },
      include: [],
      files: [join(projectRoot, 'src/cli/bin.ts')],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    // The types are the business of the type check; here only what comes out matters.
    await promisify(execFile)(join(projectRoot, 'node_modules/.bin/tsc'), ['-p', folder, '--noCheck']);

    const bin = join(folder, 'dist/src/cli/bin.js');
    const ended = await promisify(execFile)(older ?? '', [bin, 'sandbox']).catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/^migrate-v2 needs Node >=.*; run: npx -p node@24 -p migrate-v2 migrate-v2 sandbox\n$/),
    });
  });
});
