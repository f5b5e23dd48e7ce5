import { row, table } from '../helpers/values/table.ts';

table('environment and settings', [
  row('a variable', `ask(process.env.API_URL);`, 'env API_URL'),
  row('a variable by brackets', `ask(process.env['API_URL']);`, 'env API_URL'),
  row('a variable by a name in a constant', `const name = 'API_URL'; ask(process.env[name]);`, 'env API_URL'),
  row('a variable by a pattern', `const { API_URL } = process.env; ask(API_URL);`, 'env API_URL'),
  row('a variable by a pattern under another name', `const { API_URL: url } = process.env; ask(url);`, 'env API_URL'),
  row('all variables under a name', `const env = process.env; ask(env.API_URL);`, 'env API_URL'),
  row('all variables as a parameter', `const get = (env) => env.API_URL; ask(get(process.env));`, 'env API_URL'),
  row('a variable through the global object', `ask(globalThis.process.env.API_URL);`, 'env API_URL', { isOnlyRead: true }),
  row('a variable of an import of process', `import process from 'node:process'; ask(process.env.API_URL);`, 'env API_URL'),
  row('a variable of an import of its environment', `import { env } from 'node:process'; ask(env.API_URL);`, 'env API_URL'),
  row(
    'a variable or an end by throwing',
    `function fail(why) { throw new Error(why); } try { ask(process.env.API_URL ?? fail('none')); } catch {}`,
    'env API_URL',
  ),
  row('a variable or an end of the program', `ask(process.env.API_URL || (() => { warn('none'); process.exit(1); })());`, 'env API_URL', {
    isOnlyRead: true,
  }),
  row(
    'a variable or what a function may return before it throws',
    `function other() { if (flag) return '/a'; throw new Error('none'); } try { ask(process.env.API_URL || other()); } catch {}`,
    '"/a" | env API_URL',
  ),
  row('a variable with a default', `ask(process.env.API_URL ?? 'https://a.test');`, '"https://a.test" | env API_URL'),
  row('a variable with a path after it', 'ask(`${process.env.API_URL}/v1/messages`);', 'env API_URL + "/v1/messages"'),
  row(
    'a variable or a default with a path after it',
    'ask(`${process.env.API_URL || "https://a.test"}/v1`);',
    '"https://a.test/v1" | env API_URL + "/v1"',
  ),
  row('a variable with its slashes taken away', `ask(process.env.API_URL.replace(/\\/$/, '') + '/v1');`, 'env API_URL + "/v1"', {
    isOnlyRead: true,
  }),
  row('a variable that counts as a text', `ask(process.env.API_URL?.trim());`, 'env API_URL'),
  row('a variable that a function asks for', `const env = (name) => process.env[name]; ask(env('API_URL'));`, 'env API_URL'),
  row(
    'a variable that a function asks for, with a default',
    `const env = (name, otherwise) => process.env[name] ?? otherwise; ask(env('A', 'b'));`,
    '"b" | env A',
  ),
  row(
    'a variable that a function insists on',
    `function must(name) { const value = process.env[name]; if (!value) return 'none'; return value; } ask(must('A'));`,
    '"none" | env A',
  ),
  row('variables with more laid over them', `const env = { ...process.env, KEY: 'k' }; ask(env.API_URL);`, 'env API_URL'),
  row('variables with something unknown laid over them', `const env = { ...process.env, ...JSON.parse('{}') }; ask(env.API_URL);`, '?'),
  row('variables in a table', `const config = { api: { url: process.env.API_URL } }; ask(config.api.url);`, 'env API_URL'),
  row('variables in a class', `class Config { url = process.env.API_URL; } ask(new Config().url);`, 'env API_URL'),
  row(
    'variables in another file',
    { 'env.ts': `export const url = process.env.API_URL;`, 'main.ts': `import { url } from './env'; ask(url);` },
    'env API_URL',
  ),
  row('a variable by an unknown name is unknown', `ask(process.env[input.key]);`, '?'),
  row(
    'a variable that is assigned',
    `process.env.API_URL = 'https://a.test'; ask(process.env.API_URL);`,
    '"https://a.test" | env API_URL',
    {
      isOnlyRead: true,
      wrong: 'what is assigned to the environment is looked for by the verdict',
    },
  ),
  row('the environment of a bundler', `ask(import.meta.env.VITE_API_URL);`, 'env VITE_API_URL', { isOnlyRead: true }),
  row('the environment of Bun', `ask(Bun.env.API_URL);`, 'env API_URL', { isOnlyRead: true }),
  row('the environment of Deno', `ask(Deno.env.get('API_URL'));`, 'env API_URL', { isOnlyRead: true }),
  row('the environment of k6', `ask(__ENV.API_URL);`, 'env API_URL', { isOnlyRead: true }),
  row('the environment of SvelteKit', `import { API_URL } from '$env/static/private'; ask(API_URL);`, 'env API_URL', { isOnlyRead: true }),
  row('the environment of SvelteKit as it is now', `import { env } from '$env/dynamic/private'; ask(env.API_URL);`, 'env API_URL', {
    isOnlyRead: true,
  }),
  row('the environment of a worker', `export default { fetch(request, env) { ask(env.API_URL); } };`, 'env API_URL', { isOnlyRead: true }),
  row('the environment of a worker by an import', `import { env } from 'cloudflare:workers'; ask(env.API_URL);`, 'env API_URL', {
    isOnlyRead: true,
  }),
  row('the environment of a worker by another name', `export default { queue(batch, vars) { ask(vars.API_URL); } };`, 'env API_URL', {
    isOnlyRead: true,
  }),
  row('the environment of a worker by a pattern', `export default { fetch(request, { API_URL }) { ask(API_URL); } };`, 'env API_URL', {
    isOnlyRead: true,
  }),
  row('what a method of another object is given', `export default { send(request, vars) { ask(vars.API_URL); } };`, '?', {
    isOnlyRead: true,
  }),
  row(
    'a configuration service',
    `export class C { constructor(private config) {} get() { ask(this.config.get('API_URL')); } }`,
    'env API_URL',
    { isOnlyRead: true },
  ),
  row(
    'a configuration service of what is unknown',
    `export class C { constructor(private config) {} get() { ask(this.config.get(input.key)); } }`,
    '?',
    { isOnlyRead: true },
  ),
  row(
    'a schema of zod',
    `import { z } from 'zod'; const env = z.object({ API_URL: z.string() }).parse(process.env); ask(env.API_URL);`,
    'env API_URL',
    { isOnlyRead: true },
  ),
  row(
    'a schema of zod with a default',
    `import { z } from 'zod'; const env = z.object({ API_URL: z.string().default('https://a.test') }).parse(process.env); ask(env.API_URL);`,
    '"https://a.test" | env API_URL',
    { isOnlyRead: true },
  ),
  row(
    'a schema of zod within a schema',
    `import { z } from 'zod'; const env = z.object({ api: z.object({ url: z.string().default('https://a.test') }) }).parse({ api: { url: process.env.API_URL } }); ask(env.api.url);`,
    '"https://a.test" | env API_URL',
    { isOnlyRead: true },
  ),
  row(
    'a schema of t3',
    `import { createEnv } from '@t3-oss/env-nextjs'; import { z } from 'zod'; const env = createEnv({ server: { API_URL: z.string() } }); ask(env.API_URL);`,
    'env API_URL',
    { isOnlyRead: true },
  ),
]);

table('options and arguments of the command line', [
  row('an argument', `ask(process.argv[7]);`, 'given process.argv[7]', { isOnlyRead: true }),
  row('an argument with a default', `ask(process.argv[7] ?? 'https://a.test');`, '"https://a.test" | given process.argv[7]', {
    isOnlyRead: true,
  }),
  row('an argument of an import of process', `import { argv } from 'node:process'; ask(argv[7]);`, 'given process.argv[7]', {
    isOnlyRead: true,
  }),
  row(
    'arguments by a pattern',
    `const [, , , , , , , base = 'https://a.test'] = process.argv; ask(base);`,
    '"https://a.test" | given process.argv[7]',
    { isOnlyRead: true },
  ),
  row('arguments behind the first ones', `const [base] = process.argv.slice(7); ask(base);`, 'given process.argv', { isOnlyRead: true }),
  row(
    'an option of Node with a default',
    `import { parseArgs } from 'node:util'; const { values } = parseArgs({ args: [], options: { base: { type: 'string', default: 'https://a.test' } } }); ask(values.base);`,
    '"https://a.test" | given --base',
  ),
  row(
    'an option of Node without a default',
    `import { parseArgs } from 'node:util'; const { values } = parseArgs({ args: ['--base', 'b'], options: { base: { type: 'string' } } }); ask(values.base);`,
    'given --base',
  ),
  row(
    'an option of Node that is tidied',
    `import { parseArgs } from 'node:util'; const { values } = parseArgs({ args: [], options: { base: { type: 'string', default: 'https://a.test/' } } }); ask(values.base.replace(/\\/$/, '') + '/v1');`,
    '"https://a.test/v1" | given --base + "/v1"',
  ),
  row(
    'options of Node over defaults',
    `import { parseArgs } from 'node:util'; const { values } = parseArgs({ args: [], options: { base: { type: 'string' } } }); ask({ base: 'https://a.test', ...values }.base);`,
    '"https://a.test" | given --base',
  ),
  row(
    'an option of minimist by an alias',
    `import minimist from 'minimist'; const argv = minimist([], { default: { base: 'https://a.test' }, alias: { base: 'b' } }); ask(argv.b);`,
    '"https://a.test" | given --base',
    { isOnlyRead: true },
  ),
  row(
    'a file of settings',
    `import { readFileSync } from 'node:fs'; ask(JSON.parse(readFileSync('/home/me/.textsrc.json', 'utf8')).url);`,
    'given url of .textsrc.json',
    { isOnlyRead: true },
  ),
  row(
    'a file of settings over defaults',
    `import { readFileSync } from 'node:fs'; import { join } from 'node:path'; const settings = { url: 'https://a.test', ...JSON.parse(readFileSync(join(input.home, '.textsrc.json'))) }; ask(settings.url);`,
    '"https://a.test" | given url of .textsrc.json',
    { isOnlyRead: true },
  ),
  row(
    'a file whose name is not known',
    `import { readFileSync } from 'node:fs'; ask(JSON.parse(readFileSync(input.file, 'utf8')).url);`,
    '?',
    { isOnlyRead: true },
  ),
  row('what is parsed of a text', `ask(JSON.parse(input.text).url);`, '?', { isOnlyRead: true }),
  row('any option of minimist', `import minimist from 'minimist'; ask(minimist([])['base']);`, 'given --base', { isOnlyRead: true }),
]);
