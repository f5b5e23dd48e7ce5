/** The digits of a phone number (ITU-T E.164: 15 at most), however it is written, with + or the international prefix 00; undefined where it is none. */
export function phoneDigits(text: string): string | undefined {
  return /^(?:\+|00)?(\d{1,15})$/.exec(text.replaceAll(/[\s()-]/g, ''))?.[1];
}
