/** `--interactive`: each group of edits is shown, and made only if a person accepts it. */
import { resolve } from 'node:path';
import { ApplyError } from '../../../codemods/edit/errors.ts';
import { patchOf } from '../../../codemods/edit/patch.ts';
import { splice } from '../../../codemods/edit/splice.ts';
import { readText } from '../../../codemods/edit/write.ts';
import type { Edit, Plan } from '../../../codemods/model.ts';
import type { Group } from '../../../codemods/result.ts';
import { plain } from '../../text/escape.ts';
import { provenKeys, withoutKeys } from '../../../codemods/report/secrets.ts';
import { type Places, readPlaces } from '../../../codemods/report/places.ts';
import { counted, routesOf } from '../../../codemods/report/report.ts';
import type { Style } from '../../text/style.ts';
import type { Terminal } from '../terminal.ts';

const answers = [
  { value: 'accept', label: 'Make these edits' },
  { value: 'refuse', label: 'Leave this group as it is' },
  { value: 'all', label: 'Make these and all that follow' },
  { value: 'quit', label: 'Leave this and all that follow as they are' },
] as const;

export interface Acceptance {
  readonly accept: (group: Group, plan: Plan) => Promise<boolean>;
  /** The groups that were refused so far. */
  readonly refused: ReadonlySet<string>;
}

/** Asks about one group after the other. Whoever leaves a question has refused all that follow. */
export function askForGroups(terminal: Terminal, cwd: string, style: Style): Acceptance {
  const refused = new Set<string>();
  let rest: 'all' | 'quit' | undefined;
  let known: Pick<Shown, 'places' | 'keys'> | undefined;
  const ask = async (group: Group, plan: Plan): Promise<boolean> => {
    if (rest === undefined) {
      // Those of all calls: beside what one group changes stand the keys of others.
      known ??= await readKnown(plan, cwd);
      terminal.show(groupText(group, { cwd, style, ...known }));
      const answer = (await terminal.one(questionOf(group), answers)) ?? 'quit';
      if (answer === 'accept' || answer === 'refuse') return answer === 'accept';
      rest = answer;
    }
    return rest === 'all';
  };
  return {
    refused,
    async accept(group, plan) {
      const accepted = await ask(group, plan);
      if (!accepted) refused.add(group.id);
      return accepted;
    },
  };
}

/** Bases in configuration and comments have no call of their own. */
const questionOf = ({ calls }: Group): string =>
  calls.length === 0 ? 'Make this change?' : `Move ${counted(calls.length, 'call')} to v2?`;

async function readKnown(plan: Plan, cwd: string): Promise<Pick<Shown, 'places' | 'keys'>> {
  const places = await readPlaces({ changed: [], plan }, cwd);
  return { places, keys: provenKeys(plan, places) };
}

interface Shown {
  readonly cwd: string;
  readonly style: Style;
  readonly places: Places;
  readonly keys: ReadonlySet<string>;
}

/** The calls of a group, each with its place, and what would change, without the keys in it. */
function groupText({ calls, edits, files }: Group, { cwd, style, places, keys }: Shown): string {
  const byRoute = Map.groupBy(calls, ({ endpoint }) => endpoint);
  const moved = [...byRoute].flatMap(([endpoint, some]) => {
    const { from, to } = routesOf(endpoint);
    return [
      `  ${from} -> ${to}  ${counted(some.length, 'call')}`,
      ...some.map((call) => `    ${plain(call.file)}:${places.at(call)?.line ?? '?'}`),
    ];
  });
  const patches = files.map((file) => {
    const own = edits.filter((edit) => edit.file === file);
    return filePatch(file, own, cwd);
  });
  const lines = withoutKeys(patches.join(''), keys)
    .split('\n')
    .map((line) => colored(line, style));
  return ['', ...moved, '', ...lines].join('\n');
}

/** What the file is now may be something else than what was analysed; then nothing of it will be changed. */
function filePatch(path: string, edits: readonly Edit[], cwd: string): string {
  try {
    const before = readText(resolve(cwd, path));
    return patchOf([{ path, before, after: splice(before, edits) }]);
  } catch (error) {
    if (error instanceof ApplyError) return `${path}: ${error.message}\n`;
    throw error;
  }
}

function colored(line: string, style: Style): string {
  const text = plain(line.replaceAll('\t', '  '));
  if (/^(?:---|\+\+\+) /.test(line)) return style('bold', text);
  if (line.startsWith('@@')) return style('cyan', text);
  if (line.startsWith('+')) return style('green', text);
  return line.startsWith('-') ? style('red', text) : text;
}
