/** What tests expect of the address that an answer says it is of: `expect(response.url()).toContain('/v1/contacts')`. */
import { flat, joinUrl } from '../../../evaluate/values/text.ts';
import { type HttpValue, type Mock, optionsOf, partsOf, type Value } from '../../../evaluate/values/values.ts';
import type { RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import { asReceived } from './received-addresses.ts';

const note = 'answered';

/** What a client gives for the address of the answer to a request. */
export const addressAnswered = (request: HttpValue): Value => ({
  type: 'method',
  receiver: { ...request, notes: { ...request.notes, [note]: { type: 'literal', value: true } } },
  path: ['url'],
});

/** Whether a request stands for what is expected of an answer's address. */
export const isOfAnswer = ({ notes }: HttpValue): boolean => notes?.[note] !== undefined;

/** Whether a value is the address of an answer, or of one among others. */
export const isOfAnswers = (value: Value | undefined): boolean =>
  value !== undefined && optionsOf(value).some((each) => answeredIn(each) !== undefined);

const answeredIn = (value: Value | undefined): HttpValue | undefined =>
  value?.type === 'method' && value.receiver.type === 'http' && isOfAnswer(value.receiver) ? value.receiver : undefined;

/**
 * @param actual what is compared
 * @param expected the address, or a part of it
 * @returns the request that was answered, asked for what is expected; undefined where it is the address of no answer or of several, or where another host answered
 */
export function askedAsExpected(
  actual: Value,
  expected: Value,
  { node, module }: RuleCall,
  expects: Mock['expects'],
): HttpValue | undefined {
  const [read, another] = optionsOf(actual);
  const asked = answeredIn(read);
  if (another !== undefined || asked === undefined) return undefined;
  const { url } = asReceived(asked, expected, expects) ?? {};
  const [own, said] = [joinUrl(asked.base, asked.url, asked.join ?? 'resolve'), url].map(originOf);
  const isRedirected = own !== undefined && said !== undefined && own !== said;
  return url === undefined || isRedirected ? undefined : { ...asked, node, module, url, headers: [], mock: { expects } };
}

const originOf = (url: Value | undefined): string | undefined =>
  /^https?:\/\/[^/]+/i.exec(url === undefined ? '' : flat(partsOf(url)))?.[0];
