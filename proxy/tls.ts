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
 * A TLS server whose certificate is read again when its files have changed and rested; one that is broken or cut is refused and the old one
 * stays.
 * @param files PEM files of the certificate chain and the key
 * @throws CertificateError where they cannot be used at the start
 */
export function createReloadingTlsServer(options: ServerOptions, files: CertificateFiles, logger: Logger): ReloadingTlsServer {
  const read = (): { cert: string; key: string } => ({ cert: readPem(files.cert), key: readPem(files.key) });
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

/**
 * Reads a PEM file. OpenSSL finds whatever else is cut; but where what was cut off begins within a line that begins a block, it takes the
 * blocks before it for all, and so a certificate without those that lead to its authority.
 */
function readPem(path: string): string {
  const text = readFileSync(path, 'latin1');
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  // An empty text would be taken for no certificate at all.
  if (last !== '' && (!last.startsWith('-') || /^-----END [A-Z0-9 ]+-----$/.test(last))) return text;
  throw Object.assign(new Error('a file is empty or ends within a line that begins or ends a block'), { code: 'PEM_CUT' });
}

function start(create: () => SecureServer, files: CertificateFiles, watcher: FileWatch): SecureServer {
  try {
    return create();
  } catch (error) {
    watcher.close();
    throw new CertificateError(files, error);
  }
}
