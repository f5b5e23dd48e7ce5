/** Questions and answers between two processes, over the channel that Node opens to a child. What is on its way when one of them ends can still be read. */
import { StoreError, type StoreErrorCode } from '../../usage/store/error.ts';

/** One end of the channel: `process` in a worker, a worker's process in the primary. */
export interface Port {
  send?(messages: readonly object[], sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'disconnect', listener: () => void): unknown;
}

/** What one end does when it is asked; each takes one value. */
export type Duties = Readonly<Record<string, (given: never) => unknown>>;

type Given<D extends Duties, Name extends keyof D> = Parameters<D[Name]>[0];
type Answer<D extends Duties, Name extends keyof D> = Awaited<ReturnType<D[Name]>>;

/** Errors lose their codes on the way, and a store's are told apart by them. */
type Message =
  | { readonly duty: string; readonly given: unknown; readonly id?: number }
  | { readonly answers: number; readonly answer: unknown }
  | { readonly answers: number; readonly code: StoreErrorCode; readonly message: string };

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: StoreError): void;
}

const gone = (): StoreError => new StoreError('STORE_UNAVAILABLE', 'The other process of the proxy is gone');

/** @template Theirs what the other end does when it is asked */
export class Channel<Theirs extends Duties> {
  readonly #port: Port;
  readonly #duties: Duties;
  readonly #waiting = new Map<number, Waiting>();
  /** What goes out at the end of this turn of the event loop. */
  #gathered: Message[] = [];
  #asked = 0;
  #isOpen = true;

  /** @param duties what this end does when it is asked; where one throws or rejects, who asked gets a StoreError */
  constructor(port: Port, duties: Duties) {
    this.#port = port;
    this.#duties = duties;
    // Node's own messages come by other ways; whatever else is sent here is ours.
    port.on('message', (messages) => {
      for (const message of messages as readonly Message[]) this.#take(message);
    });
    port.on('disconnect', () => this.close());
  }

  /** Tells the other end; nobody waits for an answer. */
  tell<Name extends keyof Theirs & string>(duty: Name, given: Given<Theirs, Name>): void {
    this.#send({ duty, given });
  }

  /**
   * Asks the other end.
   * @throws StoreError where it fails there, or the other end is gone
   */
  ask<Name extends keyof Theirs & string>(duty: Name, given: Given<Theirs, Name>): Promise<Answer<Theirs, Name>> {
    if (!this.#isOpen) return Promise.reject(gone());
    const id = ++this.#asked;
    const answer = new Promise<unknown>((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ duty, given, id });
    // Both ends are of one version, and its types are those of its duties.
    return answer as Promise<Answer<Theirs, Name>>;
  }

  /** Gathers what a turn of the event loop brings: to send one message, and to be woken by it, costs as much as many in one. */
  #send(message: Message): void {
    if (this.#gathered.push(message) > 1) return;
    setImmediate(() => {
      const gathered = this.#gathered;
      this.#gathered = [];
      // That they did not go is known by the end of the other process.
      if (this.#isOpen) this.#port.send?.(gathered, () => undefined);
    });
  }

  #take(message: Message): void {
    if ('duty' in message) return void this.#do(message);
    const waiting = this.#waiting.get(message.answers);
    this.#waiting.delete(message.answers);
    if ('code' in message) waiting?.reject(new StoreError(message.code, message.message));
    else waiting?.resolve(message.answer);
  }

  async #do({ duty, given, id }: Extract<Message, { duty: string }>): Promise<void> {
    try {
      const answer = await this.#duties[duty]?.(given as never);
      if (id !== undefined) this.#send({ answers: id, answer });
    } catch (error) {
      if (id === undefined) throw error;
      const { code, message } = error instanceof StoreError ? error : { code: 'STORE_UNAVAILABLE' as const, message: String(error) };
      this.#send({ answers: id, code, message });
    }
  }

  /** To be called where the other end is gone, as Node does not always say it: nobody waits for its answers any more. */
  close(): void {
    this.#isOpen = false;
    for (const { reject } of this.#waiting.values()) reject(gone());
    this.#waiting.clear();
  }
}
