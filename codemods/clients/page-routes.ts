/** Requests that Playwright answers in a page or waits for: https://playwright.dev/docs/network. */
import { flat } from '../evaluate/text.ts';
import { type HttpValue, optionsOf, partsOf } from '../evaluate/values.ts';
import type { RuleCall } from '../evaluate/client-rule.ts';
import { made } from './shapes.ts';

const methods = new Set(['route', 'unroute', 'waitForRequest', 'waitForResponse']);

/** @returns undefined for other calls, and for addresses that a function tells apart */
export function pageRoute(client: string, call: RuleCall): HttpValue | undefined {
  const [url] = call.args;
  const isText = url?.type === 'text' || url?.type === 'choice' || url?.type === 'unknown';
  if (!methods.has(call.path.at(-1) ?? '') || call.on === undefined || !isText) return undefined;
  const isPattern = optionsOf(url).some((each) => flat(partsOf(each)).includes('*'));
  return { ...made(client, 'request', { ...call, on: undefined }, { url }), mock: isPattern ? { expects: 'part' } : {} };
}
