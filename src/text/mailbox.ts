/** Addresses of mails (RFC 5322 §3.4), as people write them. */
import { domainToASCII } from 'node:url';

export interface Mailbox {
  readonly name: string;
  /** `local@domain`, in ASCII. */
  readonly address: string;
}

/** RFC 5321 §4.5.3.1. */
const longestAddress = 254;
const atom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const host = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** What a text says as one mailbox, `ada@example.com` or `Ada <ada@example.com>`; undefined for anything else, two of them for one. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, name = '', angled, bare] = /^\s*(?:([^<>]*)<([^<>\s]+)>|([^<>\s]+))\s*$/.exec(text) ?? [];
  const given = angled ?? bare ?? '';
  const at = given.lastIndexOf('@');
  const [local, domain] = [given.slice(0, at), domainToASCII(given.slice(at + 1))];
  const address = `${local}@${domain}`;
  if (at < 1 || !atom.test(local) || !host.test(domain) || address.length > longestAddress) return undefined;
  // It stands in a line of its own, whatever lines it was written in.
  const shown = name.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return { name: shown.replace(/^"(.*)"$/, '$1'), address };
}
