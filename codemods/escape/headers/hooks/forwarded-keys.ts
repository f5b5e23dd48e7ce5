/** Headers of who asks that are sent on to v2: as long as the key was sent as v1's header, it took the place of theirs. */
import { v1Auth } from '../../../../src/contract/auth.ts';
import { functionAround } from '../../../evaluate/calls/callees.ts';
import { isTest } from '../../../evaluate/libraries/test-files.ts';
import type { Entry } from '../../../evaluate/values/values.ts';
import type { Finding } from '../../../model.ts';
import type { RequestSite } from '../../../verdict/request-sites.ts';

/** @param moved requests that get v2's header */
export function forwardedKeys(moved: readonly RequestSite[]): Finding[] {
  const entries = moved.flatMap(({ keys, request }) => (request.isMock ? [] : keys)).filter(isForwarding);
  const found = new Map(entries.map((entry) => [entry.node, entry]));
  return [...found.values()].map(({ node: { start, end }, module }): Finding => ({
    code: 'reads-header',
    file: module.file,
    start,
    end,
    ...module.position(start),
    detail: { how: 'forwarded' },
  }));
}

const isForwarding = (entry: Entry): boolean => entry.isOverTheirs === true && !isTest(entry.module) && !isTakenOut(entry);

/** `delete headers['x-api-key']`, `headers.delete('x-api-key')`, `const { 'x-api-key': theirs, ...others } = request.headers` */
const taking = new RegExp(`\\bdelete\\b[^;\\n]*${v1Auth.field}|['"\`]${v1Auth.field}['"\`]\\s*:[^{}]*\\.\\.\\.[^{}]*\\}\\s*=`, 'i');

function isTakenOut({ node, module: { text } }: Entry): boolean {
  const { start, end } = functionAround(node) ?? { start: 0, end: text.length };
  return taking.test(text.slice(start, end));
}
