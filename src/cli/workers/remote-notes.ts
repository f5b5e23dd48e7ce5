/** Notes that the workers of one proxy, and its replicas, give each other by way of the primary. */
import type { NoteListener, Notes } from '../../usage/store/notes.ts';

export class RemoteNotes implements Notes {
  readonly tell: (text: string) => void;
  #listener: NoteListener | undefined;
  /** By `performance.now()`. */
  #hearsUntil = 0;

  constructor(tell: (text: string) => void) {
    this.tell = tell;
  }

  get hears(): boolean {
    return performance.now() < this.#hearsUntil;
  }

  listen(listener: NoteListener): void {
    this.#listener = listener;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Takes a note of another; undefined where some may have been missed. */
  take(text: string | undefined): void {
    if (text === undefined) this.#listener?.missed();
    else this.#listener?.note(text);
  }

  /** All notes come through, for as many milliseconds more. */
  hear(milliseconds: number): void {
    this.#hearsUntil = performance.now() + milliseconds;
  }
}
