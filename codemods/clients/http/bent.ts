/** bent: https://github.com/mikeal/bent#readme. It tells what it is given by what each of it is: an address, a method, headers, an encoding. */
import type { ClientRule, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { optionsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import { made } from '../shapes.ts';

const name = 'bent';

/** `bent('https://…/v1', 'POST', 'json', { 'x-api-key': key })`, and what that gives: `post('/contacts', body, headers)` */
function call(call: RuleCall): Value | undefined {
  const { path, on, args } = call;
  if (path.some((each) => each !== 'default') || on?.stage === 'request') return undefined;
  if (on !== undefined) return made(name, 'request', call, { url: args[0], headers: [args[2]], ...(on.base && { join: 'append' }) });
  const said = args.filter((each) => !isNumber(each));
  const method = said.map((each) => plainText(each) ?? '').find((each) => /^[A-Z]+$/.test(each));
  const [base, ...others] = said.filter((each) => each.type !== 'object' && !/^[a-z]+$/i.test(plainText(each) ?? ''));
  // Of two that are not known, either may be the address.
  if (others.length > 0) return undefined;
  return made(name, 'client', call, {
    ...(base && { base }),
    method: method ?? 'GET',
    headers: said.filter(({ type }) => type === 'object'),
  });
}

/** The codes of answers that are no errors. */
const isNumber = (value: Value): boolean => optionsOf(value).every((each) => each.type === 'literal' && typeof each.value === 'number');

export const bentRule: ClientRule = { name, modules: [name], call };
