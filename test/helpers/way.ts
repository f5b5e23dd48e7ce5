/** Networks that break. */
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** A way to the server of an address, which can be cut; gone with the test. */
export async function wayTo(address: string) {
  const through = new URL(address);
  const port = Number(through.port);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => (open.delete(socket), near.destroy(), far.destroy()));
    }
    near.pipe(far).pipe(near);
    return undefined;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  const cut = (): void => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  through.port = String((server.address() as AddressInfo).port);
  return { address: through.href, cut, restore: () => void (isCut = false) };
}
