/**
 * Expo: what its configuration holds for the application, which reads it of expo-constants (https://docs.expo.dev/versions/latest/sdk/constants). An
 * `app.config.ts` comes before an `app.json`, as an object or as a function that makes it.
 */
import { returnsOf } from '../../evaluate/apply.ts';
import type { ClientRule } from '../../evaluate/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import { unknown, type Value } from '../../evaluate/values.ts';
import type { Node } from '../../syntax/tree.ts';
import { objectOf } from '../servers/incoming.ts';
import { configAbove } from './project-config.ts';

const configFile = /(?<=^|\/)app\.(?:config\.[cm]?[jt]s|json)$/;

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
function made(ev: Evaluation, config: Value): Value {
  const [returned] = config.type === 'function' ? returnsOf(config.node) : [];
  return config.type === 'function' && returned !== undefined ? ev.evaluate(returned, config) : config;
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
  takes: { by: /^(?:expoConfig|manifest2?)$/, file: configFile },
  ambient: { mark: /\bextra\b['"]?\s*:/, reached: /['"]expo-(?:constants|updates)['"]/ },
};
