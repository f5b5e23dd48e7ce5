/** A report may run on the machine of a proxy, whose calls must not wait for whoever looks at them. */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const tasks = '/proc/self/task';

/** Lets every other process go first. */
export function yieldToOthers(): void {
  // On Linux a priority is a thread's own (setpriority(2), notes), and V8 has threads that collect garbage.
  const threads = process.platform === 'linux' ? readdirSync(tasks).map(Number) : [process.pid];
  for (const thread of threads) setPriority(thread, constants.priority.PRIORITY_LOW);
}
