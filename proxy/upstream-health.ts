/** Whether v2 can be reached, as far as the calls show, and a cheap way to find out again when no calls come. */
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { trust } from './authorities.ts';
import type { ProxyOptions } from './options.ts';

export class UpstreamHealth {
  readonly #options: Pick<ProxyOptions, 'v2Base' | 'v2Ca' | 'connectTimeout' | 'unreadyAfter' | 'now'>;
  #failingSince: number | undefined;

  constructor(options: Pick<ProxyOptions, 'v2Base' | 'v2Ca' | 'connectTimeout' | 'unreadyAfter' | 'now'>) {
    this.#options = options;
  }

  answered(): void {
    this.#failingSince = undefined;
  }

  failed(): void {
    this.#failingSince ??= this.#options.now();
  }

  /**
   * Whether calls may be sent here. Once every call has failed for `unreadyAfter`, a load balancer that heeds the answer sends no more
   * calls, so nothing would ever tell that v2 is back: from then on each question opens a connection to v2 and closes it.
   */
  async ready(): Promise<boolean> {
    const since = this.#failingSince;
    if (since === undefined || this.#options.now() - since < this.#options.unreadyAfter) return true;
    const reachable = await this.#canConnect();
    if (reachable) this.answered();
    return reachable;
  }

  #canConnect(): Promise<boolean> {
    const { protocol, hostname, port } = new URL(this.#options.v2Base);
    const host = hostname.replace(/^\[|\]$/g, '');
    const secure = protocol === 'https:';
    return new Promise((resolve) => {
      // RFC 6066 §3: an address is no server name; the certificate is checked against the host then.
      const named = isIP(host) === 0 ? { servername: host } : {};
      const target = { host, port: port === '' ? (secure ? 443 : 80) : Number(port), timeout: this.#options.connectTimeout };
      const socket = secure ? connectTls({ ...target, ...named, ...trust(this.#options.v2Ca) }) : connectTcp(target);
      const settle = (reachable: boolean) => () => {
        socket.destroy();
        resolve(reachable);
      };
      socket
        .once(secure ? 'secureConnect' : 'connect', settle(true))
        .once('error', settle(false))
        .once('timeout', settle(false));
    });
  }
}
