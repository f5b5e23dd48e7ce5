/** The process in which generated programs run, one after the other. In JavaScript: it takes part in no build. */
import { pathToFileURL } from 'node:url';

process.on('message', async (entry) => {
  const told = await run(entry).catch((error) => String(error?.stack ?? error));
  process.send(told ?? null);
});

async function run(entry) {
  const module = await import(pathToFileURL(entry).href);
  // The default export of an ES module, or what a CommonJS module exports.
  await (module.default?.default ?? module.default)();
}
