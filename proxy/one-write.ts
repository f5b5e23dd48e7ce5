/**
 * Has the head and the body of a request leave in one piece. undici writes them one after the other between cork() and uncork(), and Node hands two pieces to
 * the system at a fifth more than one text (bench/README.md).
 */
import type { Writable } from 'node:stream';

/** Bytes of a body that is copied to its head at most. */
const most = 16 * 1024;

/** @param socket a connection that undici has not been given yet */
export function joinWrites(socket: Writable): void {
  const { write, uncork } = socket;
  /** A text that was written and waits for what follows it. */
  let held: string | undefined;
  const flush = (): void => {
    if (held === undefined) return;
    const text = held;
    held = undefined;
    write.call(socket, text, 'latin1');
  };
  socket.write = (...args: unknown[]): boolean => {
    const [chunk, encoding] = args;
    if (held === undefined && typeof chunk === 'string' && encoding === 'latin1' && args.length === 2 && socket.writableCorked > 0) {
      held = chunk;
      return true;
    }
    if (held !== undefined && chunk instanceof Buffer && args.length === 1 && chunk.length <= most) {
      const text = held + chunk.toString('latin1');
      held = undefined;
      return write.call(socket, text, 'latin1');
    }
    flush();
    return Reflect.apply(write, socket, args);
  };
  socket.uncork = (): void => {
    flush();
    uncork.call(socket);
  };
}
