/**
 * Writes files of a folder as a run does, or recovers from one that was killed, and is itself killed before its n-th step: a step is
 * whatever changes the disk, or waits for it. With the path of another folder in place of n, it leaves there what the folder is before each
 * step, as it would be if it were killed then. It prints how many steps there are.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', mode = '', killedBefore = '', signal = 'SIGKILL'] = process.argv.slice(2);
let steps = 0;

const { copyFileSync, mkdirSync, readdirSync } = fs;
function keepIn(copy: string): void {
  mkdirSync(copy);
  for (const name of readdirSync(folder)) copyFileSync(`${folder}/${name}`, `${copy}/${name}`);
}

const step = (): void => {
  if (++steps === Number(killedBefore)) process.kill(process.pid, signal);
  if (killedBefore.includes('/')) keepIn(`${killedBefore}/${steps}`);
};

const system: Record<string, unknown> = Object.assign(fs);
for (const name of ['openSync', 'writeFileSync', 'appendFileSync', 'linkSync', 'rmSync', 'fsync', 'fsyncSync', 'fchmodSync']) {
  const before = system[name];
  if (typeof before !== 'function') throw new Error(name);
  system[name] = (...args: unknown[]): unknown => {
    if (name !== 'openSync' || args[1] === 'wx' || args[1] === 'a') step();
    return Reflect.apply(before, fs, args);
  };
}
/** One after the other, that what was done before a step is always the same. */
let last: Promise<unknown> = Promise.resolve();
for (const name of ['rename', 'unlink'] as const) {
  const before: (...paths: string[]) => Promise<void> = fs.promises[name];
  const next = (...paths: string[]): Promise<void> => {
    const done = last.catch(() => undefined).then(() => (step(), before(...paths)));
    last = done;
    return done;
  };
  Object.assign(fs.promises, { [name]: next });
}
syncBuiltinESMExports();

/** Each file's set is its first letter; what it becomes is told by its text. */
const sources = fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
if (mode === 'write') {
  const { writeAll } = await import('../../../codemods/edit/write-all.ts');
  const changed = sources.map((file) => ({ file, before: fs.readFileSync(`${folder}/${file}`, 'utf8'), after: `new ${file}` }));
  const edits = sources.map((file) => ({ file, group: file.slice(0, 1) }));
  const { written, failed } = await writeAll({ cwd: folder }, changed, edits);
  console.log(JSON.stringify({ steps, written, failed }));
} else {
  const [{ recover }, { walk }] = await Promise.all([
    import('../../../codemods/edit/recover.ts'),
    import('../../../codemods/find/walk.ts'),
  ]);
  console.log(JSON.stringify({ steps, ...(await recover(walk({ cwd: folder, paths: ['.'] }), true)) }));
}
