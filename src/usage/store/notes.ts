/** Short notes that replicas give each other through their store, at once and to all. Nothing keeps them: who does not listen has missed them. */

export interface NoteListener {
  /** A note of another replica. */
  note(text: string): void;
  /** Some may have been missed since the last one. */
  missed(): void;
}

export interface Notes {
  /** Whether notes of all other replicas come through now, as far as that can be known. */
  readonly hears: boolean;
  /** Gives a note to all others; it is lost where the store is away, and then they know that they may have missed some. */
  tell(text: string): void;
  listen(listener: NoteListener): void;
  close(): Promise<void>;
}
