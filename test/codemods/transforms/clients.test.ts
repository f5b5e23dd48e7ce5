/** `--clients` of the transform: it moves calls of these clients only. */
import { describe, expect, test } from 'vitest';
import { readTree } from '../helpers/fixtures.ts';
import { base, inBand, jscodeshift, project } from './runner.ts';

const call = (client: string): string =>
  `import ${client} from '${client}';\n${client}.get('${base}/v1/messages', { headers: { 'x-api-key': key } });\n`;
const only = (clients: string) => ({ options: [`--v1Base=${base}`, `--clients=${clients}`] });

describe('the transform for some clients', () => {
  test('leaves the calls of others', async () => {
    const cwd = project({ 'axios.js': call('axios'), 'got.js': call('got') });
    await jscodeshift(cwd, [...inBand, '.'], only('axios'));
    expect(readTree(cwd)).toEqual({
      'axios.js': call('axios').replace('v1', 'v2').replace("'x-api-key': key", 'Authorization: `Bearer ${key}`'),
      'got.js': call('got'),
    });
  });

  test('leaves what calls of others share with them, and says so', async () => {
    const shared = `import axios from 'axios';\nimport got from 'got';\nconst headers = { 'x-api-key': key };\n`;
    const calls = `axios.get('${base}/v1/messages', { headers });\ngot('${base}/v1/contacts', { headers });\n`;
    const cwd = project({ 'a.js': shared + calls });
    const { output, files } = await jscodeshift(cwd, [...inBand, '.'], only('axios'));
    expect(files['ok']).toBe(0);
    expect(output).toContain('a.js left as it is: calls of got change with it: name all in --clients, or none');
  });

  test('knows the clients by name, and says which there are', async () => {
    const cwd = project({ 'axios.js': call('axios') });
    const { output, files } = await jscodeshift(cwd, [...inBand, '.'], only('axios,axois'));
    expect(files['errors']).toBe(1);
    expect(output).toContain('--clients: "axois" is no client that is known; these are: fetch, fetch-hooks, axios, ');
    expect(readTree(cwd)).toEqual({ 'axios.js': call('axios') });
  });
});
