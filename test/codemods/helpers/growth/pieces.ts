/** Pieces of programs that grow. */

export type Files = Readonly<Record<string, string>>;
/** @param size how often what is to grow stands in it */
export type Grown = (size: number) => Files;

export const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('\n');
export const main = (...lines: readonly string[]): Files => ({ 'main.js': lines.join('\n') });

export const base = "const base = 'https://api.example.com';";
export const ask = (path: string): string => `fetch(base + ${path}, { headers: { 'x-api-key': key } });`;
export const known = ask("'/v1/messages'");
