/** Configuration of nginx that YAML holds as a text: a ConfigMap of Kubernetes, `configs` of Compose. */
import { isNginx } from '../find/kinds.ts';
import type { TextRange } from './text.ts';

/** A text that stands there line by line, deeper than its key. */
const block = /^(?<indent> *)(?:- +)?["']?[\w./-]+["']?:[ \t]*\|[-+\d]*[ \t]*\r?\n(?<text>(?:(?:\k<indent> +[^\n]*|[ \t]*\r?)(?:\n|$))+)/gm;

export function nginxBlocks(yaml: string): (TextRange & { readonly extension: 'nginx' })[] {
  if (!yaml.includes('proxy_pass')) return [];
  return Array.from(yaml.matchAll(block)).flatMap(({ index, 0: whole, groups }) => {
    const text = groups?.['text'] ?? '';
    const end = index + whole.length;
    return isNginx(text) ? [{ start: end - text.length, end, extension: 'nginx' as const }] : [];
  });
}
