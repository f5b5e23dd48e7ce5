/** `migrate-v2 sandbox`: the whole service, v1 and v2, in memory. */
import { optionsIn, type Settings } from '../../config/settings.ts';
import { assume } from '../../contract/assumptions.ts';
import { commandOf } from '../command.ts';
import { createLog } from '../logger.ts';
import { controlSurface, curls, demoKeys, section } from '../quick-start.ts';
import { announce, listenError, ignoreUserSignals, stopOnSignals } from '../serve.ts';

/** Nothing there waits for others: what takes longer, in milliseconds, has failed. */
const stopPatience = 10_000;

async function run(settings: Settings<'sandbox'>): Promise<void> {
  const { listen, admin } = settings;
  ignoreUserSignals();
  const log = await createLog(settings);
  // Loaded on demand: `--help` and the other commands need none of it.
  const { createSandbox } = await import('../../sandbox/sandbox.ts');
  const sandbox = createSandbox({
    ...optionsIn('sandbox', settings),
    onError: (err) => log.logger.error({ err }, 'the sandbox failed'),
    onEvict: (evicted) => log.logger.warn({ event: 'records_evicted', evicted }, 'The oldest records had to go; raise --max-records'),
  });
  const served = await sandbox.listen({ listen, admin }).catch((error: unknown) => {
    throw listenError(error, { '--listen': listen, '--admin': admin });
  });
  stopOnSignals(log, () => sandbox.close(), stopPatience);
  await announce(log, served);
  const { readWriteKey } = sandbox.demo;
  console.error(demoKeys(sandbox.demo));
  const isOver = sandbox.clock.now() >= Date.parse(assume(settings.assumptions).sunsetAt);
  console.error(
    section(
      isOver ? 'v1 is switched off; --clock 2026-12-30T12:00:00Z goes back before that day' : 'Try v1',
      curls('v1', served.url, readWriteKey),
    ),
  );
  console.error(section('Try v2', curls('v2', served.url, readWriteKey)));
  console.error(controlSurface(served.adminUrl));
}

export const sandboxCommand = commandOf({
  name: 'sandbox',
  describe: 'Serve v1 and v2 in memory, with demo keys',
  examples: [
    ['$0 sandbox', 'Serve on port 9000'],
    ['$0 sandbox --allow-private-webhooks', 'Deliver webhooks to receivers on this machine'],
    ['$0 sandbox --clock 2026-12-30T23:59:00Z', 'A minute before v1 is switched off, until the clock is turned'],
    ['$0 sandbox --listen 127.0.0.1:0 --dialect problem', 'Serve on a free port, with v2 errors as problem+json'],
  ],
  run,
});
