/** Which variables are set for programs that somebody else made: a container with another's image beside one with that of the project, a command of a package. */
import type { ReadFile } from '../formats/reader.ts';
import type { ForeignScript, PassedOn, Setting } from '../formats/reading.ts';
import { memoOf } from '../once.ts';
import { allowedAt, allowLines } from '../verdict/directive-comments.ts';
import type { Bases } from '../verdict/bases/routes.ts';
import { type IsMadeHere, ownerOf } from './made-images.ts';
import type { IsHere } from './scripts-here.ts';
import { isCodeFile } from '../find/kinds.ts';

/**
 * Marks what is set for them. What they share with others, or may share, is no setting of theirs: it is passed on to a program that is not read.
 * @param allowed lines of which somebody says that they may move along, by file: their image is the project's
 */
export function withOtherPrograms(
  read: readonly ReadFile[],
  isMadeHere: IsMadeHere,
  isHere: IsHere,
  allowed: Bases['allowed'],
): ReadFile[] {
  const files = read.map((file) => withScripts(file, isHere));
  const isOwn = ({ program }: Setting): ReturnType<IsMadeHere> => program && (program.isOwn ?? isMadeHere(program.name));
  const images = files.flatMap(({ reading }) => reading.settings.filter(isOfImage));
  const isOurs = (setting: Setting): boolean => isOwn(setting) === true || isOwn(setting) === 'likely';
  const placed = images.filter((setting) => setting.program?.name.includes('/'));
  const [known, made] = [namesOf(placed.filter(isOurs)), namesOf(placed.filter((setting) => isOwn(setting) === true))];
  const open = Map.groupBy(
    images.filter((setting) => isOwn(setting) === undefined || isOwn(setting) === 'doubtful'),
    ({ name }) => name,
  );
  return files.map((file) => {
    const { source, reading } = file;
    const { settings, passedOn } = reading;
    if (settings.every((setting) => setting.program === undefined || isOwn(setting) === true)) return file;
    allowLines(source, allowed?.get(source.file));
    const own = settings.filter(isOurs);
    const [names, places] = [namesOf(own), new Set(own.map(placeOf))];
    const madeBeside = namesOf(own.filter((setting) => isOwn(setting) === true));
    const isAllowed = ({ requests }: Setting): boolean =>
      requests.some(({ call: { start, end } }) => allowedAt(source, start, end) !== undefined);
    const whoseOf = (setting: Setting): 'own' | 'others' | 'shared' => {
      const { name, program } = setting;
      if (program === undefined || isOwn(setting) === true) return 'own';
      // Of a registry of its own each may be of the same people, and no more is known of this one.
      if (isOwn(setting) === 'likely') return (madeBeside.has(name) || made.has(name)) && !isAllowed(setting) ? 'shared' : 'own';
      // A tool may run what stands here, and an image be the project's: beside one that surely does, it is another program.
      if (names.has(name) || (isOfImage(setting) && (isOwn(setting) === false || known.has(name))))
        return places.has(placeOf(setting)) || takesOwn(setting) ? 'shared' : 'others';
      if (isAllowed(setting)) return 'own';
      if (program.isBuiltBeside === true && isOfImage(setting)) return takesOwn(setting) ? 'shared' : 'others';
      if (program.isAlone === true || (isOwn(setting) === 'doubtful' && (isAddress(setting) || takesOwn(setting)))) return 'shared';
      // Of images by several, none of which is known to be made here, one may be the project's.
      return new Set(open.get(name)?.map((each) => ownerOf(each.program?.name ?? ''))).size > 1 ? 'shared' : 'own';
    };
    const by = Map.groupBy(settings, whoseOf);
    const others = (by.get('others') ?? []).map((setting): Setting => ({ ...setting, isOfOthers: true }));
    return {
      ...file,
      reading: {
        ...reading,
        settings: [...(by.get('own') ?? []), ...others],
        passedOn: [...passedOn, ...(by.get('shared') ?? []).flatMap(passedOnBy)],
      },
    };
  });
}

/** Who runs what stands nowhere here is somebody else. */
function withScripts(file: ReadFile, isHere: IsHere): ReadFile {
  const { settings, passedOn } = file.reading;
  if (!settings.some(({ program }) => program?.scripts !== undefined) && !passedOn.some(({ scripts }) => scripts !== undefined))
    return file;
  const by = file.source.file;
  // What a document has people run is what it has them write.
  const isShown = (script: ForeignScript): boolean => /\.mdx?$/.test(by) && isCodeFile.test(script.paths[0] ?? '');
  const isElsewhere = memoOf((script: ForeignScript): boolean => !isShown(script) && !isHere(script, by));
  return {
    ...file,
    reading: {
      ...file.reading,
      settings: settings.map((setting) =>
        setting.program?.scripts?.some(isElsewhere) === true
          ? { ...setting, program: { ...setting.program, isOwn: false, isAlone: true } }
          : setting,
      ),
      passedOn: passedOn.flatMap((each): PassedOn[] => {
        if (each.scripts === undefined) return [each];
        const script = each.scripts.find(isElsewhere);
        return script === undefined ? [] : [{ ...each, start: script.start, end: script.end }];
      }),
    },
  };
}

/** Of which its name has to tell whose it is. */
const isOfImage = ({ program }: Setting): boolean => program !== undefined && program.isOwn === undefined;
const namesOf = (settings: readonly Setting[]): ReadonlySet<string | undefined> => new Set(settings.map(({ name }) => name));

const placeOf = ({ requests: [request] }: Setting): number | undefined => request?.call.start;

/** A version alone says by itself for which program it is set. */
const isAddress = ({ requests }: Setting): boolean =>
  requests.some(({ url = [] }) => url.some((part) => 'text' in part && part.text.includes('://')));

/** `NAME: ${NAME}` */
const takesOwn = ({ name, requests }: Setting): boolean =>
  requests.some(({ url = [] }) =>
    url.some((part) => 'unknownPart' in part && part.unknownPart.type === 'env' && part.unknownPart.name === name),
  );

const passedOnBy = ({ name = '', program, requests }: Setting): PassedOn[] =>
  requests.slice(0, 1).map(({ call, module, url = [] }) => ({
    start: call.start,
    end: call.end,
    name,
    ...(program?.isOwn === undefined && { image: program?.name }),
    // What it has another variable in, it is given of that as well.
    parts: [{ unknownPart: { type: 'env', name, node: call, module } }, ...url.filter((part) => 'unknownPart' in part)],
  }));
