/**
 * Expo: what its configuration holds for the application, which reads it of expo-constants (https://docs.expo.dev/versions/latest/sdk/constants). An
 * `app.config.ts` comes before an `app.json`, as an object or as a function that makes it.
 */
import { returnsOf } from '../../evaluate/calls/returns.ts';
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { choiceOf, unknown, type Value } from '../../evaluate/values/values.ts';
import type { Node, ParamNode } from '../../syntax/tree.ts';
import { objectOf } from '../servers/incoming.ts';
import { configAbove } from './project-config.ts';

const configFile = /(?<=^|\/)app\.(?:config\.[cm]?[jt]s|json)$/;
const codeFile = /(?:^|\/)app\.config\.[cm]?[jt]s$/;
const jsonFile = /(?<=^|\/)app\.json$/;

function expoConfig(ev: Evaluation, node: Node, at: At): Value {
  const config = configAbove(ev, at.module, configFile);
  if (config === undefined) return unknown(node, at.module);
  const { program } = config.at.module.tree;
  const whole = made(ev, config.value);
  const within = ev.member(whole, 'expo', program, config.at);
  return config.at.module.file.endsWith('.json') || within.type === 'object' ? within : whole;
}

/** What an application that was updated over the air says of itself: https://docs.expo.dev/technical-specs/expo-updates-1. */
const manifest = (ev: Evaluation, node: Node, at: At): Value => {
  const about = { node, module: at.module };
  return objectOf({ extra: objectOf({ expoClient: expoConfig(ev, node, at) }, about) }, about);
};

/** What a configuration is, which code may have without the key that JSON has it under: `export default ({ config }) => ({ ...config, extra: { … } })`, or an object. */
const made = (ev: Evaluation, config: Value): Value =>
  config.type === 'function' ? choiceOf(returnsOf(config.node).map((each) => ev.evaluate(each, config))) : config;

/** `({ config }) => …`: what JSON says, which code is given. */
function givenToCode(ev: Evaluation, param: ParamNode, { module }: At): Value | undefined {
  const json = codeFile.test(module.file) ? configAbove(ev, module, jsonFile) : undefined;
  const code = json && ev.exported(module, 'default');
  if (json === undefined || code?.type !== 'function' || code.node.params[0] !== param) return undefined;
  return objectOf({ config: ev.member(json.value, 'expo', param, json.at) }, { node: param, module });
}

export const expoLibrary: ClientRule = {
  name: 'expo-constants',
  title: "Expo's configuration",
  reads: {
    'expo-constants:expoConfig': expoConfig,
    'expo-constants:manifest': expoConfig,
    'expo-constants:manifest2': manifest,
    'expo-updates:manifest': manifest,
  },
  injected: givenToCode,
  takes: { by: /^(?:expoConfig|manifest2?)$/, file: configFile },
  // A configuration that is code lays its own over that of JSON, and may say nothing of v1.
  ambient: { handsOn: true, mark: /\bextra\b['"]?\s*:/, reached: /['"]expo-(?:constants|updates)['"]|\bextra\b['"]?\s*[:=.]/ },
};
