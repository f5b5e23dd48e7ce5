/** Chats, and comments, bound how long a message may be, and refuse what is longer as a whole. */

/** No section has more lines in a chat: who wants all of them reads the digest itself. */
export const mostInChat = 12;
const longestName = 80;
const longestText = 400;

/** Of text that others have written, whole characters, as many as there is room for. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  let kept = '';
  for (const character of text) {
    if (kept.length + character.length >= length) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A line, before it is escaped, as long as a chat shows it. */
export const shortened = ({ name, text }: { readonly name: string; readonly text: string }) => ({
  name: cut(name, longestName),
  text: cut(text, longestText),
});

/** What there is with as many lines of each section as fit; with one of each it has to. */
export function fitted<Made>(most: number, make: (lines: number) => Made, fits: (made: Made) => boolean): Made {
  const whole = make(most);
  if (fits(whole)) return whole;
  let [room, tooMany] = [1, most];
  while (tooMany - room > 1) {
    const lines = Math.floor((room + tooMany) / 2);
    if (fits(make(lines))) room = lines;
    else tooMany = lines;
  }
  return make(room);
}

/** What stands below the lines that were left out. */
export const moreText = (more: number): string => `… and ${more} more: migrate-v2 report --digest has them all`;
