/** How a key map can fail. */
import { masked } from '../../src/text/masked.ts';

export type KeyMapErrorCode =
  /** The file cannot be read. */
  | 'KEY_MAP_UNREADABLE'
  /** It is neither JSON nor YAML. */
  | 'KEY_MAP_SYNTAX'
  /** It does not have the form of a key map. */
  | 'KEY_MAP_INVALID'
  /** It does not show that it has come to its end. */
  | 'KEY_MAP_INCOMPLETE'
  /** It, or a file that it names, was written while it was read. */
  | 'KEY_MAP_CHANGING'
  /** Two entries name one v1 key. */
  | 'KEY_MAP_DUPLICATE'
  /** The environment variable or file of an entry holds no usable key. */
  | 'KEY_MAP_UNRESOLVED';

/**
 * No key gets into an error or the log: messages are made of file names, places and numbers, never of the text of the map,
 * so causes are not the parsers' own errors (those quote what they could not read).
 */
export class KeyMapError extends Error {
  readonly code: KeyMapErrorCode;
  readonly file: string;
  /** The entry at fault, counted from 1. */
  readonly entry: number | undefined;
  constructor(code: KeyMapErrorCode, file: string, text: string, { cause, entry }: { cause?: unknown; entry?: number | undefined } = {}) {
    super(`Key map ${masked(file)}${entry === undefined ? '' : `, entry ${entry}`}: ${text}`, { cause });
    this.name = 'KeyMapError';
    this.code = code;
    this.file = file;
    this.entry = entry;
  }
}
