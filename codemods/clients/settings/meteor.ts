/**
 * Meteor's settings: https://docs.meteor.com/api/meteor.html#Meteor-settings. `Meteor.settings` is what stands in the file that `--settings` names when it is
 * started, or in the variable METEOR_SETTINGS where it is deployed. No import leads to such a file.
 */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { given, givenOver } from '../../evaluate/libraries/given.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { choiceOf, optionsOf, type Value } from '../../evaluate/values/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { isAnywhere } from '../whole-program.ts';

/** `settings.json`, `settings-development.json`, `.deploy/settings.production.json`, `settings/staging.json`; those of an editor are its own. */
const settingsFile = /(?<=^|\/)(?!\.vscode\/)(?:[\w.-]*settings[\w.-]*|settings\/[\w.-]+)\.json$/;

/** What the program puts there itself, whatever the file says. */
const written =
  String.raw`\bMeteor\s*\.\s*settings(?:\s*\??\.\s*\w+|\s*\[[^\]\n]*\])*\s*(?:\|\||&&|\?\?)?=(?!=)` +
  String.raw`|\b(?:assign|extend|merge|defaults\w*|set)\(\s*Meteor\s*\.\s*settings\b`;

/** Any of the files: which one it is, whoever starts it says. */
function settings(ev: Evaluation, node: Node, { module }: At): Value {
  const open = given('METEOR_SETTINGS', node, module);
  const files = isAnywhere(ev.world, written) ? [] : [...ev.world.modules.values()].filter(isSettings);
  const objects = files.flatMap((file) => optionsOf(ev.exported(file, 'default') ?? open));
  return choiceOf(objects.length === 0 ? [open] : objects.map((each) => (each.type === 'object' ? givenOver(each, open) : open)));
}

const isSettings = ({ file }: SourceModule): boolean => settingsFile.test(`/${file}`);

export const meteorSettingsLibrary: ClientRule = {
  name: 'meteor/meteor',
  title: "Meteor's settings",
  reads: { 'meteor/meteor:settings': settings },
  takes: { by: /^settings$/, file: settingsFile },
  // Of files that name no service, too: another stage may be another host, and a program may set what it likes.
  ambient: {
    isSilent: true,
    mark: new RegExp(String.raw`"(?:public|private)"\s*:\s*\{|${written}`),
    reached: /\bMeteor\s*\.\s*settings\b/,
  },
};
