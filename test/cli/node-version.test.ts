import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { invocation, invocationOnNewNode, remedy } from '../../src/cli/invocation.ts';
import { nodeProblem } from '../../src/node-version.ts';
import { packageJson } from '../../src/cli/package-json.ts';
import { settings } from '../../src/config/settings.ts';

describe('the check of the Node version', () => {
  test.each(['22.21.0', '22.30.1', '24.0.0', '100.0.0'])('%s will do', (version) => {
    expect(nodeProblem(version)).toBe('');
  });

  test.each(['22.20.9', '21.99.0', '20.20.2', '12.22.12', '9.0.0'])('%s is too old', (version) => {
    expect(nodeProblem(version)).toBe(`migrate-v2 needs Node >=22.21, this is ${version}`);
  });

  test('asks for what engines in package.json says', () => {
    expect(nodeProblem('0.0.0')).toContain(`needs Node ${packageJson.engines.node},`);
  });
});

describe('the command to run it again', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'invocation-')));
  afterAll(() => rmSync(root, { recursive: true }));
  const at = (...path: string[]): string => join(root, ...path);
  const installed = (folder: string): string => join(folder, 'node_modules/migrate-v2/dist/src/cli/bin.js');
  const cached = (name: string, manifest: object): string => {
    mkdirSync(at('_npx', name), { recursive: true });
    writeFileSync(at('_npx', name, 'package.json'), JSON.stringify({ _npx: { packages: [] }, ...manifest }));
    return installed(at('_npx', name));
  };
  const node = at('bin/node');

  test.each([
    ['in a project', installed(at('project')), at('project'), 'npx migrate-v2', '-p migrate-v2 migrate-v2'],
    ['in a folder of a project', installed(at('project')), at('project/src'), 'npx migrate-v2', '-p migrate-v2 migrate-v2'],
    ['in a clone', at('clone/dist/src/cli/bin.js'), at('clone'), 'npx migrate-v2', 'node dist/src/cli/bin.js'],
    ['for all projects', installed(at('lib')), at('project'), 'npx migrate-v2', `node ${installed(at('lib'))}`],
    ['by npx', cached('a', { dependencies: { 'migrate-v2': '^0.1.0' } }), root, 'npx migrate-v2', '-p migrate-v2 migrate-v2'],
    [
      'by npx, from a tarball',
      cached('b', { dependencies: { 'migrate-v2': 'file:../../my files/m.tgz' } }),
      root,
      `npx '${at('my files/m.tgz')}'`,
      `-p '${at('my files/m.tgz')}' migrate-v2`,
    ],
  ])('of a package installed %s works there', (_, bin, cwd, here, withNode) => {
    expect(invocation({ bin, cwd, node })).toBe(here);
    expect(invocationOnNewNode({ bin, cwd, node })).toBe(`npx -y -p node@24 ${withNode}`);
    // A Node that npx brought is brought again.
    expect(invocation({ bin, cwd, node: at('_npx/c/node_modules/node/bin/node') })).toBe(`npx -y -p node@24 ${withNode}`);
  });

  const place = { bin: installed(root), cwd: root, node };
  test.each([
    [['proxy', '--hash-secret', 's3cret', '--sandbox'], 'run with the same arguments: … migrate-v2 proxy'],
    [['--hash-secret', 's3cret', 'proxy'], 'run with the same arguments: … migrate-v2'],
    [['--hash-secret=s3cret'], 'run with the same arguments: … migrate-v2'],
    [['./src', '--v1-base', 'https://me:s3cret@a.test'], 'run with the same arguments: … migrate-v2 ./src'],
    [['./my src', '--v1-base', 'https://a.test'], "run: … migrate-v2 './my src' --v1-base https://a.test"],
    [[], 'run: … migrate-v2'],
  ])('for %j repeats no value that may be a secret', (args, said) => {
    expect(remedy(place, args)).toBe(said.replace('…', 'npx -y -p node@24 -p migrate-v2'));
  });

  test.each(settings.filter((setting) => 'refers' in setting && setting.refers === 'secret').map(({ name }) => name))(
    'never repeats %s',
    (setting) => {
      expect(remedy(place, ['proxy', `--${setting}`, 'a value'])).not.toContain('a value');
    },
  );
});
