import type { ServerResponse } from 'node:http';

/**
 * Ends an answer whose head is written. Where the connection closes with it and the request is still coming, it ends once that has come:
 * a server that closed before would reset the connection, and take the answer away from a client that is still sending
 * (RFC 9112 §9.6). A client that never ends is the server's to time out.
 */
export function finish(res: ServerResponse, content: string): void {
  const { req } = res;
  if (res.shouldKeepAlive || req.complete) {
    res.end(content);
    return;
  }
  res.flushHeaders();
  if (content !== '') res.write(content);
  req.once('close', () => res.end());
  req.resume();
}
