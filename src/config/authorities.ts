/** Certificate authorities that are trusted besides Node's own. */
import { X509Certificate } from 'node:crypto';
import { ConfigError } from './errors.ts';

/**
 * Checks that a text holds a certificate: Node ignores what is none, and every call would fail without a hint at it.
 * @param name the setting as whoever gave it writes it
 * @param place that holds the text, for the message
 * @throws ConfigError
 */
export function checkAuthorities(pem: string, name: string, place: string): void {
  try {
    void new X509Certificate(pem);
  } catch (cause) {
    throw new ConfigError({ code: 'CONFIG_INVALID', key: name, problem: `${place} holds no certificate in PEM`, cause });
  }
}
