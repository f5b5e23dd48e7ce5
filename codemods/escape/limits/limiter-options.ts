/** A minute among the options of packages that hold calls back, or wait between tries: `{ intervalCap: 60, interval: 60_000 }`, `limiter: { max: 60, duration: 60_000 }`. */
import type { SourceModule } from '../../evaluate/module.ts';
import type { FindingCode } from '../../model.ts';
import type { PropertyNode } from '../../syntax/tree.ts';
import { numberOf } from './numbers.ts';
import { isWait } from './retry-options.ts';
import { isMinute } from './waits-by-code.ts';

/** What they call the window in which so many calls are let through. */
const isWindow = /^(?:reservoirRefreshInterval|interval|perMilliseconds|timeUnit)$/;

/** Whether a text is of a file that uses one of them. */
interface Packages {
  throttles(text: string): boolean;
  retries(text: string): boolean;
}

interface Told {
  readonly code: FindingCode;
  readonly detail?: { readonly name: string };
}

/** @returns what is told of an option */
export const minuteWindowOf =
  ({ throttles, retries }: Packages) =>
  (property: PropertyNode, module: SourceModule): Told | undefined => {
    const { name, value } = property;
    if (name === undefined) return undefined;
    if (isAfterLimit(property, module)) return retries(module.text) ? { code: 'retry-per-minute' } : undefined;
    if (isSixtyAMinute(property, module)) return throttles(module.text) ? { code: 'minute-limit', detail: { name } } : undefined;
    if (!isMinute(value, module)) return undefined;
    if ((isWindow.test(name) || isOfLimiter(property)) && throttles(module.text)) return { code: 'minute-limit', detail: { name } };
    return isWait.test(name) && retries(module.text) ? { code: 'retry-per-minute' } : undefined;
  };

/** `retryCondition: (error) => error.response?.status === 429` of axios-retry, whose wait between tries is seconds. */
const isAfterLimit = ({ name, value }: PropertyNode, { text }: SourceModule): boolean =>
  name === 'retryCondition' && /\b429\b/.test(text.slice(value.start, value.end));

/** `throttle: { limit: 60, period: '1m' }` of Inngest, and Bottleneck's pause between calls, `minTime: 1000`. */
function isSixtyAMinute({ name, value, parent: object }: PropertyNode, module: SourceModule): boolean {
  if (name === 'minTime') return numberOf(value, module) === 1000;
  const isPeriod = name === 'period' && object?.parent?.kind === 'property' && /^(?:throttle|rateLimit)$/.test(object.parent.name ?? '');
  return isPeriod && value.kind === 'string' && /^(?:1m|60s)$/.test(value.value);
}

/** `limiter: { max: 60, duration: 60_000 }` of queues. */
const isOfLimiter = ({ name, parent: object }: PropertyNode): boolean =>
  name === 'duration' && object?.parent?.kind === 'property' && /^limiter$/.test(object.parent.name ?? '');
