/** Proxies of which nobody here is seen to ask: those who do read v2's answers, once their calls are passed on there. */
import type { Finding } from '../../model.ts';
import type { RequestSite } from '../../verdict/request-sites.ts';

/** @param onV2 requests that are on v2 behind the edits */
export const passedToUnseen = (onV2: readonly RequestSite[]): Finding[] =>
  onV2
    .filter(({ request, isUsed }) => request.isPrefix && !isUsed && !request.isMock)
    .map(({ request: { call, module } }) => ({
      code: 'answer-shape',
      file: module.file,
      start: call.start,
      end: call.end,
      ...module.position(call.start),
      detail: { what: 'what those who ask through this proxy read' },
    }));
