/** What wordings say alike. */
import { escaped } from '../find/words/literals.ts';

/** What is said in place of what the code of a finding says. */
export interface CaseWording {
  readonly title?: string;
  readonly reason: string;
  readonly remedy: string;
}

export const ignoreComment = 'migrate-v2-ignore';
export const orIgnore = `if it is right as it is, put a comment ${ignoreComment}: <reason> above it`;
export const allowComment = 'migrate-v2-allow';
/** How a person says that a place may move along. */
export const allowIt = `run again with --allow FILE:LINE, or with a comment ${allowComment}: <reason> above it`;
/** What is to be done where a person's word would change nothing. */
export const withoutAllow = (remedy: string): string => remedy.replace(new RegExp(`; [^;]*${escaped(allowIt)}`), '');
