/** Whether anything may give a variable of the environment a value besides the default that code has for it, by the texts of all files. */
import { escaped } from '../../find/words/literals.ts';
import type { Texts } from '../../find/files/texts.ts';
import type { FoundFile } from '../../find/walk.ts';

/** What gives the environment as a whole other values, of which nobody sees the names. */
const wholeEnvironment = /Object\.assign\(\s*process\.env\b|\bprocess\.env\s*=(?!=)|\boverride\s*:\s*true\b/;

const host = String.raw`https?:\/\/`;
const documents: ReadonlySet<FoundFile['kind']> = new Set(['markdown', 'plain']);

/**
 * @param files all of the run
 * @param bases ours
 * @returns whether one of them sets it, or has a default for it, that is neither ours, nor a server on the machine itself, nor nothing at all
 */
export function isSetOtherwise(name: string, files: readonly FoundFile[], texts: Pick<Texts, 'utf8'>, bases: readonly string[]): boolean {
  const ours = bases.map((base) => escaped(base.replace(/^https?:\/\//, ''))).join('|');
  const known = String.raw`${host}(?:(?:${ours})(?![\w.-])|(?:localhost|127\.0\.0\.1|\[::1\])(?![\w.-]))`;
  const nothing = String.raw`["'\x60]{0,2}\s*(?:[,;)}\]#\n]|$)`;
  const itself = String.raw`["'\x60]?(?:\$\{?|process\.env\.)${escaped(name)}(?!\w)`;
  const typed = String.raw`(?:string|z\.string\(\))(?![^,;\n]*\bdefault\b)`;
  const given = String.raw`(?<!\w)${escaped(name)}(?!\w)["'\]]*\s*(?:=(?![=>])|:|\?\?|\|\||,\s*["']?(?:value|Value)["']?\s*:)[^\S\n]*(?:\n\s*(?=["'\x60]))?`;
  const otherwise = new RegExp(String.raw`${given}(?!\s*(?:["'\x60]?${known}|${nothing}|${itself}|${typed}))`);
  const otherHost = new RegExp(String.raw`(?<!\w)${escaped(name)}(?!\w)[^\n]{0,60}?(?!${known})${host}`);
  return files.some(({ path, kind }) => {
    const text = texts.utf8(path);
    if (!text.includes(name)) return kind === 'script' && wholeEnvironment.test(text);
    return documents.has(kind) ? otherHost.test(text) : wholeEnvironment.test(text) || otherwise.test(text) || otherHost.test(text);
  });
}
