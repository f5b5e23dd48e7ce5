/** TLS on the listener, for integrations whose base address was https. */
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { type Server as SecureServer, type ServerOptions, createServer } from 'node:https';
import type { Logger } from 'pino';
import { type FileWatch, watchFiles } from './watch.ts';

/** The certificate and the key cannot be used at start. */
export class CertificateError extends Error {
  readonly code = 'CERTIFICATE_UNUSABLE';
  constructor(files: CertificateFiles, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : 'unknown';
    super(`The certificate ${files.cert} and the key ${files.key} cannot be used (${reason}); give two PEM files that belong together`, {
      cause,
    });
    this.name = 'CertificateError';
  }
}

interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface ReloadingTlsServer {
  readonly server: Server;
  stopWatching(): void;
}

/**
 * A TLS server whose certificate is read again when its files change; a broken one is refused and the old one stays.
 * @param files PEM files of the certificate chain and the key
 * @throws CertificateError where they cannot be used at the start
 */
export function createReloadingTlsServer(options: ServerOptions, files: CertificateFiles, logger: Logger): ReloadingTlsServer {
  const read = (): { cert: Buffer; key: Buffer } => ({ cert: readFileSync(files.cert), key: readFileSync(files.key) });
  const reload = (): void => {
    try {
      server.setSecureContext(read());
      logger.info({ event: 'certificate_loaded', file: files.cert });
    } catch (error) {
      logger.warn(
        { event: 'certificate_rejected', file: files.cert, cause: (error as NodeJS.ErrnoException).code },
        'The new certificate cannot be used; the old one stays in use',
      );
    }
  };
  // Before the files are read, so that no change is missed.
  const watcher = watchFiles([files.cert, files.key], reload);
  const server = start(() => createServer({ ...options, ...read() }), files, watcher);
  return { server, stopWatching: () => watcher.close() };
}

function start(create: () => SecureServer, files: CertificateFiles, watcher: FileWatch): SecureServer {
  try {
    return create();
  } catch (error) {
    watcher.close();
    throw new CertificateError(files, error);
  }
}
