/** Packages that ask nobody for anything by HTTP: servers, settings, checks, dates, queues, databases and what tests are written with. */
const quiet = new Set(
  [
    'zod valibot yup joi superstruct envalid dotenv dotenv/config convict common-env common-env/withLogger env-var @t3-oss/env-core @t3-oss/env-nextjs',
    'express koa @koa/router koa-router koa-bodyparser body-parser cors helmet morgan fastify fastify-plugin hono @hono/node-server',
    'graphql graphql-yoga graphql-tag dataloader @trpc/server reflect-metadata class-validator class-transformer tslib',
    'react react-dom vue svelte preact zustand jotai immer redux react-redux rxjs',
    'lodash lodash-es underscore ramda remeda dayjs date-fns luxon moment uuid nanoid ulid',
    'pino pino-http pino-pretty debug commander yargs p-limit p-queue p-map p-retry async bottleneck',
    'pg mysql2 better-sqlite3 sqlite3 mongodb mongoose knex drizzle-orm typeorm sequelize ioredis redis bullmq bull amqplib kafkajs node-cron',
    '@nestjs/testing @nestjs/common @nestjs/core @nestjs/config @nestjs/platform-express @nestjs/platform-fastify @nestjs/schedule',
    '@testing-library/react @testing-library/user-event @testing-library/jest-dom @testing-library/vue @vue/test-utils',
    'jest-mock-extended vitest-mock-extended @golevelup/ts-jest @golevelup/ts-vitest sinon-chai chai-as-promised @faker-js/faker',
    'vitest vitest/config @jest/globals jest mocha chai sinon expect',
  ].flatMap((line) => line.split(' ')),
);

/** Packages that give back a text with colours, a frame or other lines, and do nothing else with it. */
const dressing = new Set(
  'chalk chalk-template picocolors kleur kleur/colors ansi-colors colorette yoctocolors nanocolors colors colors/safe cli-color wrap-ansi strip-ansi boxen'.split(
    ' ',
  ),
);

export const isDressing = (specifier: string): boolean => dressing.has(specifier);

/** Packages that count, time, trace or log what they are given, and do nothing else with it. */
const observing = new Set(
  [
    'prom-client hot-shots node-statsd statsd-client datadog-metrics dd-trace newrelic applicationinsights elastic-apm-node',
    '@opentelemetry/api @opentelemetry/sdk-trace-base @opentelemetry/sdk-metrics',
    '@sentry/node @sentry/browser @sentry/react @sentry/nextjs @sentry/core @bugsnag/js rollbar @honeybadger-io/js',
    'winston pino bunyan loglevel consola tslog signale npmlog debug roarr log4js @logtail/node @datadog/browser-logs',
  ].flatMap((line) => line.split(' ')),
);

/** Loggers that people call by the names of their packages. */
export const namesOfLoggers = 'winston|pino|bunyan';

/** Packages that check what they are given, or give it other names, and do nothing else with it; and routers, which hand it on. */
const checking = new Set(
  [
    'ajv ajv-formats arktype io-ts runtypes typia ow joi @hapi/joi @sinclair/typebox @sinclair/typebox/value decoders myzod',
    'env-schema dotenv-expand dotenv-flow dotenv-safe znv envsafe nconf rc camelcase-keys itty-router effect',
  ].flatMap((line) => line.split(' ')),
);

export const isChecker = (specifier: string): boolean => checking.has(specifier);

export const isObserver = (specifier: string): boolean => observing.has(specifier);

/** Those of which no part asks: `hono/client` does. */
const isPart = /^(?:zod|lodash|lodash-es|date-fns|dayjs|ramda|drizzle-orm)\//;

export const isQuiet = (specifier: string): boolean => quiet.has(specifier) || dressing.has(specifier) || isPart.test(specifier);

/**
 * What scripts have beside their client, and what loads no file of the project. Anything else may: command lines load their commands and servers
 * their routes by the names of folders, and a package of the same repository is no file of it that is seen.
 */
const inert: ReadonlySet<string> = new Set(
  'chalk commander csv-parse csv-parse/sync date-fns dayjs dotenv dotenv/config minimist p-limit p-map zod'.split(' '),
);

export const isInert = (specifier: string): boolean => inert.has(specifier);

/** What is given paths, and asks nobody for them: it leads pages to each other, says what a server answers, or keeps something under that name. */
export const takingPaths =
  /cache|redis|keyv|storage|i18n|metric|analytics|openapi|swagger|mock|^(?:next|nuxt|vue-router|expo-router|wouter|page|@angular|@nestjs|@sveltejs|@hono|tsoa|path-to-regexp|routing-controllers|(?:@\w+\/)?(?:react-)?router)(?:[/-]|$)/;

/** SDKs of services that everybody knows to be others. */
export const sdksOfOthers =
  /^@(?:aws-sdk|aws-amplify|opentelemetry|azure|google-cloud|sentry|firebase|launchdarkly|anthropic-ai|ai-sdk)\/|^(?:aws-sdk|firebase(?:-admin)?)(?:\/|$)/;

/** A package that asks a service by itself, as far as its name says so, in a package.json. */
export const requiresSdk = /"(?!@aws-sdk\/)[\w@./-]*(?<![a-z])sdk(?![a-z])[\w./-]*"\s*:/;
