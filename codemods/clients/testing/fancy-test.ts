/** fancy-test, which oclif's tests are made with: https://github.com/oclif/fancy-test#readme. `test.env({ … }).nock(base, (api) => api.get(path))` goes on as it began. */
import type { ClientRule, Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { environmentSetters as modules } from './libraries.ts';
import { nockRule } from './nock.ts';
import type { Value } from '../../evaluate/values/values.ts';

/** Each step of a chain may be followed by all others, and a chain that has a name by several. */
function call({ path, on }: RuleCall): Value | undefined {
  const [begin, step, ...more] = path;
  const [source = ''] = modules;
  return on === undefined && isTest(begin) && step !== undefined && more.length === 0
    ? { type: 'external', source, path: ['test'] }
    : undefined;
}

const isTest = (name: string | undefined): boolean => name === 'test' || name === 'fancy';

/** The scope of nock that a step's function gets. */
function given({ ev, path: [begin, step], on, index, call, module, frame }: Given): Value | undefined {
  if (on !== undefined || !isTest(begin) || step !== 'nock' || index !== 0) return undefined;
  return nockRule.call?.({ ev, node: call, path: [], on: undefined, args: ev.args(call, { module, frame }), module, frame });
}

export const fancyTestRule: ClientRule = { name: 'fancy-test', isForTests: true, modules, call, given };
