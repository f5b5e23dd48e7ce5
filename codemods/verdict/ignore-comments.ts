/** `migrate-v2-ignore: reason` in a comment leaves the next line alone, at a line's end this line; `migrate-v2-ignore-file: reason` the file. */
import type { Range } from './verdicts.ts';

export interface Ignored {
  /** The reason given for the whole file, if it is to be left alone. */
  readonly file: string | undefined;
  /** The reason given for a place that begins here. */
  reason(place: Range): string | undefined;
}

const comment = /^(?<before>.*?)(?:#|\/\/|<!--|\/\*|;)\s*migrate-v2-ignore(?<whole>-file)?\b:?[ \t]*(?<reason>.*?)\s*(?:-->|\*\/)?\s*$/;
/** How far down a comment still speaks for the file. */
const headLines = 10;

/** A fenced block of code, or the script of a component, that begins at a line: a comment above it speaks for all of it. */
function blockAt(source: string, start: number): Range | undefined {
  const text = source.slice(start);
  const [whole] = /^[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t>]*\1|^[ \t]*<script\b[\s\S]*?<\/script>/m.exec(text) ?? [];
  return whole === undefined || !text.startsWith(whole) ? undefined : { start, end: start + whole.length };
}

export function ignoredIn(source: string): Ignored {
  const none = { file: undefined, reason: () => undefined };
  if (!source.includes('migrate-v2-ignore')) return none;
  const lines: { start: number; end: number; text: string }[] = [];
  for (const { index, 0: text } of source.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g))
    lines.push({ start: index, end: index + text.length, text: text.trimEnd() });
  const ignored: (Range & { reason: string })[] = [];
  let file: string | undefined;
  lines.forEach(({ start, end, text }, i) => {
    const groups = comment.exec(text)?.groups;
    if (groups === undefined) return;
    const reason = groups['reason'] ?? '';
    if (groups['whole'] !== undefined) file ??= i < headLines ? reason : undefined;
    else if ((groups['before'] ?? '').trim() !== '') ignored.push({ start, end, reason });
    else {
      const next = lines.slice(i + 1).find(({ text }) => text.trim() !== '' && !comment.test(text));
      if (next !== undefined) ignored.push({ ...(blockAt(source, next.start) ?? next), reason });
    }
  });
  return { file, reason: (place) => ignored.find(({ start, end }) => place.start < end && place.end > start)?.reason };
}
