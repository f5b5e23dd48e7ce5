/** Whose certificates v2 may have. */
import tls from 'node:tls';

/** A `ca` replaces the authorities that Node trusts, so theirs are named with it. */
export function trustedCa(v2Ca: string | undefined): { ca?: string[] } {
  return v2Ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), v2Ca] };
}
