/**
 * Ember's configuration: https://cli.emberjs.com/release/appendix/configuration. `import ENV from 'my-app/config/environment'` gives what the function makes
 * which `config/environment.js` exports.
 */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { exportedValue } from '../../evaluate/names/exports.ts';
import { isScript, type SourceModule } from '../../evaluate/module.ts';
import { choiceOf, type Value } from '../../evaluate/values/values.ts';

const configFile = /(?:^|\/)config\/environment\.[cm]?js$/;

function settingsIn(ev: Evaluation, specifier: string, module: SourceModule): Value | undefined {
  if (!/^[^./].*\/config\/environment$/.test(specifier) || !configFile.test(module.file) || !isScript(module)) return undefined;
  const made = exportedValue(ev, module, 'default');
  return made?.type === 'function' ? choiceOf(returnsOf(made.node).map((each) => ev.evaluate(each, made))) : undefined;
}

export const emberConfigLibrary: ClientRule = { name: 'ember', title: "Ember's configuration", settingsIn };
