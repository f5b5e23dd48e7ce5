/** `fetchMock.mockIf(/\/v1\/contacts/, answer)`, `fetchMock.doMockOnceIf('https://…')` of jest-fetch-mock: the requests that are answered so. */
import type { RuleCall } from '../../evaluate/libraries/client-rule.ts';
import type { HttpValue } from '../../evaluate/values/values.ts';
import { made } from '../shapes.ts';
import { addressOf } from './path-patterns.ts';

export const isConditional = (verb: string): boolean => /^(?:(?:do|dont)M|m)ock(?:Once)?If$/.test(verb);

/** @returns undefined for a function that decides, and for any other call */
export function mockedIf(client: string, verb: string, call: RuleCall): HttpValue | undefined {
  if (!isConditional(verb)) return undefined;
  const { url, mock } = addressOf(call.node.args[0], call.module, call.args[0]);
  return url?.type === 'text' || url?.type === 'choice'
    ? { ...made(client, 'request', { ...call, on: undefined }, { url }), mock }
    : undefined;
}
