/** What libraries that try again by themselves, after a 429 too, call the wait between tries, or the most that it may be. */
import type { Node } from '../../syntax/tree.ts';

/** As got, axios-retry, BullMQ, TanStack Query and SWR call what gives the wait, or is it. */
export const givesWait = /^(?:calculateDelay|retryDelay|backoffStrategy|errorRetryInterval)$/;

/** What packages that try again call it, in whose files these names stand for nothing else. */
export const isWait = /^(?:minTimeout|maxTimeout|initialDelay|maxDelay|retryDelay|maxRetryDelay|backoffLimit|maxRetryAfter)$/;

/** Whether a text may hold one of the first. */
export const mayGiveWait = (text: string): boolean => /calculateDelay|retryDelay|retryCondition|errorRetryInterval/i.test(text);

export const isOfRetries = (node: Node): boolean => node.kind === 'property' && givesWait.test(node.name ?? '');
