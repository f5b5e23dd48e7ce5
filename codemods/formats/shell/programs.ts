/** Which program a command runs: only what runs code that is read can be given a base that moves with that code. */
import type { PassedOn, Stretch } from '../reading.ts';
import type { TextRange } from '../text.ts';
import { type Definition, type Scope, expansions } from '../variables.ts';
import { partsIn } from '../written.ts';
import { clientOf } from './curl.ts';
import { type Run, understand } from './runs.ts';
import { commandsIn } from './words.ts';

/** What runs scripts and what is built of them; package managers run what package.json says. */
const runtimes =
  /^(?:node|npm|pnpm|yarn|bun|deno|tsx|ts-node(?:-\w+)?|babel-node|nodemon|pm2(?:-runtime)?|next|nuxt|nest|vite|vitest|jest|mocha|ava|react-scripts|webpack(?:-dev-server)?|ng|astro|gatsby|remix|electron|wrangler|k6|playwright|cypress)$/;
/** With these they run an installed tool or another program, which may be in any language. */
const ofAnother = /^(?:exec|dlx|x|-x|--exec|--interpreter)(?:=|$)/;
/** A script by its name. */
const script = /\.(?:[cm]?[jt]sx?|sh|bash|zsh)$/;
const shells = /^(?:.*\/)?(?:ba|z|da)?sh$/;
/** What knows nothing of an API. */
const harmless = /^(?:cd|\.|source|set|test|\[|:|true|echo|printf|date|sleep|mkdir|rm|find|cat|tee)$/;

/** Whether a command runs code of these files, or asks itself. */
export const asks = (run: Pick<Run, 'words'>): boolean => run.words.length > 0 && isRead(run) && !harmless.test(run.words[0]?.value ?? '');

/** @param run what a variable is given to */
export function isRead({ words }: Pick<Run, 'words'>): boolean {
  const [first, ...rest] = words;
  if (first === undefined) return true;
  const { value } = first;
  // What another command gives or a template puts in is one word, however often it is read.
  const isWhole = ({ words: [only] }: Pick<Run, 'words'>): boolean => only?.value === value;
  if (/\s/.test(value))
    return commandsIn(first)
      .map(understand)
      .every((run) => !isWhole(run) && isRead(run));
  if (shells.test(value)) {
    const inner = rest.find((word) => !word.value.startsWith('-'));
    return inner !== undefined && (/\s/.test(inner.value) || script.test(inner.value)) && isRead({ words: [inner] });
  }
  const name = value.replace(/^(?:\/(?:.*\/)?|(?:\.\/)?node_modules\/\.)bin\//, '');
  if (clientOf(name) !== undefined || harmless.test(name)) return true;
  if (script.test(value)) return isOfProject(value);
  return runtimes.test(name) && rest.every((word) => isOfProject(word.value) && !ofAnother.test(word.value));
}

const isOfProject = (path: string): boolean => !path.includes('node_modules/');

/** What commands give to programs that are not read: before them, and by `export NAME=value; command`. */
export function givenToUnread(runs: readonly Run[], stretch: Stretch, scope: Scope): PassedOn[] {
  const exported = runs.flatMap(({ words, sets }) => (words.length === 0 ? sets : []));
  const unread = runs.filter((run) => !isRead(run));
  return [
    ...unread.flatMap((run) => givenIn(run.sets, run, stretch, scope)),
    ...unread.slice(0, 1).flatMap((run) => givenIn(exported, run, stretch, scope)),
  ];
}

export const givenIn = (sets: readonly Definition[], { start, end }: TextRange, stretch: Stretch, scope: Scope): PassedOn[] =>
  sets.map(({ name, value }) => {
    const parts = expansions(value, scope).flatMap((text) => partsIn(text, stretch));
    return { start: stretch.start + start, end: stretch.start + end, name, parts };
  });
