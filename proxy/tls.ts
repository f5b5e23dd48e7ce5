/** TLS on the listener, for integrations whose base address was https. */
import { readFileSync } from 'node:fs';
import type { Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Logger } from 'pino';
import { watchFiles } from './watch.ts';

export interface ReloadingTlsServer {
  readonly server: Server;
  stopWatching(): void;
}

/**
 * A TLS server whose certificate is read again when its files change; a broken one is refused and the old one stays.
 * @param files PEM files of the certificate chain and the key
 * @throws the error of reading or parsing the files at the start
 */
export function createReloadingTlsServer(
  options: ServerOptions,
  files: { readonly cert: string; readonly key: string },
  logger: Logger,
): ReloadingTlsServer {
  const read = (): { cert: Buffer; key: Buffer } => ({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
  const server = createServer({ ...options, ...read() });
  const watcher = watchFiles([files.cert, files.key], () => {
    try {
      server.setSecureContext(read());
      logger.info({ event: 'certificate_loaded', file: files.cert });
    } catch (error) {
      logger.warn(
        { event: 'certificate_rejected', file: files.cert, cause: (error as NodeJS.ErrnoException).code },
        'The new certificate cannot be used; the old one stays in use',
      );
    }
  });
  return { server, stopWatching: () => watcher.close() };
}
