/** Libraries that tests are written with, by what they are for: each stands here once, and who looks for some of them in texts or imports takes them from here. */

/** They ask a server of one's own, as it is tested: nobody else is asked by them. */
export const ownServerAskers: readonly string[] = ['supertest', 'light-my-request', 'chai-http'];

/** They stand in for the network. */
export const networkMocks: readonly string[] = ['msw', 'nock', 'fetch-mock', 'axios-mock-adapter'];

/** What of these, and of undici's mocks, a file names that puts one in the place of the network. nock and `setupServer` are not among them: some take only calls of them, and only for some hosts. */
export const namesOfMocks = String.raw`\b(?:MockAgent|MockAdapter|fetchMock)\b`;

/** Runners of tests, by the names that their configuration begins with. */
export const configuredRunners = 'playwright|vite|vitest|jest|cypress|wdio|nightwatch|testcafe|karma';

/** Runners, assertions and spies, as tests import them. */
const writing = ['vitest', 'mocha', 'chai', 'sinon', 'ava', 'tap', 'uvu', 'cypress', '@jest/globals', '@playwright/test'];

/** What tests import, whichever of these. */
export const ofTests = new RegExp(
  String.raw`^(?:${[...writing, ...networkMocks, ...ownServerAskers].join('|')}|@testing-library/[\w-]+)(?:/|$)`,
);

/** Whether a text names a library in quotes, or a part of it. */
export const quoted = (libraries: readonly string[]): string => String.raw`['"](?:${libraries.join('|')})(?:\/[\w-]+)?['"]`;
