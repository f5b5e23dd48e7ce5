/** Prints where a CPU profile spent its time: node bench/top.ts FILE.cpuprofile [number of rows] */
import { readFileSync } from 'node:fs';
import { markdown } from './report.ts';

/** What is read here of the format that V8 writes (Chrome DevTools protocol, Profiler.Profile). */
interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

const [file, rows = '30'] = process.argv.slice(2);
if (file === undefined) {
  console.error('Usage: node bench/top.ts FILE.cpuprofile [number of rows]');
  process.exit(1);
}
const profile: Profile = JSON.parse(readFileSync(file, 'utf8'));
const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));

console.log(`By package\n\n${table('Package', packageOf, 15)}\n\nBy function\n\n${table('Function', functionOf, Number(rows))}`);

function table(title: string, nameOf: (frame: Frame) => string, limit: number): string {
  const times = new Map<string, number>();
  let total = 0;
  for (const [index, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    const micros = profile.timeDeltas[index] ?? 0;
    total += micros;
    times.set(nameOf(frame), (times.get(nameOf(frame)) ?? 0) + micros);
  }
  const sorted = [...times].toSorted(([, a], [, b]) => b - a).slice(0, limit);
  const cells = sorted.map(([name, micros]) => [name, (micros / 1000).toFixed(0), ((micros / total) * 100).toFixed(1)]);
  return markdown([title, 'self ms', '%'], cells);
}

function functionOf({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || '(anonymous)'} ${shortUrl(url)}${url === '' ? '' : `:${lineNumber + 1}`}`;
}

/** The npm package, `node:` for Node's own code, our folder, or V8's name for what is not JavaScript. */
function packageOf({ functionName, url }: Frame): string {
  if (url.startsWith('node:')) return 'node:';
  const path = shortUrl(url);
  if (path === '') return functionName.startsWith('(') ? functionName : '(native)';
  return /^((@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path;
}

/** The path inside node_modules, or inside our build. */
function shortUrl(url: string): string {
  return url.replace(/^.*\/node_modules\/|^file:.*\/(dist|bench)\//, '');
}
