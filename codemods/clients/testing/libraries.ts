/** Libraries that tests are written with, by what they are for: each stands here once, and who looks for some of them in texts or imports takes them from here. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { memoOf } from '../../once.ts';

/** They ask a server of one's own, as it is tested: nobody else is asked by them. */
export const ownServerAskers: readonly string[] = ['supertest', 'light-my-request', 'chai-http'];
/** The last of these puts itself there: `chai.request(app)`. */
export const extendedByAsker = 'chai';

/** They stand in for the network. */
export const networkMocks: readonly string[] = ['msw', 'nock', 'fetch-mock', 'axios-mock-adapter'];

/** Their chains set variables of the environment: `test.env({ … })`. Elsewhere such a method may say what another program is started with. */
export const environmentSetters: readonly string[] = ['fancy-test', '@oclif/test'];
export const testOpening = /\.env\(\s*(?=\{)/;
export const namesEnvironmentSetter = new RegExp(`['"](?:${environmentSetters.join('|')})['"]`);

/** What of these, and of undici's mocks, a file names that puts one in the place of the network. nock and `setupServer` stand apart: some take only calls of them, and only for some hosts. */
const namesOfMocks = String.raw`\b(?:MockAgent|MockAdapter|fetchMock)\b`;

/** What takes the place of the network in a test, by its text. */
const replacingNetwork = new RegExp(
  String.raw`\b(?:stubGlobal|mockGlobal)\(\s*['"]fetch|\b(?:spyOn|method|replace|stub)\(\s*(?:globalThis|global|window|self)\b|\b(?:globalThis|global|window)\.fetch\s*=|\b(?:nock|setupServer)\(|${namesOfMocks}`,
);

/** What of that answers for any host, so that a test's own server asks nobody; nock does so for the host that it is given. */
export const answeringAnyHost = new RegExp(
  [
    /\bnock(?:\.disableNetConnect)?\((?!\s*['"`]https?:\/\/(?!localhost\b|127\.|\[))/,
    new RegExp(namesOfMocks),
    /\b(?:setupServer|HttpTestingController|stubGlobal)\b/,
    /\b(?:globalThis|global|window)\.fetch\s*=(?!=)|\bnew Response\(|\bResponse\.(?:json|error)\(/,
    /\b(?:spyOn|method)\(\s*(?:globalThis|global|window)\s*,\s*['"]fetch['"]\s*(?:,|\)\s*\.mock)|\bfetch\w*\s*[:=]\s*\w+\.(?:fn|mock)\b/i,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** A test puts its own in the place of `fetch`. */
export const stubsFetch =
  /\bstubGlobal\(\s*['"`]fetch\b|\b(?:globalThis|global|window|self)\.fetch\s*=(?!=)|\b(?:spyOn|method|stub|replace)\(\s*\w+,\s*['"`]fetch\b/;

/** Methods that put something in the place of a module … */
export const mockingModules = /^(?:do)?[mM]ock$|^unstable_mockModule$/;
/** … and of a package, as those of Node and Bun do, too; and what lets it be what it is all the same. */
export const mockingPackages = /^(?:mock|doMock|unstable_mockModule|module|setMock)$/;
export const keepsActual = /\b(?:import|require)(?:Actual|Original)\b|\bspy: true\b/;

/** Runners of tests, by the names that their configuration begins with: those that start applications, and all. */
const startingRunners = 'playwright|cypress|wdio|nightwatch|testcafe';
export const configuredRunners = `${startingRunners}|vite|vitest|jest|karma`;

/** What runs an application runs its servers, too. */
export const startsApplications = new RegExp(String.raw`(?:^|\/)(?:${startingRunners})[\w.-]*\.config\.`);

/** Runners, assertions and spies, as tests import them. */
const writing = ['vitest', 'mocha', 'chai', 'sinon', 'ava', 'tap', 'uvu', 'cypress', '@jest/globals', '@playwright/test'];

/** By which names tests assert and spy; what they are given is only looked at. */
export const namesInTests = 'expect|assert|vi|jest|sinon|td';

/** `expect(body).toMatchObject(…)`, `assert.equal(…)`, `body.code.should.equal(…)`, supertest's `.expect(401, …)`, ava's `t.is(…)`. */
export const assertions = /^(?:expect\b.|t\.|(?:chai\.)?assert\b|(?:not)?(?:deep)?(?:strict)?equal$)|\.should\b|\)\s*\.expect$/is;

/** What tests import, whichever of these. */
export const ofTests = new RegExp(
  String.raw`^(?:${[...writing, ...networkMocks, ...ownServerAskers].join('|')}|@testing-library/[\w-]+)(?:/|$)`,
);

/** Packages that start servers for tests, and say where these are: `server.url` of mockttp, `mockServer.url` of Pact. */
export const startsServers =
  /['"](?:@pact-foundation\/pact|mockttp|testcontainers|@testcontainers\/[\w-]+|wiremock(?:-[\w-]+)?|mock-http-server)['"]/;

/** What plays what it has recorded, as a server of tests. */
export const importsPlayer = /(?:from|require\()\s*["']talkback["']/;

/** What tests import that makes no client of a service: it writes, runs or serves them. */
export const besideTests =
  /^(?:node:|@?wiremock|@?testcontainers|@?vitest|@?jest|mocha|chai|@playwright|supertest|sinon|assert|path|fs|url|util|os|child_process|http|https|events|dotenv|get-port|wait-on|execa|@faker-js|@testing-library|@nestjs)/;

/** Whether a text names a library in quotes, or a part of it. */
export const quoted = (libraries: readonly string[]): string => String.raw`['"](?:${libraries.join('|')})(?:\/[\w-]+)?['"]`;

/** What only a runner has that starts such files itself, by a text: its package, its imports or its globals. No program has a function of theirs. */
export const ofRunner = new RegExp(
  String.raw`${quoted(['@playwright/test', 'k6'])}|\bCypress\.(?:env|Commands)\b|(?<![\w.$])cy\.(?:request|intercept|visit|get|wait|task)\(`,
);

const ownServer = new RegExp(String.raw`${quoted(ownServerAskers)}|\b(?:createServer|express|serve|listen|inject)\s*\(|\bnew Request\(`);

/** Whether a test asks a server of its own, by its text: its paths and headers may be that one's. */
export const asksOwnServer = (text: string): boolean => ownServer.test(text);

/** Whether only tests call its functions: it is one, or has what nothing else runs with, as helpers of a suite that stand in a folder of any name. */
export const isCalledByTestsAlone = memoOf((module: SourceText): boolean => isTest(module) || ofRunner.test(module.text));

/** Whether a test drives a page, by its text: what that asks is asked by whatever runs there. */
export const drivesPages = ({ text }: Pick<SourceText, 'text'>): boolean => ofRunner.test(text);

/** Whether a test has something in the place of the network, by its text. */
export const replacesNetwork = (text: string): boolean => replacingNetwork.test(text);
