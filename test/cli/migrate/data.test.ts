/** Data in one piece, as bundles, keys and pictures are written: no pattern may hold each place of it against all behind it. A run that does takes hours here, and is stopped. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bin } from '../../helpers/build.ts';
import { cleanEnvironment, untidy } from '../../helpers/process.ts';
import { base, clean, workspace } from './workspace.ts';

const length = 500_000;
/** Milliseconds: a limit for what does not end, and never a measure. */
const limit = 170_000;

const pieces = ['a1b2c3d4', 'a/b//c/', '/v1/a', 'a b as ', '1 per a ', 'A '];

/** Files of each kind that hold much of a piece. */
function filesOf(piece: string, index: number): readonly (readonly [string, string])[] {
  const data = piece.repeat(Math.ceil(length / piece.length));
  const files = {
    'user.js': `import { list } from '../api.js';\nlist.shown = {};\nexport const data = '${data}';\n`,
    'data.json': JSON.stringify({ base: `${base}/v1`, data }),
    'README.md': `${base}/v1/contacts\n\n${data}\n`,
    'page.html': `<p>${base}/v1/contacts</p><p>${data}</p>`,
    'run.sh': `# ${base}/v1/contacts\n# ${data}\n`,
    'config.yml': `base: ${base}/v1\ndata: "${data}"\n`,
    'call.py': `url = "${base}/v1/contacts"\ndata = "${data}"\n`,
  };
  return Object.entries(files).map(([file, text]) => [`${index}/${file}`, text]);
}

test('ends where files hold much of one piece', () => {
  const { cwd } = workspace({ 'api.js': clean, ...Object.fromEntries(pieces.flatMap(filesOf)) });
  const args = [untidy, bin, '.', '--v1-base', base, '--dry-run', '--format', 'json'];
  const { stdout, signal } = spawnSync(process.execPath, args, {
    cwd,
    env: cleanEnvironment(),
    encoding: 'utf8',
    timeout: limit,
    maxBuffer: 64 * 1024 * 1024,
  });
  expect(signal).toBe(null);
  expect(JSON.parse(stdout)).toMatchObject({ summary: expect.anything() });
});
