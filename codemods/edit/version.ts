/** Tells a text from any other, without keeping it: what was analysed is what is to be changed. */
import { hash } from 'node:crypto';

/** The text of each file that was analysed, as its digest. */
export type Versions = ReadonlyMap<string, string>;

export const versionOf = (text: string): string => hash('sha256', text, 'base64');
