/** vue-axios: https://github.com/imcvampire/vue-axios#usage. `Vue.use(VueAxios, axios)` gives all components an instance of axios, under two names or under those of an object. */
import type { ClientRule } from '../../evaluate/libraries/client-rule.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Put, PutNode } from '../../evaluate/libraries/provided.ts';
import { isCallOf } from '../names.ts';
import { globalOfComponents, globals, usesOfGlobals } from './vue-globals.ts';

const usual = ['$http', 'axios'];
const registered = /\buse\(\s*\w+\s*,\s*(?:\w+\s*\)|\{([^{}]*)\})/;

/** Asked for with `inject('axios')`, it is what the project's own code provides. */
function puts(node: PutNode, module: SourceModule): readonly Put[] {
  if (node.kind !== 'call' || !isCallOf(node, { method: /^use$/, on: /./ })) return [];
  const [plugin, given] = node.args;
  const owner = plugin?.kind === 'name' ? module.scopes.bindingOf(plugin)?.owner : undefined;
  if (owner?.kind !== 'import' || owner.source.value !== 'vue-axios' || given === undefined || given.kind === 'spread') return [];
  if (given.kind !== 'object') return usual.map((key) => ({ space: globals, key, node: given }));
  return given.properties.flatMap((each) =>
    each.kind === 'property' && each.name !== undefined ? { space: globals, key: each.name, node: each.value } : [],
  );
}

export const vueAxiosLibrary: ClientRule = {
  name: 'vue-axios',
  carries: [{ where: /['"]vue-axios['"]/, puts, asks: globalOfComponents(globals) }],
  ambient: {
    mark: /['"]vue-axios['"]/,
    handsOn: true,
    reached: (text) => {
      const names = registered.exec(text)?.[1]?.match(/[$\w]+(?=\s*[:,}]|\s*$)/g);
      return usesOfGlobals(names ?? usual);
    },
  },
};
