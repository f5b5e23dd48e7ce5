/** Around a whole run: temporary files in memory, where the system has such a folder. A disk that others use, too, takes thirty times as long for small trees. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';

const memory = '/dev/shm';
/** More than twice what a whole run has there at once. Containers have less, unless they are told. */
const room = 2 * 2 ** 30;

export default function setup(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !isUsable()) return undefined;
  const folder = mkdtempSync(join(memory, 'migrate-v2-test-'));
  // The user who runs PostgreSQL for root goes through it.
  chmodSync(folder, 0o755);
  process.env['TMPDIR'] = folder;
  return () => rmSync(folder, { recursive: true });
}

/** Whether there is room, and programs start from there. */
function isUsable(): boolean {
  if (process.platform !== 'linux') return false;
  const [, options] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
  if (options === undefined || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room;
}
