/**
 * Code that sets variables of the environment for programs which do not import it: setup files of Jest, Vitest and Mocha, what Node preloads, and
 * the `env` of Vitest's and pm2's configuration.
 */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import { testOpening } from '../testing/libraries.ts';
import { settingOpening, variablesSetIn } from './deployed-variables.ts';
import { givesEnvironment } from './environment-objects.ts';

const address = String.raw`\s*['"\x60]https?://`;
/** `process.env.API_URL = 'https://…'`, `vi.stubEnv('API_URL', 'https://…')` */
const single = [
  String.raw`\bprocess\.env(?:\.|\[['"])(\w+)(?:['"]\])?\s*(?:\?\?|\|\|)?=${address}`,
  String.raw`\bstubEnv\(\s*['"](\w+)['"],${address}`,
].join('|');
/** What reads one of the variables that some code sets to an address. */
function readersOf(text: string): RegExp | undefined {
  const names = new Set(Array.from(text.matchAll(new RegExp(single, 'g')), ([, assigned, stubbed]) => assigned ?? stubbed ?? ''));
  for (const { name, value } of variablesSetIn(text)) if (/^https?:/i.test(value) && /^[A-Z]/.test(name)) names.add(name);
  return names.size === 0 ? undefined : new RegExp(`\\b(?:${[...names].join('|')})\\b`);
}

/** Where the whole environment is found: under these names, as what modules call `env`, and by calls of packages. */
export const environmentsOfPlatforms: readonly string[] = ['process.env', 'Bun.env', 'import.meta.env', 'globalThis.process.env'];
export const exportingEnvironment = /^(?:(?:node:)?process|cloudflare:workers|\$env\/dynamic\/(?:private|public))$/;
const loading = 'dotenv';
export const givingEnvironment: readonly string[] = [loading, 'hono/adapter'];
/** What may be one in a text, where nothing is taken of it by a name. */
export const mayHoldEnvironment = new RegExp(
  String.raw`\benv\b(?!\??\.(?!toObject)|\??\[|\s*=(?![=>])\s*['"\x60])|\bprocess\s*[,)]|['"]${loading}['"]`,
);

export const environmentLibrary: ClientRule = {
  name: 'environment',
  // What a page has of it, a file that is written where it is deployed sets; what an app on a phone has, `.env` files do.
  environments: ['__ENV__', '__env', '_env_', 'react-native-config', 'react-native-config.Config'],
  environmentModules: /^@env$|^react-native-dotenv$/,
  ambient: { mark: new RegExp(`${single}|${settingOpening.source}|${givesEnvironment.source}|${testOpening.source}`), reached: readersOf },
};
