/**
 * The thread in which a fixture runs: see execute.ts. In JavaScript, and given sources without types: Node's own remover of types takes
 * longer to load than most fixtures take to run.
 */
import { readFileSync } from 'node:fs';
import { createRequire, enableCompileCache, flushCompileCache, registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import './bundler-resolution.mjs';

const require = createRequire(import.meta.url);

/** @type {import('./execute.ts').Task} The module that is executed. */
let current;

// Most threads load what others have loaded before them.
enableCompileCache(workerData.compileCache);
redirectConnections();
registerHooks({ resolve: resolveForPage, load: loadWithoutTypes });

parentPort.on('message', async (task) => {
  const told = await run(task).catch((error) => ({ error }));
  // It may be ended as soon as it has told.
  flushCompileCache();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
  parentPort.postMessage(told);
});

/** @returns {Promise<import('./execute.ts').Told>} */
async function run(task) {
  current = task;
  const { entry, key, authority, page } = task;
  process.env.API_KEY = key;
  setDefaultCACertificates([authority]);
  if (page !== undefined) await openPage(page);
  const module = await import(pathToFileURL(entry).href);
  // The default export of an ES module, or what a CommonJS module exports.
  const main = module.default?.default ?? module.default;
  return { outcome: JSON.stringify(await main({ key })) ?? 'null' };
}

/** Every client library ends here: connections to the service's names go to where it is, all others fail. */
function redirectConnections() {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function redirected(...args) {
    // net.connect gives [options, listener] in one array; people give the options themselves.
    const [options, ...rest] = Array.isArray(args[0]) ? args[0] : args;
    const { hosts, port } = current;
    if (!hosts.includes(options.host)) throw new Error(`A fixture asked for another host: ${options.host}`);
    return connect.call(this, { ...options, host: '127.0.0.1', port, lookup: undefined }, ...rest);
  };
}

const ofJquery = /\/node_modules\/jquery\//;
/** As in a browser, each page has a jQuery of its own, which keeps to the window in which it was loaded. */
function resolveForPage(specifier, context, next) {
  const resolved = next(specifier, context);
  return ofJquery.test(resolved.url) ? { ...resolved, url: `${resolved.url}?${encodeURIComponent(current.entry)}` } : resolved;
}

/** TypeScript comes without its types already. */
function loadWithoutTypes(url, context, next) {
  if (!/\.[mc]?ts$/.test(url) || url.includes('/node_modules/')) return next(url, context);
  const source = readFileSync(fileURLToPath(url), 'utf8');
  const format = url.endsWith('.cts') || (url.endsWith('.ts') && !/^\s*(import|export)\b/m.test(source)) ? 'commonjs' : 'module';
  return { format, source, shortCircuit: true };
}

/** Makes this thread look like a page of a browser to code that is written for one. */
async function openPage(url) {
  for (const file of Object.keys(require.cache)) if (ofJquery.test(pathToFileURL(file).href)) delete require.cache[file];
  const { JSDOM } = await import('jsdom');
  const { window } = new JSDOM('<!doctype html><title>App</title><main id="app"></main>', { url, pretendToBeVisual: true });
  const { document, location, localStorage, XMLHttpRequest, FormData, HTMLElement, DOMParser } = window;
  const globals = { window, document, location, localStorage, XMLHttpRequest, FormData, HTMLElement, DOMParser };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
