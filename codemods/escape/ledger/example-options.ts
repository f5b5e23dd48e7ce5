/** Blocks of code in documents that show how the package's own client is made, or its file of settings is written, with our base as an option. */
import type { TextRange } from '../../formats/text.ts';
import { isDoubtful } from './doubts.ts';
import { restOf, type Subject } from './subjects.ts';

interface Mention extends TextRange {
  readonly kind: 'address' | 'route' | 'header';
  readonly endpoints: readonly unknown[];
}

export interface Example extends TextRange {
  /** The option with the address, and what else tells whose it is. */
  readonly subjects: readonly Subject[];
  /** What the code imports from. */
  readonly imported: readonly string[];
}

const script = /^\s*(?:```|~~~)(?:[cm]?[jt]sx?|javascript|typescript)\s*\n/;
const settings = /^\s*(?:```|~~~)json[c5]?\s*\n\s*(\{[^{}[\]]*\})\s*(?:```|~~~)\s*$/;
/** `new Texts({ url: '…`, up to the address. */
const given = /(?<![\w.$])([A-Za-z_$][\w$]*)\(\s*\{[^{}()]*?([A-Za-z_$][\w$]*)\s*:\s*(["'`])$/;
const from = /\b(?:from|require\(|import\()\s*["']([^"']+)["']/g;

/** @returns all of a block that has our base in one place and nothing else of the service */
export function examplesIn(said: string, mentions: readonly Mention[]): Example[] {
  const [first, ...others] = mentions;
  if (first === undefined || others.length > 0 || first.kind !== 'address' || first.endpoints.length > 0) return [];
  const rest = restOf(said, mentions);
  if (isDoubtful(rest) || /https?:|\/v\d/i.test(rest)) return [];
  const before = said.slice(0, first.start);
  const subjects = subjectsIn(said, before);
  return subjects.length > 0
    ? [{ start: 0, end: said.length, subjects, imported: Array.from(said.matchAll(from), ([, name = '']) => name) }]
    : [];
}

function subjectsIn(said: string, before: string): Subject[] {
  const [, map] = settings.exec(said) ?? [];
  if (map !== undefined) {
    const [, own = ''] = /"(\w+)"\s*:\s*"$/.exec(before) ?? [];
    const names = Array.from(map.matchAll(/"([^"\n]+)"\s*:/g), ([, name = '']) => name);
    return own === '' ? [] : [own, ...names.filter((name) => name !== own)].map((name) => ({ kind: 'option', name }));
  }
  const [, client, option] = (script.test(said) && given.exec(before)) || [];
  if (client === undefined || option === undefined) return [];
  const isImported = new RegExp(String.raw`\bimport\b[^;'"]*\b${client.replaceAll('$', String.raw`\$`)}\b[^;'"]*\bfrom\b`).test(before);
  return isImported
    ? [
        { kind: 'option', name: option },
        { kind: 'function', name: client },
      ]
    : [];
}
