/** Requests that Playwright answers in a page or waits for: https://playwright.dev/docs/network. */
import { flat } from '../../evaluate/values/text.ts';
import { type HttpValue, optionsOf, partsOf, plainText, type Value } from '../../evaluate/values/values.ts';
import type { Given, RuleCall } from '../../evaluate/libraries/client-rule.ts';
import { mockFunctionRule, receivedBy } from './mock-function.ts';
import { soughtBy } from './path-patterns.ts';
import { made } from '../shapes.ts';

const waiting = /^waitForRe(?:quest|sponse)$/;
const answering = /^(?:un)?route$/;
const hearing = /^(?:on|once|waitForEvent)$/;
/** Events of a page that hand out a request, or an answer with it. */
const events = /^(?:re(?:quest(?:finished|failed)?|sponse))$/;

const asked = /^(?:url|request|headers|allHeaders|headerValue)$/;

/** What is read of a request that was waited for, or by way of its answer: `(await page.waitForRequest(url)).headers()`. */
function askedOf({ stage, mock, url, base, join }: HttpValue, call: RuleCall): Value | undefined {
  if (stage !== 'request' || mock === undefined) return undefined;
  const on = { ...receivedBy(call, { ...(url && { url }), ...(base && { base }), ...(join && { join }) }), mock };
  return mockFunctionRule.call?.({ ...call, on });
}

/** In a function or a pattern. */
const namesHost = /['"`](?:https?:\/\/)?[\w-]+(?:\.[\w-]+)+(?::\d+)?\/?['"`]|^\/.*[\w-]\\\.[a-z]/i;

/** `page.route(url, (route, request) => …)`, `page.waitForResponse((response) => …)`, `page.on('request', (request) => …)`. */
export function givenToHandler({ path, on, index, argument, within, node, module, call, ev }: Given): HttpValue | undefined {
  const verb = path.at(-1) ?? '';
  if (on === undefined || within.length > 0) return undefined;
  const [first] = ev.args(call, { module, frame: undefined });
  const [asking] = call.args;
  // Which host a function or a pattern asks for beside the path is not followed.
  const isOfHost =
    asking !== undefined && /^(?:function|literal)$/.test(asking.kind) && namesHost.test(module.text.slice(asking.start, asking.end));
  if (verb === 'route' && argument === 1 && index < 2) {
    const pattern = soughtBy(asking, { module, ev });
    const asked = pattern ?? first;
    if (asked === undefined || (pattern === undefined && isOfHost)) return undefined;
    const url = asked.type === 'text' || asked.type === 'choice' ? { url: asked } : {};
    const isPattern = pattern !== undefined || optionsOf(asked).some((each) => flat(partsOf(each)).includes('*'));
    return { ...receivedBy({ node, module }, url), mock: isPattern ? { expects: 'part' } : {} };
  }
  const isAsked = (waiting.test(verb) || answering.test(verb)) && argument === 0;
  const isHeard = hearing.test(verb) && argument === 1 && first !== undefined && events.test(plainText(first) ?? '');
  if (isAsked && isOfHost) return undefined;
  return index === 0 && (isAsked || isHeard) ? receivedBy({ node, module }, {}) : undefined;
}

/** @returns undefined for other calls, and for addresses that a function tells apart */
export function pageRoute(client: string, call: RuleCall): Value | undefined {
  const [given] = call.args;
  const verb = call.path.at(-1) ?? '';
  if (call.on === undefined) return undefined;
  const read = asked.test(call.path.join('.')) ? askedOf(call.on, call) : undefined;
  if (read !== undefined) return read;
  if (given === undefined || !(waiting.test(verb) || answering.test(verb))) return undefined;
  const pattern = soughtBy(call.node.args[0], call);
  const url = pattern ?? given;
  if (url.type !== 'text' && url.type !== 'choice' && url.type !== 'unknown') return waiting.test(verb) ? receivedBy(call, {}) : undefined;
  const isPart = pattern !== undefined || optionsOf(url).some((each) => flat(partsOf(each)).includes('*'));
  return { ...made(client, 'request', { ...call, on: undefined }, { url }), mock: isPart ? { expects: 'part' } : {} };
}
