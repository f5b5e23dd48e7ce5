/**
 * Which paths of its own server a proxy may pass on, by the text of its file alone. Whoever asks for one of these is looked at with the proxy, so a file
 * that only speaks of proxies, or has rules that rewrite something else, is to reach nobody.
 */
import type { AmbientMark } from '../../find/modules/ambient.ts';

/** A path that is a text of its own: no command, no part of a sentence. */
const path = String.raw`(?<quote>['"\`])\^?(?<path>\/[\w-]+)[\w\-./:*(){}?^$|+\\]*\k<quote>`;
const anywhere = new RegExp(path, 'g');
/** `'/api': {`, which is no case and no side of a condition. */
const asKey = new RegExp(String.raw`(?<!\bcase\s*|\?\s*)${path}\s*\]?\s*:`, 'g');
/** `app.use('/api', …)` */
const asFirst = new RegExp(String.raw`\(\s*${path}\s*,`, 'g');
/** `{ context: ['/api', …], target }`, `{ source: '/api/:path*', destination }`: one beside the other. */
const fields = [
  { names: '(?:context|pathFilter)', beside: 'target' },
  { names: 'source', beside: 'destination' },
].map(({ names, beside }) => {
  const named = String.raw`\b${names}['"]?\s*(?::\s*(?!['"\`[])|[,}])`;
  const other = String.raw`\b${beside}['"]?\s*[:,}]`;
  return {
    beside: new RegExp(other),
    written: new RegExp(String.raw`\b${names}['"]?\s*:\s*(?<value>\[[^\]]*\]|['"\`][^'"\`\n]*['"\`])`, 'g'),
    named: new RegExp(`${named}[^]{0,300}${other}|${other}[^]{0,300}${named}`),
  };
});
/** `proxy: { [prefix]: {` */
const namedKey = /(?:proxy|devProxy|routeRules)['"]?\s*[:=]\s*\{[^]{0,2000}?[{,]\s*\[\s*[\w$.]+\s*\]\s*:|\]\s*:\s*\{\s*['"]?target\b/;
const isMap = /\bproxy['"]?\s*[:=]|devProxy|routeRules|\btarget['"]?\s*:\s*['"]https?:/;
const middleware = /createProxyMiddleware|http-proxy-middleware/;

const pathsOf = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].flatMap(({ groups }) => groups?.['path'] ?? []);

function foundIn(text: string): string[] {
  const own = fields.filter(({ beside }) => beside.test(text));
  // A path that has a name may stand anywhere.
  if (namedKey.test(text) || own.some(({ named }) => named.test(text))) return pathsOf(text, anywhere);
  const values = own.flatMap(({ written }) => [...text.matchAll(written)].map(({ groups }) => groups?.['value'] ?? ''));
  return [
    ...(isMap.test(text) ? pathsOf(text, asKey) : []),
    ...pathsOf(values.join(' '), anywhere),
    ...(middleware.test(text) ? pathsOf(text, asFirst) : []),
  ];
}

/** What goes through proxies begins with one of their paths – behind a base that may be empty, too –, as do the globs and patterns that stand for it in tests. */
function pathsIn(text: string): RegExp | undefined {
  const found = new Set(foundIn(text));
  return found.size === 0 ? undefined : new RegExp(String.raw`(?:['"\`]\*{0,2}|\`\$\{[\w.]+\}|/\^?\\)(?:${[...found].join('|')})(?![\w-])`);
}

export const passingOn: AmbientMark = {
  mark: /\bproxy['"]?\s*[:=(]|createProxyMiddleware|\brewrites\b|routeRules|devProxy|\btarget['"]?\s*:\s*['"]https?:/,
  reached: pathsIn,
};
