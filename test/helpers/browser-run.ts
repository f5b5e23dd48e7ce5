/** Around a whole run: the browser that comes with the packages is unpacked once for all files, when the first of them asks for it. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpack } from './browser-unpack.ts';

export default async function setup(): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'migrate-v2-browser-'));
  let unpacked: Promise<void> | undefined;
  const desk = createServer((_, response) => {
    unpacked ??= unpack(folder);
    unpacked.then(
      () => response.end(folder),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  // A listening TCP server's address is no string.
  process.env['BROWSER_DESK'] = `http://127.0.0.1:${(desk.address() as AddressInfo).port}`;
  return () => {
    desk.close();
    rmSync(folder, { recursive: true });
  };
}
