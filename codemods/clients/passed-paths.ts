/**
 * Which paths of its own server a proxy may pass on, by the text of its file alone. Whoever asks for one of these is looked at with the proxy, so a file
 * that only speaks of proxies, or has rules that rewrite something else, is to reach nobody.
 */
import type { AmbientMark } from '../find/ambient.ts';

/** A path that is a text of its own: no command, no part of a sentence. */
const path = String.raw`(?<quote>['"\`])\^?(?<path>\/[\w-]+)[\w\-./:*(){}?^$|+\\]*\k<quote>`;
const anywhere = new RegExp(path, 'g');
/** `'/api': {`, which is no case and no side of a condition. */
const asKey = new RegExp(String.raw`(?<!\bcase\s*|\?\s*)${path}\s*\]?\s*:`, 'g');
/** `app.use('/api', …)` */
const asFirst = new RegExp(String.raw`\(\s*${path}\s*,`, 'g');
/** `context: ['/api', …], target`, `source: '/api/:path*', destination` */
const fields = [
  { of: /proxy|\btarget['"]?\s*:\s*['"]https?:/i, beside: /\btarget\b/, names: '(?:context|pathFilter)' },
  { of: /\brewrites\b/, beside: /\bdestination\b/, names: 'source' },
].map(({ names, ...where }) => ({
  ...where,
  written: new RegExp(String.raw`\b${names}['"]?\s*:\s*(?<value>\[[^\]]*\]|['"\`][^'"\`\n]*['"\`])`, 'g'),
  named: new RegExp(String.raw`\b${names}['"]?\s*(?::\s*(?!['"\`[])|[,}])`),
}));
/** `[prefix]: {` */
const namedKey = /[{,]\s*\[\s*[\w$.]+\s*\]\s*:/;
const middleware = /createProxyMiddleware|http-proxy-middleware/;

const pathsOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.['path'] ?? []);

function foundIn(text: string): string[] {
  const own = fields.filter(({ of, beside }) => of.test(text) && beside.test(text));
  // A path that has a name may stand anywhere.
  if (namedKey.test(text) || own.some(({ named }) => named.test(text))) return pathsOf(text, anywhere);
  const values = own.flatMap(({ written }) => [...text.matchAll(written)].map(({ groups }) => groups?.['value'] ?? ''));
  return [...pathsOf(text, asKey), ...pathsOf(values.join(' '), anywhere), ...(middleware.test(text) ? pathsOf(text, asFirst) : [])];
}

/** What goes through proxies begins with one of their paths. */
function pathsIn(text: string): RegExp | undefined {
  const found = new Set(foundIn(text));
  return found.size === 0 ? undefined : new RegExp(`['"\`](?:${[...found].join('|')})(?![\\w-])`);
}

export const passingOn: AmbientMark = {
  mark: /\bproxy['"]?\s*[:=(]|createProxyMiddleware|\brewrites\b|routeRules|devProxy|\btarget['"]?\s*:\s*['"]https?:/,
  reached: pathsIn,
};
