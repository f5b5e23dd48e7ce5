/**
 * Next's configuration of the time of v1: `getConfig()` gives what `next.config.js` has for `publicRuntimeConfig` and `serverRuntimeConfig`
 * (https://nextjs.org/docs/14/pages/api-reference/next-config-js/runtime-configuration). It is an object, or a function that makes one.
 */
import type { ClientRule, LibraryFunction } from '../../evaluate/libraries/client-rule.ts';
import type { At, Evaluation } from '../../evaluate/evaluation.ts';
import type { Value } from '../../evaluate/values/values.ts';
import { configAbove } from './project-config.ts';

const configFile = /(?<=^|\/)next\.config\.[cm]?[jt]s$/;

const runtimeConfig: LibraryFunction = (ev, _args, node, { module }) => {
  const config = configAbove(ev, module, configFile);
  if (config === undefined) return undefined;
  const made = unwrapped(ev, config.value, config.at);
  return made.type === 'function' ? ev.apply(made, [], node, config.at) : made;
};

/** Plugins give a configuration back with more in it: `withBundleAnalyzer({ … })(config)`, `withTranspiled(config)`. */
function unwrapped(ev: Evaluation, config: Value, at: At): Value {
  const call = config.type === 'unknown' && config.node?.kind === 'call' ? config.node : undefined;
  const [given] = call?.args ?? [];
  return given === undefined || given.kind === 'spread' ? config : unwrapped(ev, ev.evaluate(given, at), at);
}

export const nextConfigLibrary: ClientRule = {
  name: 'next/config',
  title: "Next's runtime configuration",
  functions: { 'next/config:': runtimeConfig, 'next/config:default': runtimeConfig },
  takes: { by: /^getConfig$/, file: configFile },
  ambient: { mark: /\b(?:public|server)RuntimeConfig\b/, reached: /['"]next\/config['"]/ },
};
