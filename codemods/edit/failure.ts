/** An error of one file as a finding. */
import type { Finding } from '../model.ts';
import type { ApplyError } from './errors.ts';

const codes = {
  EDITS_OVERLAP: 'unwritable',
  EDIT_OUT_OF_RANGE: 'unwritable',
  TEXT_CHANGED: 'unwritable',
  SYNTAX: 'syntax',
  UNREADABLE: 'unreadable',
  UNWRITABLE: 'unwritable',
  CHANGED_MEANWHILE: 'unwritable',
} as const satisfies Record<ApplyError['code'], Finding['code']>;

export const failureOf = (file: string, { code, message, remedy }: ApplyError): Finding => ({
  code: codes[code],
  file,
  start: 0,
  end: 0,
  line: 1,
  column: 1,
  detail: { reason: message, remedy },
});
