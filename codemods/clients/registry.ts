/** The clients that are known. To add one: a file beside this one, a line here, fixtures in test/codemods/fixtures/clients. */
import { isBuiltin } from 'node:module';
import { globalsLibrary } from './containers/globals.ts';
import { actionsCoreLibrary } from './settings/actions-core.ts';
import { actionsHttpClientRule } from './http/platforms/actions-http-client.ts';
import { activepiecesRule } from './http/platforms/activepieces.ts';
import { angularRule } from './http/frameworks/angular.ts';
import { angularHttpRule } from './http/frameworks/angular-http.ts';
import { angularJsLibrary } from './containers/angularjs.ts';
import { angularJsRule } from './http/frameworks/angularjs.ts';
import { angularJsMocksRule } from './testing/angularjs-mocks.ts';
import { angularTestingRule } from './testing/angular-testing.ts';
import { apisauceRule } from './http/apisauce.ts';
import { apolloRestRule } from './http/frameworks/apollo-rest.ts';
import { appsScriptRule } from './http/platforms/apps-script.ts';
import { astroLibrary } from './settings/astro.ts';
import { axiosMockAdapterRule } from './testing/axios-mock-adapter.ts';
import { backboneRule } from './http/frameworks/backbone.ts';
import { autocannonRule } from './http/runners/autocannon.ts';
import { axiosRule } from './http/axios.ts';
import { bentRule } from './http/bent.ts';
import { betterFetchRule } from './http/better-fetch.ts';
import { capacitorRule } from './http/platforms/capacitor.ts';
import { classTransformerLibrary } from './settings/class-transformer.ts';
import { cypressCommands } from './testing/cypress-commands.ts';
import { cypressRule } from './testing/cypress.ts';
import { curlRule } from './http/curl.ts';
import { devProxyRule } from './servers/dev-proxy.ts';
import { fastifyProxyRule } from './servers/fastify-proxy.ts';
import { effectPlatformRule } from './http/frameworks/effect-platform.ts';
import { electronRule } from './http/platforms/electron.ts';
import { expectationRule } from './testing/expectations.ts';
import { fancyTestRule } from './testing/fancy-test.ts';
import { fetchMockRule } from './testing/fetch-mock.ts';
import { fetchHooksRule } from './http/frameworks/react-use-fetch.ts';
import { fetchRule } from './http/fetch.ts';
import { formDataRule } from './http/form-data.ts';
import { gaxiosRule } from './http/gaxios.ts';
import { gotRule } from './http/got.ts';
import { httpCallRule } from './http/http-call.ts';
import { inngestRule } from './http/platforms/inngest.ts';
import { jqueryRule } from './http/frameworks/jquery.ts';
import { k6Rule } from './http/runners/k6.ts';
import { kyRule } from './http/ky.ts';
import { loopbackRestRule } from './http/frameworks/loopback-rest.ts';
import { mockFunctionRule } from './testing/mock-function.ts';
import { mirageRule } from './testing/mirage.ts';
import { mswRule } from './testing/msw.ts';
import { meteorHttpRule } from './http/frameworks/meteor.ts';
import { miniProgramsRule } from './http/platforms/mini-programs.ts';
import { n8nRule } from './http/platforms/n8n.ts';
import { needleRule } from './http/needle.ts';
import { moduleLoaders } from './testing/module-loaders.ts';
import { nestTerminusRule } from './http/frameworks/nest-terminus.ts';
import { nestRule } from './http/frameworks/nest.ts';
import { nginxRule } from './servers/nginx.ts';
import { nuxtAxiosRule } from './http/frameworks/nuxt-axios.ts';
import { nockRule } from './testing/nock.ts';
import { nodeHttpRule, nodeHttpsRule } from './http/node-http.ts';
import { nodeHttp2Rule } from './http/node-http2.ts';
import { directusRule } from './http/platforms/directus.ts';
import { obsidianRule } from './http/platforms/obsidian.ts';
import { ofetchRule } from './http/ofetch.ts';
import { heyApiRule } from './http/contracts/hey-api.ts';
import { openapiFetchRule } from './http/contracts/openapi-fetch.ts';
import { pathTemplateLibrary } from './values/path-templates.ts';
import { pipedreamRule } from './http/platforms/pipedream.ts';
import { parseCloudRule } from './http/platforms/parse-cloud.ts';
import { phinRule } from './http/phin.ts';
import { playwrightRule } from './http/runners/playwright.ts';
import { reactAdminRule } from './http/frameworks/react-admin.ts';
import { redaxiosRule } from './http/redaxios.ts';
import { requestRule } from './http/request.ts';
import { restifyClientsRule } from './http/restify-clients.ts';
import { rtkQueryRule } from './http/frameworks/rtk-query.ts';
import { reduxSagaRule } from './containers/redux-saga.ts';
import { swrRule } from './http/frameworks/swr.ts';
import { tanstackQueryRule } from './http/frameworks/tanstack-query.ts';
import type { ClientRule } from '../evaluate/libraries/client-rule.ts';
import { svelteKitFetchRule } from './http/frameworks/sveltekit-fetch.ts';
import { superagentRule } from './http/superagent.ts';
import { supertestRule } from './http/runners/supertest.ts';
import { rxjsAjaxRule } from './http/frameworks/rxjs-ajax.ts';
import { triggerDevRule } from './http/platforms/trigger-dev.ts';
import { tsRestRule } from './http/contracts/ts-rest.ts';
import { zodiosRule } from './http/contracts/zodios.ts';
import { undiciRule } from './http/undici.ts';
import { unirestRule } from './http/unirest.ts';
import { wreckRule } from './http/wreck.ts';
import { wretchRule } from './http/wretch.ts';
import { upFetchRule } from './http/up-fetch.ts';
import { vueuseRule } from './http/frameworks/vueuse.ts';
import { xiorRule } from './http/xior.ts';
import { xhrRule } from './http/xhr.ts';
import { zapierRule } from './http/platforms/zapier.ts';
import { zlFetchRule } from './http/zl-fetch.ts';
import { reactLibrary } from './containers/react.ts';
import { vueAxiosLibrary } from './containers/vue-axios.ts';
import { vueLibrary } from './containers/vue.ts';
import { strapiLibrary } from './settings/strapi.ts';
import { vscodeLibrary } from './settings/vscode.ts';
import { invariantLibrary } from './values/invariant.ts';
import { lodashLibrary } from './values/lodash.ts';
import { mergingLibraries } from './values/merging.ts';
import { urlcatLibrary } from './values/urlcat.ts';
import { queryLibrary } from './values/queries.ts';
import { urlJoinLibrary } from './values/url-join.ts';
import { zodLibrary } from './settings/zod.ts';
import { valibotLibrary } from './settings/valibot.ts';
import { envalidLibrary } from './settings/envalid.ts';
import { envSchemaLibrary } from './settings/env-schema.ts';
import { environmentLibrary } from './settings/environment.ts';
import { denoDotenvLibrary } from './settings/deno-dotenv.ts';
import { yenvLibrary } from './settings/yenv.ts';
import { envVarLibrary } from './settings/env-var.ts';
import { expoLibrary } from './settings/expo.ts';
import { firebaseParamsLibrary } from './settings/firebase-params.ts';
import { commandLineLibraries } from './settings/command-line.ts';
import { commanderLibrary } from './settings/commander.ts';
import { yargsLibrary } from './settings/yargs.ts';
import { commonEnvLibrary } from './settings/common-env.ts';
import { cosmiconfigLibrary } from './settings/cosmiconfig.ts';
import { convictLibrary } from './settings/convict.ts';
import { joiLibrary } from './settings/joi.ts';
import { yupLibrary } from './settings/yup.ts';
import { nconfLibrary } from './settings/nconf.ts';
import { emberConfigLibrary } from './settings/ember.ts';
import { meteorSettingsLibrary } from './settings/meteor.ts';
import { nodeConfigLibrary } from './settings/node-config.ts';
import { honoLibrary } from './servers/hono.ts';
import { t3EnvLibrary } from './settings/t3-env.ts';
import { pageSettingsLibrary } from './settings/page-settings.ts';
import { nextConfigLibrary } from './settings/next-config.ts';
import { nestOptionsLibrary } from './containers/nest-options.ts';
import { nestConfigLibrary } from './settings/nest-config.ts';
import { testTables } from './testing/test-tables.ts';
import { promisifiedFunctions } from './values/promisified.ts';
import { throttlingLibraries } from './values/throttling.ts';
import { svelteKitLibrary } from './containers/sveltekit.ts';
import { routeFilesLibrary } from './servers/route-files.ts';
import { workersLibrary } from './settings/workers.ts';
import { nuxtLibrary } from './containers/nuxt.ts';
import { awilixLibrary } from './containers/awilix.ts';
import { buildConstantsLibrary } from './containers/build-constants.ts';
import { effectLibrary } from './containers/effect.ts';
import { moleculerLibrary } from './containers/moleculer.ts';
import { medusaLibrary } from './containers/medusa.ts';
import { injectionLibraries } from './containers/injection.ts';
import { keptInMaps } from './containers/maps.ts';
import { ownFilesLibrary } from './settings/own-files.ts';
import { settingsStoresLibrary } from './settings/settings-stores.ts';
import { ownContainers } from './containers/own-containers.ts';
import { botLibrary, contextLibrary, thunkLibrary } from './containers/contexts.ts';
import { expressLibrary, fastifyLibrary, koaLibrary } from './containers/servers.ts';
import { isQuiet } from './quiet-packages.ts';

export const clientRules: readonly ClientRule[] = [
  fetchRule,
  fetchHooksRule,
  axiosRule,
  apisauceRule,
  apolloRestRule,
  appsScriptRule,
  bentRule,
  betterFetchRule,
  capacitorRule,
  curlRule,
  electronRule,
  jqueryRule,
  backboneRule,
  k6Rule,
  nestRule,
  nestTerminusRule,
  ofetchRule,
  directusRule,
  obsidianRule,
  openapiFetchRule,
  heyApiRule,
  xhrRule,
  playwrightRule,
  rtkQueryRule,
  formDataRule,
  gaxiosRule,
  gotRule,
  httpCallRule,
  kyRule,
  loopbackRestRule,
  needleRule,
  parseCloudRule,
  phinRule,
  nodeHttpRule,
  nodeHttpsRule,
  nodeHttp2Rule,
  reactAdminRule,
  requestRule,
  restifyClientsRule,
  rxjsAjaxRule,
  superagentRule,
  supertestRule,
  svelteKitFetchRule,
  undiciRule,
  unirestRule,
  wreckRule,
  wretchRule,
  upFetchRule,
  redaxiosRule,
  inngestRule,
  triggerDevRule,
  tsRestRule,
  meteorHttpRule,
  zodiosRule,
  xiorRule,
  zlFetchRule,
  vueuseRule,
  nockRule,
  fancyTestRule,
  nuxtAxiosRule,
  mirageRule,
  mswRule,
  angularRule,
  angularHttpRule,
  effectPlatformRule,
  angularJsRule,
  angularJsMocksRule,
  angularTestingRule,
  mockFunctionRule,
  expectationRule,
  axiosMockAdapterRule,
  devProxyRule,
  fastifyProxyRule,
  nginxRule,
  miniProgramsRule,
  n8nRule,
  pipedreamRule,
  activepiecesRule,
  zapierRule,
  fetchMockRule,
  cypressRule,
  cypressCommands,
  actionsHttpClientRule,
  autocannonRule,
  swrRule,
  tanstackQueryRule,
  reduxSagaRule,
  // What makes no requests, but clients, addresses and configuration go through it.
  reactLibrary,
  // Before what has sections of the same names.
  moleculerLibrary,
  vueLibrary,
  vueAxiosLibrary,
  invariantLibrary,
  lodashLibrary,
  mergingLibraries,
  pathTemplateLibrary,
  urlcatLibrary,
  urlJoinLibrary,
  queryLibrary,
  zodLibrary,
  valibotLibrary,
  envalidLibrary,
  envSchemaLibrary,
  denoDotenvLibrary,
  yenvLibrary,
  envVarLibrary,
  expoLibrary,
  nextConfigLibrary,
  firebaseParamsLibrary,
  environmentLibrary,
  pageSettingsLibrary,
  commonEnvLibrary,
  cosmiconfigLibrary,
  convictLibrary,
  commandLineLibraries,
  commanderLibrary,
  yargsLibrary,
  actionsCoreLibrary,
  ownFilesLibrary,
  settingsStoresLibrary,
  vscodeLibrary,
  strapiLibrary,
  moduleLoaders,
  nodeConfigLibrary,
  meteorSettingsLibrary,
  emberConfigLibrary,
  nconfLibrary,
  joiLibrary,
  yupLibrary,
  t3EnvLibrary,
  classTransformerLibrary,
  nestConfigLibrary,
  nestOptionsLibrary,
  astroLibrary,
  svelteKitLibrary,
  workersLibrary,
  routeFilesLibrary,
  nuxtLibrary,
  testTables,
  throttlingLibraries,
  promisifiedFunctions,
  expressLibrary,
  fastifyLibrary,
  honoLibrary,
  koaLibrary,
  contextLibrary,
  thunkLibrary,
  botLibrary,
  angularJsLibrary,
  awilixLibrary,
  effectLibrary,
  medusaLibrary,
  buildConstantsLibrary,
  injectionLibraries,
  ownContainers,
  globalsLibrary,
  keptInMaps,
];

/** What a library's calls are tried again by asks for nothing of its own. */
const knownPackages = new Set(clientRules.flatMap(({ modules = [], retries = [] }) => [...modules, ...retries]));

/**
 * Whether a package asks nobody for anything that is not seen: it is known what it asks by, or tests are written with it. Clients of AWS ask AWS alone, by
 * requests that they make themselves; parts of that SDK which send what they are given are none of them.
 */
export const isKnownPackage = (specifier: string): boolean =>
  isQuiet(specifier) ||
  [...knownPackages].some((each) => specifier === each || specifier.startsWith(`${each}/`)) ||
  isBuiltin(specifier) ||
  /^@(?:faker-js|testing-library)\/|^@aws-sdk\/(?:client|lib)-/.test(specifier);
