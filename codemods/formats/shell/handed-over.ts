/** Variables that a command hands to something under their own names: `heroku config:set NAME=$NAME`, `ssh host "NAME=$NAME …"`, `echo "NAME=$NAME" > file`. */
import { referencesIn } from '../variables.ts';
import { isRead } from './programs.ts';
import type { Run } from './runs.ts';

/** `vercel deploy --env NAME=$NAME`, `--set env.NAME=$NAME,OTHER=1`: a program finds what it gets so among its variables anyway, and who reads it there reads it by that name. */
export const isUnderOwnName = (word: string, name: string, start: number, end: number): boolean =>
  new RegExp(`(?<![\\w-])${name}[=:]["']?$`).test(word.slice(0, start)) && /^["']?(?:$|[\s,;}])/.test(word.slice(end));

/** What runs recipes, tests and requests of these files, and containers, of which each is known by its image. */
const ofHere = /^@?(?:docker|docker-compose|podman|nerdctl|buildah|g?make|just|task|newman|artillery|hurl|bru|npx|cypress)$/;
/** What shows people what it is given. */
const showing = /^@?(?:echo|printf)$/;
/** Of a machine that runs a pipeline, and of nobody. */
const file = String.raw`(?!\s*["']?(?:\$\{?(?:GITHUB|BASH)_|\/dev\/)|&)`;
const intoFile = new RegExp(String.raw`^[^\n;&|]*?(?:(?<![\d&>-])>{1,2}(?!>)${file}|\|\s*(?:sudo\s+)?tee\s${file})`);

/** @param text of what stands around it */
export function handedUnderTheirNames(run: Run, text: string): string[] {
  const { words, end, isPiped = false } = run;
  const command = words[0]?.value ?? '';
  if (ofHere.test(command)) return [];
  const line = text.slice(end, end + maxLine);
  const document = hereDocumentBehind(text, end);
  const isWritten = intoFile.test(line);
  const inDocument = document?.isExpanded === true && (isWritten || /^(?:ssh|tee)$/.test(command)) ? namesIn(document.text) : [];
  if (showing.test(command) ? !isWritten && !isPiped : isRead(run)) return inDocument;
  return [...words.flatMap(({ value }) => namesIn(value)), ...(command.endsWith('printf') ? namesPrinted(run) : []), ...inDocument];
}

/** Characters of a line, and of a here-document, that are looked at. */
const maxLine = 400;
const maxDocument = 20_000;

const namesIn = (text: string): string[] =>
  referencesIn(text).flatMap(({ name, start, end }) => (isUnderOwnName(text, name, start, end) ? name : []));

/** `printf 'NAME=%s\n' "$NAME"` */
function namesPrinted({ words: [, format, ...given] }: Run): string[] {
  const set = new Set(Array.from(format?.value.matchAll(/([A-Za-z_]\w*)=["']?%s/g) ?? [], ([, name = '']) => name));
  return given.flatMap(({ value }) => referencesIn(value).flatMap(({ name }) => (set.has(name) ? name : [])));
}

const hereDocument = /^[^\n]*?<<(?!<)-?[ \t]*(?<quote>["']?)(?<mark>\w+)[^\n]*\n(?<lines>[^]*?)^[ \t]*\k<mark>[ \t]*$/m;

/** @returns the here-document that begins on the line behind a command */
export function hereDocumentBehind(text: string, end: number): { readonly text: string; readonly isExpanded: boolean } | undefined {
  const [line = ''] = text.slice(end, end + maxLine).split('\n', 1);
  if (!line.includes('<<')) return undefined;
  const { quote = '', lines } = hereDocument.exec(text.slice(end, end + maxDocument))?.groups ?? {};
  return lines === undefined ? undefined : { text: lines, isExpanded: quote === '' };
}
