/**
 * Code that sets variables of the environment for programs which do not import it: setup files of Jest, Vitest and Mocha, what Node preloads, and
 * the `env` of Vitest's and pm2's configuration.
 */
import type { ClientRule } from '../evaluate/client-rule.ts';

const address = String.raw`\s*['"\x60]https?://`;
/** `process.env.API_URL = 'https://…'`, `vi.stubEnv('API_URL', 'https://…')` */
const single = [
  String.raw`\bprocess\.env(?:\.|\[['"])(\w+)(?:['"]\])?\s*(?:\?\?|\|\|)?=${address}`,
  String.raw`\bstubEnv\(\s*['"](\w+)['"],${address}`,
].join('|');
/** `env: { API_URL: 'https://…' }`, `Object.assign(process.env, { … })` */
const block = String.raw`\bprocess\.env,\s*\{|\benv(?:_\w+)?['"]?\s*:\s*\{`;

/** What reads one of the variables that some code sets to an address. */
function readersOf(text: string): RegExp | undefined {
  const names = new Set(Array.from(text.matchAll(new RegExp(single, 'g')), ([, assigned, stubbed]) => assigned ?? stubbed ?? ''));
  for (const [settings] of text.matchAll(new RegExp(`(?:${block})[^{}]*`, 'g')))
    for (const [, name = ''] of settings.matchAll(new RegExp(String.raw`\b(\w+)['"]?\s*:${address}`, 'g'))) names.add(name);
  return names.size === 0 ? undefined : new RegExp(`\\b(?:${[...names].join('|')})\\b`);
}

export const environmentLibrary: ClientRule = {
  name: 'environment',
  // What a page has of it: a file that is written where it is deployed sets it.
  environments: ['__ENV__', '__env', '_env_'],
  ambient: { mark: new RegExp(`${single}|${block}`), reached: readersOf },
};
