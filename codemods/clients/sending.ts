/** Packages that hand functions of a program the requests which it sends itself, under whatever name: `request` is none that came to a server there. */
const sending = new RegExp(
  `^(?:${[
    // Clients, and what is put into them.
    'axios(?:-[\\w-]+)?|got|ky(?:-universal)?|wretch|superagent(?:-[\\w-]+)?|needle|undici|ofetch|gaxios|openapi-fetch|node-fetch(?:-[\\w-]+)?|make-fetch-happen|fetch-retry',
    // What looks on as requests go out.
    '(?:node:)?diagnostics_channel|@opentelemetry/instrumentation-(?:undici|fetch|http|xml-http-request)|workbox-[\\w-]+',
    // What keeps the answers of a function by what that is given.
    'p-memoize|mem|memoize|memoizee|moize|memoize-one|dataloader|lru-memoize|lodash[./]memoize',
  ].join('|')})(?:/|$)`,
);

export const handsOutSent = (specifier: string): boolean => sending.test(specifier);
