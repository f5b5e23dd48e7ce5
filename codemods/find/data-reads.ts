/** JSON files that a script reads from beside itself: `JSON.parse(readFileSync(new URL('../config.json', import.meta.url), 'utf8'))`. */
import { posix } from 'node:path';

const text = String.raw`['"\`][^'"\`\n$\\]+['"\`]`;
const place = new RegExp(
  [
    String.raw`new\s+URL\(\s*(?<url>${text})\s*,\s*import\.meta\.url\s*\)`,
    String.raw`\b(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*(?<folders>${text}(?:\s*,\s*${text})*)\s*,?\s*\)`,
  ].join('|'),
  'g',
);

/** A file beside a script as an import of it would name it: `./config/default.json`. */
export const specifierBeside = (path: string): string => posix.normalize(path).replace(/^(?!\.\.\/)/, './');

/** What a script may read so, as imports would name it. */
export function dataReadsIn(code: string): string[] {
  if (!code.includes('.json') || !/\bread(?:File|Json)/.test(code)) return [];
  return Array.from(code.matchAll(place), ({ groups }) => {
    const texts = (groups?.['url'] ?? groups?.['folders'] ?? '').match(new RegExp(text, 'g')) ?? [];
    return specifierBeside(posix.join(...texts.map((each) => each.slice(1, -1))));
  }).filter((path) => path.endsWith('.json'));
}
