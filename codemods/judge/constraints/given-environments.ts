/**
 * Packages that are given the whole environment, `createTexts(process.env)`: what they take of it nobody knows, and a file that names none of our variables is
 * not looked into otherwise. What hands back settings, checks or renames them, has its readers here.
 */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { nodeConfig } from '../../clients/settings/node-config.ts';
import { mayHoldEnvironment } from '../../clients/settings/environment.ts';
import { isChecker, isObserver, isQuiet } from '../../clients/quiet-packages.ts';
import { loadEngines } from '../../engines/choose.ts';
import { SyntaxFault } from '../../engines/engine.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { scripts } from '../../formats/reader.ts';
import type { Resolve } from '../../find/modules/resolver.ts';
import type { Scan } from '../../find/scan.ts';
import type { Walk } from '../../find/walk.ts';
import { memo } from '../../once.ts';
import { link, nodesOfKind } from '../../syntax/link.ts';
import { positionsOf } from '../../syntax/position.ts';
import { scopesOf } from '../../syntax/scopes.ts';
import type { CallNode, Node } from '../../syntax/tree.ts';
import type { VariableUse } from '../../uses-between-components.ts';
import type { IsOpen } from '../../verdict/directive-comments.ts';
import { holdsEnvironment, isProcess, type FileBehind, type IsWhole, type ParsedFile } from './environment-holders.ts';
import { sectionsOf, takesSection } from './node-config-sections.ts';

/** What reads settings, checks, picks, renames, shows or sets them, by whole words: `createWidgets` gets nothing. */
const ofSettings = new RegExp(
  [
    String.raw`\b(?:envs?|environments?|envalid|envify|load|expand|pick|omit|get|has|keys?|case|camelcase|map|entries|log|print|debug|clean|plain|clone|freeze)\b`,
    String.raw`\b(?:config|setting|option|schema|pars[ei]|valid|check|assign|merge|default|stringif|inspect|decod|ensure|assert|requir|sanit|filter)`,
  ].join('|'),
  'i',
);
const inWords = (name: string): string => name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, ' ');
/** What starts programs with an environment, or builds them. */
const starting = /exec|spawn|fork|shell|launch|concurrent|^\$|^(?:run|x)$/i;
const ofProgram = /^(?:command|cmd|args|argv|cwd|shell|stdio|script|file|image|handler|runtime|entry|define)$|[.]/;
/** What hands a call of a Worker on to the project's own handlers. */
const routing = /(?:^|\.)(?:fetch|handle\w*|handler|respond|route\w*)$/;
/** What is given the process for its end, or for what it shows. */
const ofProcess = /exit|signal|shutdown|graceful|hook|handle|trap|kill|title|stream|std|error|reject|exception|listen|on[A-Z]/;

const namesNodeConfig = new RegExp(`['"]${nodeConfig}['"]`);

interface Settings {
  readonly files: Walk['files'];
  /** Files of programs with requests of which nobody knows what they ask: these may begin with what they take of node-config's settings. */
  readonly open: ReadonlySet<string>;
}

/**
 * @param set where files beside the code set such variables: a program has those of its folder, and of the ones above
 * @returns the calls, for each of the variables that may be read there
 */
export async function givenEnvironmentsIn(
  { specifiers }: Pick<Scan, 'specifiers'>,
  resolve: Resolve,
  set: readonly Pick<VariableUse, 'file' | 'name'>[],
  textIn: (file: string) => string,
  isOpen: IsOpen,
  { files, open }: Settings,
): Promise<VariableUse[]> {
  const sections = sectionsOf(files, new Set(set.map(({ name }) => name)), textIn);
  const mayTake = (file: string): boolean => sections.size > 0 && namesNodeConfig.test(textIn(file));
  const asking = [...specifiers].flatMap(([file, named]) => {
    const packages = named.filter(
      (each) => !/^[.#/]/.test(each) && !isBuiltin(each) && ![isQuiet, isChecker, isObserver].some((is) => is(each)),
    );
    const names = new Set(set.flatMap((place) => (isBelow(file, place.file) ? place.name : [])));
    if (packages.length === 0 || names.size === 0 || isTest({ file })) return [];
    const foreign = new Set(packages.filter((each) => resolve(file, each) === undefined));
    const others = named.flatMap((each) => (/^[.#@~]/.test(each) ? (resolve(file, each) ?? []) : []));
    return foreign.size > 0 && (mayTake(file) || [file, ...others].some((each) => mayHoldEnvironment.test(textIn(each))))
      ? [{ file, foreign, names }]
      : [];
  });
  if (asking.length === 0) return [];
  const parsed = await parser(textIn);
  const behind: FileBehind = (from, specifier) => {
    const file = resolve(from, specifier);
    return file === undefined ? undefined : parsed(file);
  };
  return asking.flatMap(({ file, foreign, names }) => {
    const of = parsed(file);
    if (of === undefined) return [];
    const position = positionsOf(textIn(file));
    return nodesOfKind(of.program, 'call').flatMap((call) => {
      const { start, end } = call;
      const isOf = (name: string): boolean => {
        const path = sections.get(name);
        const takes: IsWhole | undefined = path === undefined ? undefined : (node, at) => takesSection(node, path, at);
        if (takes?.(call, of) === true && open.has(file)) return true;
        return isForeign(call, of, foreign) && (isGiven(call, of, behind) || (takes !== undefined && isGiven(call, of, behind, takes)));
      };
      const taken = [...names].filter(isOf);
      return taken.length > 0 && isOpen({ file, start, end })
        ? taken.map((name) => ({ file, start, end, ...position(start), name, group: undefined, needsValue: true as const }))
        : [];
    });
  });
}

/** Each file parsed once; what does not parse, or is no script, says nothing here. */
async function parser(textIn: (file: string) => string): Promise<(file: string) => ParsedFile | undefined> {
  const engines = await loadEngines();
  return memo((file) => {
    try {
      const text = textIn(file);
      const parts = isMarkup.test(file) ? scripts({ file, kind: 'markup', text }) : undefined;
      const script = parts?.reduce((made, part) => made + ' '.repeat(part.start - made.length) + part.text, '') ?? text;
      const { program } = engines.parse(parts === undefined ? file : (parts[0]?.path ?? `${file}.ts`), script).tree;
      link(program);
      return { file, program, scopes: scopesOf(program) };
    } catch (error) {
      if (!(error instanceof SyntaxFault)) throw error;
      return undefined;
    }
  });
}

const isMarkup = /\.(?:vue|svelte|astro|html?)$/;

const isBelow = (file: string, other: string): boolean => `/${file}`.startsWith(`/${posix.dirname(other)}/`.replace('/./', '/'));

/** Whether a package does it that nothing is known of, and does not read settings by its name. */
function isForeign(call: CallNode, of: ParsedFile, foreign: ReadonlySet<string>): boolean {
  const from = packageOf(call.callee, of);
  return from !== undefined && foreign.has(from) && !ofSettings.test(inWords(wordsOf(call.callee)));
}

/** Whether that is so: what is given for a program that is started, or to end this one, is for no client, nor what a router hands on. */
function isGiven({ callee, args }: CallNode, of: ParsedFile, behind: FileBehind, isWhole?: IsWhole): boolean {
  const words = wordsOf(callee);
  if (args.length > 1 && routing.test(words) && args[0]?.kind === 'name' && args[0].name.startsWith('req')) return false;
  const isStarting = starting.test(words) || args.some((arg) => arg.kind === 'object' && arg.properties.some(isOfProgram));
  const parts = args.flatMap((arg): readonly Node[] => {
    if (!isStarting) return [arg];
    return arg.kind === 'object' ? arg.properties.filter(({ kind }) => kind === 'spread') : arg.kind === 'array' ? [] : [arg];
  });
  return parts.some((arg) =>
    isWhole === undefined && isProcess(arg, of) ? !ofProcess.test(words) : holdsEnvironment({ node: arg, of }, behind, isWhole),
  );
}

const isOfProgram = (node: Node): boolean => node.kind === 'property' && ofProgram.test(node.name ?? '');

/** What a call is written with, without what stands in brackets: `sdk.texts.create`. */
function wordsOf(callee: Node): string {
  if (callee.kind === 'member') return `${wordsOf(callee.object)}.${callee.property ?? ''}`;
  return callee.kind === 'name' ? callee.name : '';
}

/** The package that what is called comes from: imported, required right there, or made by it before. */
function packageOf(node: Node, of: ParsedFile, steps = 8): string | undefined {
  if (steps === 0) return undefined;
  const next = (other: Node | undefined): string | undefined => other && packageOf(other, of, steps - 1);
  switch (node.kind) {
    case 'member':
      return next(node.object);
    case 'await':
      return next(node.argument);
    case 'call': {
      const [specifier] = node.args;
      const isLoaded = (node.callee.kind === 'name' && node.callee.name === 'require') || isImport(node.callee);
      return isLoaded && specifier?.kind === 'string' ? specifier.value : next(node.callee);
    }
    case 'super': {
      const made = classAround(node);
      return made?.kind === 'class' ? next(made.superclass) : undefined;
    }
    case 'name': {
      const owner = of.scopes.bindingOf(node)?.owner;
      if (owner?.kind === 'import') return owner.isType ? undefined : owner.source.value;
      return owner?.kind === 'variable' ? next(owner.init) : undefined;
    }
    default:
      return undefined;
  }
}

const isImport = (node: Node): boolean => node.kind === 'other' && node.what === 'import';

function classAround(node: Node): Node | undefined {
  let at: Node | undefined = node;
  while (at !== undefined && at.kind !== 'class') at = at.parent;
  return at;
}
