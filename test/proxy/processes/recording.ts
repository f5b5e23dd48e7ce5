/** A proxy of its own process, to be killed: records in the store of its first argument, in front of the v2 of its second. */
import { openWriter } from '../../../src/usage/store/open.ts';
import { UsageRecorder } from '../../../src/usage/usage-recorder.ts';
import { startProxy } from '../../../proxy/server.ts';
import { proxyOptions } from '../../helpers/proxy.ts';

const [, , store = '', v2 = ''] = process.argv;
const usage = new UsageRecorder({ writer: await openWriter(store), replica: 'proxy', keepDays: 400 * 86_400_000 });
const { url } = await startProxy(proxyOptions(v2, { usage, now: Date.now }));
process.send?.(url);
