/** `jscodeshift -t …`: the stock runner, with all that it does to transforms. */
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '../../helpers/build.ts';
import { loadFixtures, readTree, treeOf } from '../helpers/fixtures.ts';
import { base, inBand, jscodeshift, noBabel, project } from './runner.ts';

const dialects = {
  'a.js': `exports.send = () => fetch("${base}/v1/messages/send", { method: "POST", headers: { "X-Api-Key": key } });\r\n`,
  'b.jsx': `export const B = () => <b>{fetch('${base}/v1/contacts', { headers: { 'x-api-key': 'k😀' } })}</b>`,
  'c.ts': `export const c = (key: string) => fetch(\`${base}/v1/messages/\${id as string}\`, { headers: { 'x-api-key': key } });\n`,
  'd.tsx': `export const D = () => <b onClick={() => fetch('${base}/v1/messages', { headers: { 'x-api-key': key! } })} />;\n`,
  'flow.js': `// @flow\nconst f = (key: ?string) => fetch('${base}/v1/messages', { headers: { 'x-api-key': (key: any) } });\n`,
};
const moved = {
  'a.js': `exports.send = () => fetch("${base}/v2/messages/send", { method: "POST", headers: { Authorization: \`Bearer \${key}\` } });\r\n`,
  'b.jsx': `export const B = () => <b>{fetch('${base}/v2/contacts', { headers: { Authorization: 'Bearer k😀' } })}</b>`,
  'c.ts': `export const c = (key: string) => fetch(\`${base}/v2/messages/\${id as string}\`, { headers: { Authorization: \`Bearer \${key}\` } });\n`,
  'd.tsx': `export const D = () => <b onClick={() => fetch('${base}/v2/messages', { headers: { Authorization: \`Bearer \${key!}\` } })} />;\n`,
  'flow.js': `// @flow\nconst f = (key: ?string) => fetch('${base}/v2/messages', { headers: { Authorization: (\`Bearer \${key}\`: any) } });\n`,
};
/** A call whose address stands in another file. */
const apart = {
  'config/api.js': `export const url = '${base}/v1';\n`,
  'src/call.js': `import { url } from '../config/api';\nfetch(url + '/messages', { headers: { 'x-api-key': key } });\n`,
};
const movedApart = {
  'config/api.js': `export const url = '${base}/v2';\n`,
  'src/call.js': apart['src/call.js'].replace("'x-api-key': key", 'Authorization: `Bearer ${key}`'),
};
const extensions = '--extensions=js,jsx,mjs,cjs,ts,tsx,mts,cts';
/** jscodeshift starts a process for each processor but one. */
const fourProcessors = `const os = require('os');\nconst [cpu] = os.cpus();\nos.cpus = () => Array(4).fill(cpu);\n`;

describe('jscodeshift', () => {
  test.each([[[]], [['--run-in-band', '--no-babel', '--parser', 'flow']]])(
    'moves JavaScript, JSX, TypeScript, TSX and Flow with %j',
    async (options) => {
      const cwd = project(dialects);
      expect((await jscodeshift(cwd, [...options, '.'])).files).toEqual({ errors: 0, unmodified: 0, skipped: 0, ok: 5 });
      expect(readTree(cwd)).toEqual(moved);
    },
  );

  test('writes nothing with --dry, but counts the calls and prints the files', async () => {
    const cwd = project(dialects);
    const { output } = await jscodeshift(cwd, [...inBand, '--dry', '--print', '.']);
    expect(readTree(cwd)).toEqual(dialects);
    expect(output).toContain('calls moved: fetch: 5');
    expect(output).toContain(moved['d.tsx']);
  });

  test('changes files together, whichever of its processes gets which', async () => {
    const callers = Array.from({ length: 90 }, (_, index): [string, string] => [`src/${index}.js`, apart['src/call.js']]);
    const cwd = project({ ...apart, ...Object.fromEntries(callers), 'four.cjs': fourProcessors });
    const { output, files } = await jscodeshift(cwd, [...noBabel, 'src', 'config'], {
      env: { NODE_OPTIONS: `--require ${join(cwd, 'four.cjs')}` },
    });
    expect(output).toContain('Spawning 3 workers');
    expect(Object.values(readTree(cwd)).filter((text) => /v1|x-api-key/.test(text))).toEqual([]);
    expect(files).toMatchObject({ errors: 0, ok: 92 });
  });

  test.each([
    ['a folder', ['--extensions=js', '--ignore-pattern=config', '.'], 'config/api.js would have to change with it'],
    ['a list on stdin', ['--stdin'], 'say what you give it with --paths=…'],
  ])('leaves what is in files that %s leaves out, and says so', async (_, args, reason) => {
    const cwd = project(apart);
    const { output, files } = await jscodeshift(cwd, [...inBand, ...args], { input: 'src\nconfig\n' });
    expect(files['ok']).toBe(0);
    expect(output).toContain(reason);
  });

  test('takes the list on stdin for what --paths says it is, and follows addresses and headers into other files', async () => {
    const cwd = project(apart);
    expect((await jscodeshift(cwd, [...inBand, '--stdin', '--paths=src,config'], { input: 'src\nconfig\n' })).files['ok']).toBe(2);
    expect(readTree(cwd)).toEqual(movedApart);
  });

  test('moves nothing of what is moved, leaves what needs a file where it does not go, and says what a person has to decide', async () => {
    const files = {
      ...moved,
      '.env': `API_URL=${base}/v1\n`,
      'env.js': `fetch((process.env.API_URL ?? '${base}/v1') + '/messages', { headers: { 'x-api-key': key } });\n`,
      'other.js': `fetch('${base}/v1/other', { headers: { 'x-api-key': key } });\n`,
    };
    const cwd = project(files);
    const ran = await jscodeshift(cwd, [...inBand, '.']);
    expect(ran.files).toEqual({ errors: 0, unmodified: 0, skipped: 7, ok: 0 });
    expect(readTree(cwd)).toEqual(files);
    expect(ran.output).toContain('.env has to change with it, where jscodeshift does not go: run npx migrate-v2');
    expect(ran.output).toContain('other.js 1:1 unknown-route: v1 has no such endpoint');
  });

  test('goes on where it was stopped: what is half done is not planned anew', async () => {
    const cwd = project(apart);
    const plans = project({});
    const env = { TMPDIR: plans, TEMP: plans };
    await jscodeshift(cwd, [...inBand, 'src', 'config'], { env });
    writeFileSync(join(cwd, 'src/call.js'), apart['src/call.js']);
    // As write-file-atomic names what it has not renamed yet.
    const halfWritten = { 'src/call.js.3211420098': apart['src/call.js'].slice(0, 60) };
    writeFileSync(join(cwd, 'src/call.js.3211420098'), halfWritten['src/call.js.3211420098']);
    expect((await jscodeshift(cwd, [...inBand, 'src', 'config'], { env })).files).toMatchObject({ ok: 1, errors: 0 });
    expect(readTree(cwd)).toEqual({ ...movedApart, ...halfWritten });
  });

  test('plans anew where a file has changed since', async () => {
    const cwd = project(apart);
    const plans = project({});
    const env = { TMPDIR: plans, TEMP: plans };
    await jscodeshift(cwd, [...inBand, '--dry', 'src', 'config'], { env });
    writeFileSync(join(cwd, 'src/other.js'), `import { url } from '../config/api';\nfetch(url + '/other');\n`);
    expect((await jscodeshift(cwd, [...inBand, 'src', 'config'], { env })).files).toMatchObject({ ok: 0, errors: 0 });
  });

  test('takes the bases from the environment, and another one for v2', async () => {
    const cwd = project({ 'a.js': dialects['a.js'] });
    const env = { MIGRATE_V2_V1_BASE: base, MIGRATE_V2_V2_BASE: 'https://v2.example.com' };
    await jscodeshift(cwd, [...inBand, '.'], { options: [], env });
    expect(readTree(cwd)['a.js']).toBe(moved['a.js'].replace('api.', 'v2.'));
  });

  test('says of every file that it needs a base', async () => {
    const { output, files } = await jscodeshift(project({ 'a.js': dialects['a.js'] }), [...inBand, '.'], { options: [] });
    expect(files['errors']).toBe(1);
    expect(output).toContain('no base address of v1 is given: add --v1Base=');
  });

  test('does what migrate does, over a fixture of each HTTP client that is only code and changes', async () => {
    // What does not change is left by the plan, which is made as migrate makes it: there is nothing to be done otherwise.
    const changing = loadFixtures().filter(
      ({ name, input, facts, unchanged }) =>
        name.startsWith('clients/') && !unchanged && facts.v1Base === undefined && facts.v2Base === undefined && isCode(input),
    );
    // Their names begin with that of their client; the last of each does. They stand beside each other, and none holds another:
    // classes of Backbone would, which every script of a page may inherit from and ask otherwise.
    const known = new Set(
      readdirSync(join(projectRoot, 'codemods/clients/http'), { recursive: true, encoding: 'utf8' }).map(
        (file) => /^\w+/.exec(basename(file))?.[0],
      ),
    );
    const byClient = new Map(changing.map((fixture) => [/^clients\/(\w+)/.exec(fixture.name)?.[1], fixture]));
    const fixtures = [...byClient].flatMap(([client, fixture]) => (known.has(client) && client !== 'backbone' ? fixture : []));
    const cwd = project({});
    for (const { name, input } of fixtures) cpSync(input, join(cwd, name), { recursive: true });
    await jscodeshift(cwd, [...inBand, extensions, '--parser=tsx', '.']);
    for (const fixture of fixtures) expect(readTree(join(cwd, fixture.name)), fixture.name).toEqual(treeOf(fixture, 'output'));
    expect(fixtures.length).toBeGreaterThanOrEqual(35);
  });
});

const isCode = (folder: string): boolean => Object.keys(readTree(folder)).every((path) => /\.(?:[cm]?[jt]sx?)$/.test(path));
