/** A process that listens and never accepts: it says its port and then stands still, without using the processor. */
import { type AddressInfo, createServer } from 'node:net';

const server = createServer();
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(port, () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
});
