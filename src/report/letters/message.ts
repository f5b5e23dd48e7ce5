/**
 * A letter as a mail that a mail program opens as a draft (RFC 5322, RFC 2045 to 2047). Every text of a field is encoded where it is more than
 * printable ASCII, so that none can end its field, and bodies are quoted-printable: there is nothing in the file but ASCII.
 */
import { createHash } from 'node:crypto';
import type { Mailbox } from '../../text/mailbox.ts';

export interface Message {
  readonly from: Mailbox | undefined;
  readonly to: Mailbox | undefined;
  readonly subject: string;
  readonly at: Date;
  readonly text: string;
  readonly html: string;
}

const crlf = '\r\n';

/** Writes the mail. It has no Bcc, and whoever opens it sends it: `X-Unsent`. */
export function renderMessage({ from, to, subject, at, text, html }: Message): string {
  const [plainPart, htmlPart] = [quotedPrintable(text), quotedPrintable(html)];
  // No line of a quoted-printable body has `=_` in it (RFC 2045 §6.7); made of the content, so that the same letter is the same file.
  const boundary = `=_${createHash('sha256').update(plainPart).update(htmlPart).digest('hex').slice(0, 32)}`;
  const part = (type: string, body: string): readonly string[] => [
    `--${boundary}`,
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    body,
  ];
  const lines = [
    ...(from === undefined ? [] : [`From: ${mailbox(from, 'From: '.length)}`]),
    ...(to === undefined ? [] : [`To: ${mailbox(to, 'To: '.length)}`]),
    `Subject: ${encoded(subject, 'Subject: '.length)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'X-Unsent: 1',
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative;${crlf} boundary="${boundary}"`,
    '',
    ...part('text/plain', plainPart),
    ...part('text/html', htmlPart),
    `--${boundary}--`,
    '',
  ];
  return lines.join(crlf);
}

function mailbox({ name, address }: Mailbox, column: number): string {
  return name === '' ? address : `${encoded(name, column)}${crlf} <${address}>`;
}

/** What stands in a field as it is: words of letters and digits, which mean nothing there. */
const harmless = /^[A-Za-z0-9][A-Za-z0-9 ]*$/;
/** Of a line with an encoded word (RFC 2047 §2). */
const longestLine = 76;
const longestWord = 75;
const framing = '=?utf-8?B??='.length;

/**
 * A text as encoded words.
 * @param column where it begins in its line
 */
function encoded(text: string, column: number): string {
  if (harmless.test(text) && column + text.length <= longestLine && !text.endsWith(' ')) return text;
  const words: string[] = [];
  let bytes = Buffer.alloc(0);
  // A character is never cut in two (RFC 2047 §5).
  for (const character of text.toWellFormed()) {
    const longer = Buffer.concat([bytes, Buffer.from(character)]);
    const room = words.length === 0 ? Math.min(longestWord, longestLine - column) : longestWord;
    if (framing + 4 * Math.ceil(longer.length / 3) <= room) bytes = longer;
    else {
      words.push(bytes.toString('base64'));
      bytes = Buffer.from(character);
    }
  }
  return [...words, bytes.toString('base64')].map((word) => `=?utf-8?B?${word}?=`).join(`${crlf} `);
}

/** RFC 2045 §6.7. */
function quotedPrintable(text: string): string {
  return text
    .toWellFormed()
    .split(/\r\n|\r|\n/)
    .map(quotedLine)
    .join(crlf);
}

function quotedLine(line: string): string {
  const bytes = [...Buffer.from(line)];
  const lines: string[] = [];
  let written = '';
  for (const [index, byte] of bytes.entries()) {
    const isLast = index === bytes.length - 1;
    const isSpace = byte === 0x20 || byte === 0x09;
    const isPlain = (byte >= 0x21 && byte <= 0x7e && byte !== 0x3d) || (isSpace && !isLast);
    // A dot alone, and what looks like the beginning of a mailbox file, is changed on some ways.
    const isDangerous = written === '' && (byte === 0x2e || (byte === 0x46 && line.slice(0, 5) === 'From '));
    const piece = isPlain && !isDangerous ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    // One place is left for the = that says that the line goes on.
    if (written.length + piece.length > longestLine - 1) {
      lines.push(`${written}=`);
      written = '';
    }
    written += piece;
  }
  return [...lines, written].join(crlf);
}
