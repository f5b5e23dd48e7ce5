/**
 * Samples of settings that people have on their machines, `.textsrc.example.json`, `examples/config.json`: where the default of a setting moves, the address of
 * ours under its name goes along, as in `.env.example`. Any other address there is of somebody who is known to whoever wrote it.
 */
import { addressOf } from '../../escape/ledger/described-passages.ts';
import { copyOf } from '../../find/packages/examples.ts';
import { packageFolders } from '../../find/packages/package-folders.ts';
import { isTemplate } from '../../find/packages/production-files.ts';
import type { FoundFile } from '../../find/walk.ts';
import { parseJson } from '../../formats/data/json.ts';
import { parseJson5 } from '../../formats/data/json5.ts';
import { parseToml } from '../../formats/data/toml.ts';
import type { Data, Scalar } from '../../formats/data/tree.ts';
import { parseYaml } from '../../formats/data/yaml.ts';
import type { Edit, Finding, LedgerEntry, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { Constraints, Member } from '../constraints/between-components.ts';
import { searchedAs } from '../constraints/options-set.ts';
import { byPlace } from '../merge.ts';

type Told = Pick<Plan, 'edits' | 'findings' | 'ledger'>;

interface Given {
  readonly members: readonly Pick<Member, 'variables'>[];
  readonly constraints: Pick<Constraints, 'held'>;
  readonly files: readonly FoundFile[];
  readonly bases: Bases;
  readonly textIn: (file: string) => string;
}

export function withMovedSamples<P extends Told>(plan: P, { members, constraints, files, bases, textIn }: Given): P {
  const settings = settingsOf(members, constraints);
  if (!settings.some(({ isMoved }) => isMoved)) return plan;
  const folderOf = packageFolders(files);
  const open = Map.groupBy(plan.ledger.filter(isOpen), ({ file }) => file);
  const found = [...open.keys()].filter(isTemplate).flatMap((file) => {
    const own = settings.filter((each) => each.isOf(file) && folderOf(each.use) === folderOf({ file }));
    return own.some(({ isMoved }) => isMoved) ? editsIn(file, textIn(file), own, bases) : [];
  });
  const isSaid = (edit: Edit): boolean => open.get(edit.file)?.some(isAround(edit)) === true;
  // Several places may read one setting.
  const edits = [...new Map(found.filter(isSaid).map((edit) => [`${edit.file}:${edit.start}`, edit])).values()];
  return edits.length === 0 ? plan : withEdits(plan, edits, textIn);
}

interface Setting {
  readonly use: VariableUse;
  /** `profiles.url` */
  readonly names: readonly string[];
  readonly isMoved: boolean;
  /** Whether a file is a sample of the one that it is read from. */
  readonly isOf: (file: string) => boolean;
}

function settingsOf(members: Given['members'], { held }: Given['constraints']): Setting[] {
  const uses = members.flatMap(({ variables }) => variables.filter(({ isGiven }) => isGiven === true));
  return uses.flatMap((use): Setting | [] => {
    const [, name, read] = /^([\w.]+) of (\S+)$/.exec(use.name) ?? [];
    if (name === undefined || read === undefined || read.includes('*')) return [];
    const called = new RegExp(`(?:^|/)${searchedAs(read)}$`);
    const isOf = (file: string): boolean => [file, copyOf(file) ?? ''].some((each) => called.test(each));
    return { use, names: name.split('.'), isMoved: use.needsValue && use.group !== undefined && held(use.group) === undefined, isOf };
  });
}

const isOpen = ({ state, reason }: LedgerEntry): boolean => state === 'person' && (reason === 'unconsumed' || reason === 'mentioned');
const isAround =
  ({ start, end }: Edit) =>
  (entry: LedgerEntry): boolean =>
    entry.start < end && start < entry.end;

function editsIn(file: string, text: string, settings: readonly Setting[], bases: Bases): Edit[] {
  const scalars = treesIn(file, text).flatMap((root) => [...scalarsIn(root, [])]);
  // What code reads that stays may be told it by the same.
  const isLeft = ({ path }: Placed): boolean => settings.some((each) => !each.isMoved && isUnder(path, each.names));
  return settings.flatMap(({ names, isMoved }) => {
    const exact = scalars.filter(({ path }) => path.join('.') === names.join('.'));
    const under = exact.length > 0 ? exact : scalars.filter(({ path }) => isUnder(path, names));
    return isMoved ? under.flatMap((each) => (isLeft(each) ? [] : editsOf(file, each, bases))) : [];
  });
}

function editsOf(file: string, { scalar }: Placed, bases: Bases): readonly Edit[] {
  const mentions = addressOf(scalar, matchUrl(scalar.value, bases), bases);
  if (mentions.includes(undefined)) return [];
  return mentions.flatMap((mention) => mention?.replacements ?? []).map((edit) => ({ file, ...edit, group: `${file}:samples` }));
}

interface Placed {
  readonly path: readonly string[];
  readonly scalar: Scalar;
}

function* scalarsIn(data: Data, path: readonly string[]): Generator<Placed> {
  if (data.kind === 'scalar') yield { path, scalar: data };
  if (data.kind === 'map') for (const { key, value } of data.entries) yield* scalarsIn(value, [...path, key.value]);
}

/** Of what is read by a name that the program makes up, its own name says nothing: `profiles[name].url` is `profiles.url`. */
const isUnder = (path: readonly string[], names: readonly string[]): boolean =>
  path.join('.') === names.join('.') ||
  (names.length > 1 &&
    path.length === names.length + 1 &&
    path.slice(0, names.length - 1).join('.') === names.slice(0, -1).join('.') &&
    path.at(-1) === names.at(-1));

function treesIn(file: string, text: string): readonly Data[] {
  const [, extension = ''] = /\.(\w+)$/.exec(file) ?? [];
  const parse = { json: parseJson, jsonc: parseJson5, json5: parseJson5, yaml: parseYaml, yml: parseYaml, toml: parseToml }[extension];
  const { roots, fault } = parse?.(text) ?? { roots: [], fault: undefined };
  return fault === undefined ? roots : [];
}

/** What moves there has to be changed in what people made of it, too. */
function withEdits<P extends Told>(plan: P, edits: readonly Edit[], textIn: (file: string) => string): P {
  const files = new Map(edits.map(({ file }) => [file, edits.filter((edit) => edit.file === file)]));
  const isMoved = (at: Finding | LedgerEntry): boolean =>
    files.get(at.file)?.some((edit) => at.start < edit.end && edit.start < at.end) === true;
  const told = [...files].flatMap(([file, [first]]): Finding[] => {
    if (first === undefined) return [];
    const { start, end } = first;
    return [
      {
        code: 'env-elsewhere',
        file,
        start,
        end,
        ...positionsOf(textIn(file))(start),
        detail: { name: copyOf(file) ?? file, how: 'example' },
      },
    ];
  });
  const kept = plan.findings.filter((each) => !(isMoved(each) && (each.code === 'unconsumed' || each.detail['how'] === 'sample')));
  return {
    ...plan,
    edits: [...plan.edits, ...edits].toSorted(byPlace),
    findings: [...kept, ...told].toSorted(byPlace),
    ledger: plan.ledger.map((entry): LedgerEntry => {
      const edit = isOpen(entry) ? files.get(entry.file)?.find((each) => isAround(each)(entry)) : undefined;
      return edit === undefined ? entry : { ...entry, state: 'rewritten', reason: edit.what };
    }),
  };
}
