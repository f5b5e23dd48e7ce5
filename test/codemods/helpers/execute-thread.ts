/** The thread in which a fixture runs: see execute.ts. */
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Task } from './execute.ts';

// Structured cloning keeps the type of what execute.ts gave.
const { entry, key, hosts, port, authority, page } = workerData as Task;

setDefaultCACertificates([authority]);
redirectConnections();
resolveLikeBundlers();
if (page !== undefined) await (await import('./page.ts')).openPage(page);

const main = mainOf(await import(pathToFileURL(entry).href));
const outcome = await main({ key });
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port has no origin
parentPort?.postMessage(JSON.stringify(outcome) ?? 'null');

/** Every client library ends here: connections to the service's names go to where it is, all others fail. */
function redirectConnections(): void {
  const connect: unknown = Socket.prototype.connect;
  if (typeof connect !== 'function') throw new TypeError('Socket.prototype.connect is no function');
  Object.defineProperty(Socket.prototype, 'connect', {
    value(this: Socket, ...args: readonly unknown[]): unknown {
      // net.connect gives [options, listener] in one array; people give the options themselves.
      const [options, ...rest] = Array.isArray(args[0]) ? args[0] : args;
      const host: unknown = Reflect.get(Object(options), 'host');
      if (!hosts.includes(String(host))) throw new Error(`A fixture asked for another host: ${JSON.stringify(host)}`);
      return Reflect.apply(connect, this, [{ ...options, host: '127.0.0.1', port, lookup: undefined }, ...rest]);
    },
  });
}

/** `./client` is found where `./client.ts` is: users' sources are written for bundlers. */
function resolveLikeBundlers(): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith('.')) return next(specifier, context);
      for (const tried of [specifier, `${specifier}.ts`, `${specifier}.js`, `${specifier}/index.ts`, specifier.replace(/\.js$/, '.ts')]) {
        try {
          return next(tried, context);
        } catch {
          // The last word is Node's own.
        }
      }
      return next(specifier, context);
    },
  });
}

type Main = (context: { readonly key: string }) => unknown;

/** The default export of an ES module, or what a CommonJS module exports. */
function mainOf(module: unknown): Main {
  const exported: unknown = Reflect.get(Object(module), 'default');
  const main: unknown = typeof exported === 'function' ? exported : Reflect.get(Object(exported), 'default');
  if (typeof main !== 'function') throw new TypeError(`${entry} exports no function`);
  return (context) => Reflect.apply(main, undefined, [context]);
}
