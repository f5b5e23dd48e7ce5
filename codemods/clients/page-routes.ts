/** Requests that Playwright answers in a page or waits for: https://playwright.dev/docs/network. */
import { flat } from '../evaluate/text.ts';
import { type HttpValue, optionsOf, partsOf, plainText, type Value } from '../evaluate/values.ts';
import type { Given, RuleCall } from '../evaluate/client-rule.ts';
import { mockFunctionRule, receivedBy } from './mock-function.ts';
import { made } from './shapes.ts';

const methods = new Set(['route', 'unroute', 'waitForRequest', 'waitForResponse']);

const asked = /^(?:url|headers|allHeaders|headerValue)$/;

/** What is read of a request that was waited for: `(await page.waitForRequest(url)).headers()`. */
function askedOf({ stage, mock, url, base, join }: HttpValue, call: RuleCall): Value | undefined {
  if (stage !== 'request' || mock === undefined) return undefined;
  const on = receivedBy(call, { ...(url && { url }), ...(base && { base }), ...(join && { join }) });
  return mockFunctionRule.call?.({ ...call, on });
}

/** `page.route(url, (route, request) => …)`, `page.waitForRequest((request) => …)`, `page.on('request', (request) => …)`. */
export function givenToHandler({ path, on, index, argument, within, node, module, call, ev }: Given): HttpValue | undefined {
  const verb = path.at(-1) ?? '';
  if (on === undefined || within.length > 0) return undefined;
  const [first] = ev.args(call, { module, frame: undefined });
  if (verb === 'route' && argument === 1 && index < 2) {
    const url = first?.type === 'text' || first?.type === 'choice' ? { url: first } : {};
    const isPattern = first === undefined || optionsOf(first).some((each) => flat(partsOf(each)).includes('*'));
    return { ...receivedBy({ node, module }, url), mock: isPattern ? { expects: 'part' } : {} };
  }
  const isAsked = verb === 'waitForRequest' && argument === 0;
  const isHeard = (verb === 'on' || verb === 'once') && argument === 1 && first !== undefined && plainText(first) === 'request';
  return index === 0 && (isAsked || isHeard) ? receivedBy({ node, module }, {}) : undefined;
}

/** @returns undefined for other calls, and for addresses that a function tells apart */
export function pageRoute(client: string, call: RuleCall): Value | undefined {
  const [url] = call.args;
  const isText = url?.type === 'text' || url?.type === 'choice' || url?.type === 'unknown';
  if (call.on === undefined) return undefined;
  const read = asked.test(call.path.join('.')) ? askedOf(call.on, call) : undefined;
  if (read !== undefined) return read;
  if (!methods.has(call.path.at(-1) ?? '')) return undefined;
  if (!isText) return call.path.at(-1) === 'waitForRequest' && url !== undefined ? receivedBy(call, {}) : undefined;
  const isPattern = optionsOf(url).some((each) => flat(partsOf(each)).includes('*'));
  return { ...made(client, 'request', { ...call, on: undefined }, { url }), mock: isPattern ? { expects: 'part' } : {} };
}
