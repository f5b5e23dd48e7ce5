/** Every client has its transform, and it moves calls of that client only. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { clientRules } from '../../../codemods/clients/registry.ts';
import { readTree } from '../helpers/fixtures.ts';
import { base, inBand, jscodeshift, project } from './runner.ts';

const folder = fileURLToPath(new URL('../../../codemods/transforms', import.meta.url));
const transforms = readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? name.slice(0, -'.ts'.length) : []));

const call = (client: string): string =>
  `import ${client} from '${client}';\n${client}.get('${base}/v1/messages', { headers: { 'x-api-key': key } });\n`;

describe('the transforms', () => {
  test('cover every client that is known', async () => {
    const texts = await Promise.all(transforms.map((name) => import(`${folder}/${name}.ts?raw`)));
    const sources = texts.map((module: { default: string }) => module.default).join('\n');
    expect(clientRules.map(({ name }) => name).filter((name) => !sources.includes(`'${name}'`))).toEqual([]);
  });

  test('of one client leave the calls of others', async () => {
    const cwd = project({ 'axios.js': call('axios'), 'got.js': call('got') });
    await jscodeshift(cwd, [...inBand, '.'], { transform: 'axios' });
    expect(readTree(cwd)).toEqual({
      'axios.js': call('axios').replace('v1', 'v2').replace("'x-api-key': key", "'Authorization': `Bearer ${key}`"),
      'got.js': call('got'),
    });
  });

  test('of one client leave what calls of others share with it, and say so', async () => {
    const shared = `import axios from 'axios';\nimport got from 'got';\nconst headers = { 'x-api-key': key };\n`;
    const calls = `axios.get('${base}/v1/messages', { headers });\ngot('${base}/v1/contacts', { headers });\n`;
    const cwd = project({ 'a.js': shared + calls });
    const { output, files } = await jscodeshift(cwd, [...inBand, '.'], { transform: 'axios' });
    expect(files['ok']).toBe(0);
    expect(output).toContain('a.js left as it is: calls of got change with it: use the transform "all"');
  });
});
