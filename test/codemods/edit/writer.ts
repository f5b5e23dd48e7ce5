/**
 * Writes files of a folder as a run does, or recovers from one that was killed, and is itself killed before its n-th step: a step is
 * whatever changes the disk, or waits for it. Without n it prints how many steps there are.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', mode = '', killedBefore = '', signal = 'SIGKILL'] = process.argv.slice(2);
const files: Record<string, unknown> = fs;
let steps = 0;
for (const name of [
  'openSync',
  'writeFileSync',
  'appendFileSync',
  'linkSync',
  'renameSync',
  'rmSync',
  'fsync',
  'fsyncSync',
  'fchmodSync',
]) {
  const before = files[name];
  if (typeof before !== 'function') throw new Error(name);
  files[name] = (...args: unknown[]): unknown => {
    const reads = name === 'openSync' && ![undefined, 'wx', 'a'].includes(args[1] as string | undefined);
    if (!reads && ++steps === Number(killedBefore)) process.kill(process.pid, signal);
    return Reflect.apply(before, fs, args);
  };
}
syncBuiltinESMExports();

/** Each file's set is its first letter; what it becomes is told by its text. */
const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.'));
if (mode === 'write') {
  const { writeAll } = await import('../../../codemods/edit/write-all.ts');
  const changed = names.map((file) => ({ file, before: fs.readFileSync(`${folder}/${file}`, 'utf8'), after: `new ${file}` }));
  const edits = names.map((file) => ({ file, group: file.slice(0, 1) }));
  const { written, failed } = await writeAll({ cwd: folder }, changed, edits);
  console.log(JSON.stringify({ steps, written, failed }));
} else {
  const [{ recover }, { walk }] = await Promise.all([
    import('../../../codemods/edit/recover.ts'),
    import('../../../codemods/find/walk.ts'),
  ]);
  console.log(JSON.stringify({ steps, ...(await recover(walk({ cwd: folder, paths: ['.'] }), true)) }));
}
