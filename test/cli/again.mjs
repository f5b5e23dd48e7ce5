/** A process of the command line that takes the next one in place of ending: see `useCommandLine` of run.ts. In JavaScript, as it loads the bundle alone. */
import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';

const ended = Symbol('ended');
/** Those that commands add are those of one process each. */
process.stdout.setMaxListeners(0);
process.exit = (code = process.exitCode) => {
  process.exitCode = code;
  throw ended;
};
process.on('unhandledRejection', (reason) => {
  if (reason !== ended) throw reason;
});

process.on('message', async ({ bin, args, cwd, env }) => {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  process.argv.splice(1, Infinity, bin, ...args);
  // It ends as any process does: when nothing is left to be done.
  process.channel.unref();
  process.once('beforeExit', tellEnd);
  await import(`${pathToFileURL(bin)}?${randomUUID()}`);
});

function tellEnd(code) {
  process.channel.ref();
  for (const stream of [process.stdout, process.stderr]) stream.write('\0');
  process.send(code);
}
