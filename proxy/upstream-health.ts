/** Whether v2 can be reached, as far as the calls show, and a cheap way to find out again when no calls come. */
import type { ProxyOptions } from './options.ts';

export class UpstreamHealth {
  readonly #options: Pick<ProxyOptions, 'unreadyAfter' | 'now'>;
  readonly #probe: () => Promise<boolean>;
  #failingSince: number | undefined;
  #probing: Promise<boolean> | undefined;

  /** @param probe whether v2 answers at all; asked only while every call fails, and by one at a time */
  constructor(options: Pick<ProxyOptions, 'unreadyAfter' | 'now'>, probe: () => Promise<boolean>) {
    this.#options = options;
    this.#probe = probe;
  }

  answered(): void {
    this.#failingSince = undefined;
  }

  failed(): void {
    this.#failingSince ??= this.#options.now();
  }

  /**
   * Whether calls may be sent here. Once every call has failed for `unreadyAfter`, a load balancer that heeds the answer sends no more
   * calls, so nothing would ever tell that v2 is back: from then on each question asks v2 itself.
   */
  async ready(): Promise<boolean> {
    const since = this.#failingSince;
    if (since === undefined || this.#options.now() - since < this.#options.unreadyAfter) return true;
    this.#probing ??= this.#ask();
    return this.#probing;
  }

  async #ask(): Promise<boolean> {
    const answers = await this.#probe();
    if (answers) this.answered();
    this.#probing = undefined;
    return answers;
  }
}
