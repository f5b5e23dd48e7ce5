/** Texts of a run's files, each read once while there is room: a run passes over all files some twenty times, and to open them took longer than to look into them. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';

/** Characters that are kept: those of some four thousand files. */
const room = 32 * 2 ** 20;

/** A file as it was read. */
interface Kept {
  /** Its bytes as Latin-1. */
  readonly latin1: string;
  /** Its text, once it was asked for. */
  utf8?: string;
}

/** Refuses what is not UTF-8. A text keeps its byte order mark, so that encoding it gives the same bytes. */
export const utf8Decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class Texts {
  readonly #cwd: string;
  readonly #kept = new Map<string, Kept>();
  #left = room;

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** Takes what was read already. */
  keep(file: string, latin1: string): Kept {
    const kept = { latin1 };
    if (latin1.length > this.#left) return kept;
    this.#left -= latin1.length;
    this.#kept.set(file, kept);
    return kept;
  }

  /** The bytes of a file as Latin-1; nothing of one that cannot be read: parsing it gives the finding. */
  latin1(file: string): string {
    return this.#read(file).latin1;
  }

  /** The text of a file; nothing of one that cannot be read, or is not UTF-8. */
  utf8(file: string): string {
    const kept = this.#read(file);
    return (kept.utf8 ??= utf8Of(kept.latin1));
  }

  #read(file: string): Kept {
    return this.#kept.get(file) ?? this.keep(file, latin1Of(pathOf(this.#cwd, file)));
  }
}

function latin1Of(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Most texts are ASCII, which is the same in both. */
function utf8Of(latin1: string): string {
  if (!/[\u0080-\u00FF]/.test(latin1)) return latin1;
  try {
    return utf8Decoder.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return '';
  }
}
