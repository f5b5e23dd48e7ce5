/** What letters are written by: a language, and whom to answer to. */
import { readMailbox } from '../text/mailbox.ts';
import { written } from './types.ts';

function readLanguage(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/** A language tag (BCP 47), as it is usually written. */
export const language = written('a language: write en, de or pt-BR', readLanguage);

export const mailbox = written('an address: write ada@example.com, or Ada <ada@example.com>', readMailbox);
