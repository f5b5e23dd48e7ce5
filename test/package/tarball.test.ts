/** What docs/codemods.md tells people to do for a project of their own: packs the package, installs it there, and looks at what they have then. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.ts';
import { documents, openDocument } from '../docs/document.ts';
import { shellIn } from '../docs/shell.ts';
import { copyProject, linkProductionPackages, projectRoot } from '../helpers/build.ts';
import { olderNode } from '../helpers/older-node.ts';
import { cleanEnvironment, listening, start } from '../helpers/process.ts';
import { needs } from '../helpers/tools.ts';

const root = mkdtempSync(join(tmpdir(), 'migrate-v2-pack-'));
/** For the compiler, which is written in Go: a third of its time goes into collecting what a process of a second could keep. */
const fewerCollections = { GOGC: 'off', GOMEMLIMIT: '1GiB' };
/** A fresh copy of this project, which is not built, and a project beside it. */
const [repository, folder] = [join(root, 'migrate-v2'), join(root, 'my-project')];
const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: folder, env: cleanEnvironment(fewerCollections), encoding: 'utf8' });
const { documented } = openDocument('docs/codemods.md');
const { older, whyNot } = olderNode();

const client = "fetch('https://api.example.com/v1/messages', { headers: { 'x-api-key': key } });\n";

describe('the packed tarball, installed into a project beside it', needs('bash'), () => {
  beforeAll(async () => {
    copyProject(repository);
    symlinkSync(join(projectRoot, 'node_modules'), join(repository, 'node_modules'), 'dir');
    cpSync(join(projectRoot, 'examples/legacy-client'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
    // Half of the time went into asking the registry for what it has said before, and for advisories.
    writeFileSync(join(folder, '.npmrc'), 'prefer-offline=true\naudit=false\n');
    // Unpacking them took as long again.
    linkProductionPackages(folder);
    mkdirSync(join(folder, 'node_modules/.bin'));
    symlinkSync('../jscodeshift/bin/jscodeshift.js', join(folder, 'node_modules/.bin/jscodeshift'));
    const { runs, ends } = shellIn(repository);
    const { command, output } = documented('npm pack');
    const variables = Object.entries(fewerCollections).map((pair) => pair.join('='));
    await runs({ command: [...variables, command].join(' '), output });
    await ends(documented('npm install --save-dev'), exitCodes.usage);
    // A machine that is busy with other things needs minutes for it.
  }, 600_000);
  afterAll(() => rmSync(root, { recursive: true }));

  it('is what the project depends on', () => {
    const { devDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    expect(devDependencies).toEqual({ 'migrate-v2': expect.stringMatching(/^file:/) });
  });

  it('holds the build and the documents, and neither sources nor tests', () => {
    const installed = join(folder, 'node_modules/migrate-v2');
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
    expect(files).toContain('dist/src/cli/bin.js');
    expect(files).toEqual(expect.arrayContaining(['README.md', 'MIGRATION.md', 'docs/findings.md']));
    expect(
      files.filter(
        (path) =>
          !/^(dist\/(.*\.(js|d\.ts)|LICENSES\.txt)|(codemods|src)\/report\/report\.schema\.json|src\/report\/digest\/digest\.schema\.json|(?:[\w-]+\/)*README\.md|(MIGRATION|docs\/[\w-]+)\.md|LICENSE|package\.json)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
  });

  it('takes 45 MB with all that it depends on', () => {
    const files = readdirSync(join(folder, 'node_modules'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(Math.round(bytes / 1e6)).toBeLessThanOrEqual(45);
  });

  it('has the licences of what its build holds', () => {
    const licences = readFileSync(join(folder, 'node_modules/migrate-v2/dist/LICENSES.txt'), 'utf8');
    expect(licences).toMatch(/^zod \S+, MIT\n\n.*MIT License/ms);
  });

  it('asks nobody to allow a script of its own', () => {
    const { scripts } = JSON.parse(readFileSync(join(folder, 'node_modules/migrate-v2/package.json'), 'utf8'));
    // npm runs these of what is installed from a tarball or from git.
    for (const event of ['preinstall', 'install', 'postinstall', 'prepare']) expect(scripts).not.toHaveProperty(event);
  });

  it('has a bin that may be started where it was built, too: npx in a clone has been told once that it may, and not of the next build', () => {
    expect(statSync(join(repository, 'dist/src/cli/bin.js')).mode & 0o111).toBe(0o111);
  });

  it('has a bin that says its version', () => {
    expect(run('node_modules/.bin/migrate-v2', ['--version']).trim()).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('serves a v1 call with its bin, and makes the page of a record, in the process that the page is made in', async () => {
    const flags = ['--sandbox', '--listen', '127.0.0.1:0', '--admin', '127.0.0.1:0', '--store', 'page.db'];
    await using proxy = start('node_modules/.bin/migrate-v2', ['proxy', ...flags], { cwd: folder });
    const { url, adminUrl } = await listening(proxy);
    const response = await fetch(`${url}/v1/messages`);
    expect([response.status, await response.json()]).toEqual([401, { success: false, error: 'Missing API key' }]);
    const page = await fetch(`${adminUrl}/usage`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')]);
    expect(await proxy.stop()).toBe(0);
  });

  it('has declarations that stand by themselves, with which what the documents show compiles, strictly', () => {
    const use = `
      import { createMigrationProxy, createSandbox } from 'migrate-v2';
      export const sandbox = createSandbox();
      sandbox.dashboard.createWorkspace({ name: 'Acme', plan: 'Pro' });
      // @ts-expect-error -- an address is a text
      export const proxy = createMigrationProxy({ v2Base: 1 });`;
    const given = "declare const rawBody: Buffer;\ndeclare const req: import('node:http').IncomingMessage;\n";
    const shown = documents.flatMap((path) => openDocument(path).fenced('ts'));
    expect(shown).toHaveLength(5);
    const files = [use, ...shown.map((text) => `${text.includes('rawBody') ? given : ''}${text}`)].map((text, index) => {
      writeFileSync(join(folder, `use-${index}.ts`), text);
      return `use-${index}.ts`;
    });
    const options = '--module nodenext --target es2024 --lib es2024,esnext.disposable --strict --noEmit --skipLibCheck false --types node';
    const types = ['--typeRoots', join(projectRoot, 'node_modules/@types')];
    expect(run(join(projectRoot, 'node_modules/.bin/tsc'), [...options.split(' '), ...types, ...files])).toBe('');
  });

  it('loads what reads code with the first call of migrate, and no sooner', () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { migrate } = await import('migrate-v2');
      const readsCode = () => loaded.some((url) => /chunks\\/(?:migrate|analysis)\\.js|jscodeshift/.test(url));
      const before = readsCode();
      const { plan } = await migrate({ paths: 'client.js', v1Base: 'https://api.example.com', dryRun: true });
      console.log(JSON.stringify([before, readsCode(), plan.edits.length]));`;
    writeFileSync(join(folder, 'client.js'), client);
    expect(run(process.execPath, ['--input-type=module', '--eval', script]).trim()).toBe('[false,true,4]');
  });

  it("has a proxy that loads neither Node's own fetch nor what carries WebSockets before either is needed", () => {
    const script = `
      import { registerHooks } from 'node:module';
      const loaded = [];
      registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
      const { createMigrationProxy } = await import('migrate-v2');
      createMigrationProxy({ v2Base: 'http://127.0.0.1:9' });
      console.log(JSON.stringify([...process.moduleLoadList, ...loaded].filter((name) => /deps\\/undici|http-proxy-3/.test(name))));`;
    expect(run(process.execPath, ['--input-type=module', '--eval', script]).trim()).toMatch(/^\[\]$/m);
  });

  it('exports the library, the schemas of the reports and the transform, and nothing else', () => {
    const script = `
      import * as api from 'migrate-v2';
      import schema from 'migrate-v2/report.schema.json' with { type: 'json' };
      import usage from 'migrate-v2/usage-report.schema.json' with { type: 'json' };
      import digest from 'migrate-v2/usage-digest.schema.json' with { type: 'json' };
      import all from 'migrate-v2/transforms/all';
      console.log(Object.keys(api).sort().join());
      console.log([schema, usage, digest].map(({ title }) => title).join('; ') + ';', typeof all);
      await import('migrate-v2/transforms/shared/plan').catch(({ code }) => console.log(code));`;
    const said = run(process.execPath, ['--input-type=module', '--eval', script]);
    const titles = ['Report', 'Usage report', 'Digest'].map((title) => `${title} of migrate-v2, version 1`);
    const library =
      'FindError,MigrateError,StoreError,WebhookError,createMigrationProxy,createSandbox,migrate,openKeyMap,renderUsageReport,usageReport,verifyWebhook';
    expect(said).toBe(`${library}\n${titles.join('; ')}; function\nERR_PACKAGE_PATH_NOT_EXPORTED\n`);
  });

  it('has transforms that jscodeshift takes', () => {
    writeFileSync(join(folder, 'client.js'), client);
    const transform = 'node_modules/migrate-v2/dist/codemods/transforms/all.js';
    run('node_modules/.bin/jscodeshift', ['-t', transform, '--run-in-band', '--v1Base=https://api.example.com', 'client.js']);
    expect(readFileSync(join(folder, 'client.js'), 'utf8')).toBe(
      client.replace('v1', 'v2').replace("'x-api-key': key", 'Authorization: `Bearer ${key}`'),
    );
  });

  describe.skipIf(older === undefined)(`on a Node that is too old${whyNot}`, () => {
    /** A shell of somebody who has that Node and no other. */
    const shell = (command: string): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
      const path = [dirname(older ?? ''), ...(process.env['PATH'] ?? '').split(delimiter).filter((each) => !each.includes('node_modules'))];
      const env = { ...cleanEnvironment(), NODE_OPTIONS: '', PATH: path.join(delimiter) };
      return spawnSync('bash', ['-c', command], { cwd: folder, env, encoding: 'utf8' });
    };
    const commandIn = (text: string): string => /npx .*/.exec(text)?.[0] ?? '';

    it('is followed word for word to the end, by what it prints', () => {
      writeFileSync(join(folder, 'client.js'), client);
      const first = shell('npx migrate-v2 client.js --dry-run');
      expect([first.status, first.stdout]).toEqual([exitCodes.usage.code, '']);
      expect(first.stderr).toMatch(/^migrate-v2 needs Node >=.*; run: npx .*$/m);
      const second = shell(commandIn(first.stderr));
      expect(second).toMatchObject({ status: exitCodes.usage.code, stdout: '' });
      const third = shell(commandIn(second.stderr));
      expect(third).toMatchObject({ status: exitCodes.done.code, stdout: expect.stringContaining('1 call would be moved to v2') });
    });

    it('says as a transform what is missing', () => {
      const transform = 'node_modules/migrate-v2/dist/codemods/transforms/all.js';
      const { stdout, stderr } = shell(`npx --no-install jscodeshift -t ${transform} --v1Base=https://api.example.com client.js`);
      // A Node before 20.19 requires no ES modules: there jscodeshift says what it could not load.
      const isLoaded = shell('node -p process.features.require_module').stdout === 'true\n';
      expect(stdout + stderr).toMatch(isLoaded ? /migrate-v2 needs Node >=.*; run / : /ERR_REQUIRE_ESM.*transforms\/all\.js/);
    });

    it('says as a library in one line what is missing', () => {
      const script = "import('migrate-v2').catch(({ code, message }) => console.log(code + ': ' + message))";
      expect(shell(`node -e "${script}"`).stdout).toMatch(/^NODE_TOO_OLD: migrate-v2 needs Node >=.*, this is .*; run .*\n$/);
    });
  });
});
