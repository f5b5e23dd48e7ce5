import type { Row } from '../row.ts';

const endpoints = 'test/sandbox/endpoints.test.ts';
const sunset = 'test/sandbox/sunset.test.ts';

/** §9: versioning. */
export const versioningRows: readonly Row[] = [
  {
    at: ['9.1'],
    rule: 'The first segment of the path is the version',
    tests: [
      [endpoints, '%s is served: without a key it is 401'],
      [endpoints, 'a path of neither version: 404 in the shape of v1'],
      ['test/sandbox/dialects.test.ts', 'v1, and what is neither version, keep the shape of v1'],
    ],
  },
  {
    at: ['9.2'],
    rule: 'v2 is the current version: nothing of it is deprecated, and it serves on after the end of v1',
    tests: [
      [sunset, 'v2 serves on'],
      ['test/openapi/openapi.test.ts', 'says that all of v1 is deprecated, and nothing of v2'],
    ],
  },
  {
    at: ['9.2'],
    rule: 'v2 takes its key as a Bearer token',
    tests: [['test/sandbox/authentication.test.ts', 'a key in x-api-key alone is no key on v2: 401 Missing API key']],
  },
  {
    at: ['9.2'],
    rule: 'v2 has a limit per hour and plan, which v1 does not have',
    tests: [
      ['test/sandbox/limits.test.ts', 'the plan Free allows 100 calls; the next is refused until the hour ends'],
      ['test/sandbox/limits.test.ts', 'calls of v1 do not use it up, and it does not keep v1 from answering'],
    ],
  },
  {
    at: ['9.2'],
    rule: 'v2 alone deletes contacts, updates campaigns and has webhooks',
    tests: [
      ['test/sandbox/every-endpoint.test.ts', 'is deleting contacts, updating campaigns and webhooks'],
      ['test/sandbox/every-endpoint.test.ts', 'v1 has no %s: 404, and nothing is done'],
    ],
  },
  {
    at: ['9.3'],
    rule: 'v1 is deprecated since June 2026; whether its answers say so is not shown',
    assumptions: ['deprecatedSince'],
    tests: [
      [sunset, '%s names its successor on v2, with the id of the call'],
      [sunset, 'RFC 9745 §2.1: whole seconds, and a date in the future too; RFC 8594 §3: an HTTP-date; the links lead to the guide'],
      [sunset, 'without the switch v1 announces nothing, not even in the 410'],
      ['test/openapi/openapi.test.ts', 'says that all of v1 is deprecated, and nothing of v2'],
    ],
  },
  {
    at: ['9.3'],
    rule: 'v1 ends on 31 December 2026; its instant and what v1 answers from then on are not shown',
    assumptions: ['sunsetAt', 'sunsetStatus', 'sunsetText'],
    tests: [
      [sunset, 'v1 is served up to the last millisecond before the sunset, and at the sunset no more'],
      [sunset, '%s answers 410 with v1’s error, and nothing else in the body'],
      [sunset, 'instant, status and text are as assumed'],
    ],
  },
  {
    at: ['9.3'],
    rule: 'Applications move to v2: what v1 wrote is there',
    tests: [[sunset, 'what v1 wrote before the sunset can be read on v2 after it']],
  },
  {
    at: ['9.3'],
    rule: 'There is a migration guide; its address is not shown',
    assumptions: ['migrationGuideUrl'],
    tests: [[sunset, 'RFC 9745 §2.1: whole seconds, and a date in the future too; RFC 8594 §3: an HTTP-date; the links lead to the guide']],
  },
  {
    at: ['9.4'],
    rule: 'Deliveries say their version in User-Agent: Service-Webhooks/1.0',
    tests: [
      ['test/sandbox/webhooks/post.test.ts', 'is the documented one, byte for byte, with only what HTTP needs besides'],
      ['test/sandbox/webhooks/deliveries.test.ts', 'the documented fields, with a signature over the exact bytes'],
    ],
  },
];
