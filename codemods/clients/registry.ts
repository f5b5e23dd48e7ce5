/** The clients that are known. To add one: a file beside this one, a line here, fixtures in test/codemods/fixtures/clients. */
import { globalsLibrary } from './globals.ts';
import { actionsCoreLibrary } from './actions-core.ts';
import { actionsHttpClientRule } from './actions-http-client.ts';
import { angularRule } from './angular.ts';
import { angularTestingRule } from './angular-testing.ts';
import { apisauceRule } from './apisauce.ts';
import { apolloRestRule } from './apollo-rest.ts';
import { appsScriptRule } from './apps-script.ts';
import { astroLibrary } from './astro.ts';
import { axiosMockAdapterRule } from './axios-mock-adapter.ts';
import { axiosRule } from './axios.ts';
import { capacitorRule } from './capacitor.ts';
import { classTransformerLibrary } from './class-transformer.ts';
import { cypressRule } from './cypress.ts';
import { devProxyRule } from './dev-proxy.ts';
import { electronRule } from './electron.ts';
import { expectationRule } from './expectations.ts';
import { fetchMockRule } from './fetch-mock.ts';
import { fetchRule } from './fetch.ts';
import { gotRule } from './got.ts';
import { jqueryRule } from './jquery.ts';
import { k6Rule } from './k6.ts';
import { kyRule } from './ky.ts';
import { mockFunctionRule } from './mock-function.ts';
import { mswRule } from './msw.ts';
import { n8nRule } from './n8n.ts';
import { needleRule } from './needle.ts';
import { moduleLoaders } from './module-loaders.ts';
import { nestRule } from './nest.ts';
import { nginxRule } from './nginx.ts';
import { nockRule } from './nock.ts';
import { nodeHttpRule, nodeHttpsRule } from './node-http.ts';
import { obsidianRule } from './obsidian.ts';
import { ofetchRule } from './ofetch.ts';
import { openapiFetchRule } from './openapi-fetch.ts';
import { pathTemplateLibrary } from './path-templates.ts';
import { playwrightRule } from './playwright.ts';
import { requestRule } from './request.ts';
import { rtkQueryRule } from './rtk-query.ts';
import { reduxSagaRule } from './redux-saga.ts';
import { swrRule } from './swr.ts';
import { tanstackQueryRule } from './tanstack-query.ts';
import type { ClientRule } from '../evaluate/client-rule.ts';
import { superagentRule } from './superagent.ts';
import { supertestRule } from './supertest.ts';
import { rxjsAjaxRule } from './rxjs-ajax.ts';
import { undiciRule } from './undici.ts';
import { unirestRule } from './unirest.ts';
import { wreckRule } from './wreck.ts';
import { wretchRule } from './wretch.ts';
import { xhrRule } from './xhr.ts';
import { zapierRule } from './zapier.ts';
import { reactLibrary } from './react.ts';
import { vueLibrary } from './vue.ts';
import { vscodeLibrary } from './vscode.ts';
import { lodashLibrary } from './lodash.ts';
import { mergingLibraries } from './merging.ts';
import { urlcatLibrary } from './urlcat.ts';
import { queryLibrary } from './queries.ts';
import { urlJoinLibrary } from './url-join.ts';
import { zodLibrary } from './zod.ts';
import { envalidLibrary } from './envalid.ts';
import { envSchemaLibrary } from './env-schema.ts';
import { environmentLibrary } from './environment.ts';
import { envVarLibrary } from './env-var.ts';
import { expoLibrary } from './expo.ts';
import { firebaseParamsLibrary } from './firebase-params.ts';
import { commandLineLibraries } from './command-line.ts';
import { commanderLibrary } from './commander.ts';
import { yargsLibrary } from './yargs.ts';
import { convictLibrary } from './convict.ts';
import { joiLibrary } from './joi.ts';
import { nodeConfigLibrary } from './node-config.ts';
import { honoLibrary } from './hono.ts';
import { t3EnvLibrary } from './t3-env.ts';
import { nestConfigLibrary } from './nest-config.ts';
import { testTables } from './test-tables.ts';
import { throttlingLibraries } from './throttling.ts';
import { svelteKitLibrary } from './sveltekit.ts';
import { routeFilesLibrary } from './route-files.ts';
import { workersLibrary } from './workers.ts';
import { nuxtLibrary } from './nuxt.ts';
import { awilixLibrary } from './awilix.ts';
import { injectionLibraries } from './injection.ts';
import { keptInMaps } from './kept.ts';
import { ownFilesLibrary } from './own-files.ts';
import { settingsStoresLibrary } from './settings-stores.ts';
import { ownContainers } from './own-containers.ts';
import { expressLibrary, fastifyLibrary, koaLibrary } from './servers.ts';

export const clientRules: readonly ClientRule[] = [
  fetchRule,
  axiosRule,
  apisauceRule,
  apolloRestRule,
  appsScriptRule,
  capacitorRule,
  electronRule,
  jqueryRule,
  k6Rule,
  nestRule,
  ofetchRule,
  obsidianRule,
  openapiFetchRule,
  xhrRule,
  playwrightRule,
  rtkQueryRule,
  gotRule,
  kyRule,
  needleRule,
  nodeHttpRule,
  nodeHttpsRule,
  requestRule,
  rxjsAjaxRule,
  superagentRule,
  supertestRule,
  undiciRule,
  unirestRule,
  wreckRule,
  wretchRule,
  nockRule,
  mswRule,
  angularRule,
  angularTestingRule,
  mockFunctionRule,
  expectationRule,
  axiosMockAdapterRule,
  devProxyRule,
  nginxRule,
  n8nRule,
  zapierRule,
  fetchMockRule,
  cypressRule,
  actionsHttpClientRule,
  swrRule,
  tanstackQueryRule,
  reduxSagaRule,
  // What makes no requests, but clients, addresses and configuration go through it.
  reactLibrary,
  vueLibrary,
  lodashLibrary,
  mergingLibraries,
  pathTemplateLibrary,
  urlcatLibrary,
  urlJoinLibrary,
  queryLibrary,
  zodLibrary,
  envalidLibrary,
  envSchemaLibrary,
  envVarLibrary,
  expoLibrary,
  firebaseParamsLibrary,
  environmentLibrary,
  convictLibrary,
  commandLineLibraries,
  commanderLibrary,
  yargsLibrary,
  actionsCoreLibrary,
  ownFilesLibrary,
  settingsStoresLibrary,
  vscodeLibrary,
  moduleLoaders,
  nodeConfigLibrary,
  joiLibrary,
  t3EnvLibrary,
  classTransformerLibrary,
  nestConfigLibrary,
  astroLibrary,
  svelteKitLibrary,
  workersLibrary,
  routeFilesLibrary,
  nuxtLibrary,
  testTables,
  throttlingLibraries,
  expressLibrary,
  fastifyLibrary,
  honoLibrary,
  koaLibrary,
  awilixLibrary,
  injectionLibraries,
  ownContainers,
  globalsLibrary,
  keptInMaps,
];

const testTools = new Set(clientRules.flatMap(({ isForTests, modules }) => (isForTests === true ? (modules ?? []) : [])));

/** Whether a package is one that tests are written with, and asks nobody for anything by itself. */
export const isTestTool = (specifier: string): boolean =>
  [...testTools].some((each) => specifier === each || specifier.startsWith(`${each}/`)) ||
  /^node:|^@(?:faker-js|testing-library)\//.test(specifier);
