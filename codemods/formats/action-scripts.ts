/** Scripts of `actions/github-script` in workflows of GitHub, and in actions that are put together of steps: https://github.com/actions/github-script */
import type { TextRange } from './text.ts';

/** Each is a program of its own, which may return and await. */
export interface ActionScript extends TextRange {
  readonly extension: 'js';
}

const step = /^(?<indent> *)(?<dash>- +)?uses: *["']?actions\/github-script@/;
const script = /^(?<indent> *)script: *\|[-+\d]*\s*$/;

export function actionScripts(yaml: string): ActionScript[] {
  if (!yaml.includes('actions/github-script@')) return [];
  const found: { start: number; end: number; indent: number }[] = [];
  let column: number | undefined;
  let open: (typeof found)[number] | undefined;
  for (const { index, 0: line } of yaml.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const indent = line.search(/\S/);
    const end = index + line.length;
    if (open !== undefined && (indent === -1 || indent > open.indent)) open.end = end;
    else if (indent !== -1) {
      open = undefined;
      const { groups } = step.exec(line) ?? {};
      if (groups !== undefined) column = (groups['indent'] ?? '').length + (groups['dash'] ?? '').length;
      else if (column !== undefined && indent < column) column = undefined;
      if (column !== undefined && indent > column && script.test(line)) found.push((open = { start: end, end, indent }));
    }
  }
  return found.flatMap(({ start, end }) => (isWhole(yaml.slice(start, end)) ? [{ start, end, extension: 'js' as const }] : []));
}

/** What the runner puts in is a text where it stands between quotes, and may be anything elsewhere. */
const isWhole = (code: string): boolean => !code.replaceAll(/'[^'\n]*'|"[^"\n]*"/g, '').includes('${{');
