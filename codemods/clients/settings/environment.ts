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

export const environmentLibrary: ClientRule = {
  name: 'environment',
  // What a page has of it, a file that is written where it is deployed sets; what an app on a phone has, `.env` files do.
  environments: ['__ENV__', '__env', '_env_', 'react-native-config', 'react-native-config.Config'],
  environmentModules: /^@env$|^react-native-dotenv$/,
  ambient: { mark: new RegExp(`${single}|${settingOpening.source}|${givesEnvironment.source}|${testOpening.source}`), reached: readersOf },
};
