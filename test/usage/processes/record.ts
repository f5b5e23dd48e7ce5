/** Records calls as fast as it can until it is killed: `record.ts <store> <name>`. Says before each hundred of them how many there will be, and when. */
import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { openWriter } from '../../../src/usage/store/open.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { useOf } from '../uses.ts';

const [path = '', name = ''] = process.argv.slice(2);
const recorder = new UsageRecorder({ writer: await openWriter(path), replica: 'proxy', keepDays: 86_400_000 });
const clients = Array.from({ length: 20 }, (_, index) => `client-${index}`);

for (let calls = 0; ;) {
  calls += 100;
  // At once, not over a stream: what is said must have been said when the process is gone.
  writeSync(1, `${calls} ${Date.now()}\n`);
  for (let call = 0; call < 100; call++) {
    const client = clients[call % clients.length] ?? '';
    recorder.add(useOf({ at: Date.now(), name, client, status: call % 3 === 0 ? 404 : 200 }));
  }
  await turn();
  if (calls === 100) process.send?.('begun');
}
