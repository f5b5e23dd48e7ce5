/**
 * supertest: https://github.com/forwardemail/supertest#readme, and chai-http: requests of superagent's, to an application of the test's own, which is no
 * service's, or to an address.
 */
import { flat, isAbsolute } from '../../../evaluate/values/text.ts';
import { optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import type { ClientRule, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { made } from '../../shapes.ts';
import { superagentRule } from '../superagent.ts';

const name = 'supertest';
const asking = new Set(['', 'agent', 'request', 'request.agent', 'request.execute']);

function call(call: RuleCall): Value | undefined {
  const [target] = call.args;
  if (call.on !== undefined || target === undefined) return undefined;
  if (!asking.has(call.path.filter((each) => each !== 'default').join('.'))) return undefined;
  const isAddress = optionsOf(target).some((each) => isAbsolute(flat(partsOf(each))));
  return isAddress ? made(superagentRule.name, 'client', call, { base: target, join: 'append' }) : undefined;
}

export const supertestRule: ClientRule = { name, isForTests: true, modules: [name, 'chai', 'chai-http'], call };
