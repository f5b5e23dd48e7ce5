/** Required into every Node process of a measurement: leaves its highest resident memory, in KiB, when it ends (proc(5), VmHWM). */
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.BENCH_PEAKS;
// Threads share their process's memory, and would count it once more.
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    const [, peak] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    appendFileSync(file, `${peak}\n`);
  });
}
