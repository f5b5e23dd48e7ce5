/**
 * Ember's configuration: https://cli.emberjs.com/release/appendix/configuration. `import ENV from 'my-app/config/environment'` gives what the function makes
 * which `config/environment.js` exports.
 */
import { posix } from 'node:path';
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { choiceOf, type Value } from '../../evaluate/values/values.ts';

const configFile = /(?<=^|\/)config\/environment\.[cm]?js$/;

/** By its name, or by the relative path of a module in `app`, where what the function makes is served: `../config/environment`. */
function isServedAs(specifier: string, { file }: SourceModule, from: SourceModule): boolean {
  if (!/^\.{1,2}\//.test(specifier)) return /^[^./].*\/config\/environment$/.test(specifier);
  const path = posix.join(posix.dirname(from.file), specifier).replace(/\.js$/, '');
  return path === file.replace(configFile, 'app/config/environment');
}

function settingsIn(ev: Evaluation, specifier: string, module: SourceModule, from: SourceModule): Value | undefined {
  if (!configFile.test(module.file) || !isScript(module) || !isServedAs(specifier, module, from)) return undefined;
  const made = exportedValue(ev, module, 'default');
  return made?.type === 'function' ? choiceOf(returnsOf(made.node).map((each) => ev.evaluate(each, made))) : undefined;
}

export const emberConfigLibrary: ClientRule = { name: 'ember', title: "Ember's configuration", settingsIn };
