/** Reads and parses the files of a component, and keeps what could not be read of them. */
import { readFileSync } from 'node:fs';
import { resolve as pathOf } from 'node:path';
import { clientRules } from '../clients/registry.ts';
import { ApplyError } from '../edit/errors.ts';
import { failureOf } from '../edit/failure.ts';
import { decode } from '../edit/write.ts';
import type { Engines } from '../engines/choose.ts';
import { SyntaxFault } from '../engines/engine.ts';
import { mayHoldAdvice } from '../escape/advice.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { type ParsedFile, parsedFile } from '../evaluate/module.ts';
import { systemCode } from '../find/errors.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import type { Finding } from '../model.ts';
import { memo } from '../once.ts';
import { positionsOf } from '../syntax/position.ts';
import { workingOn } from '../working-on.ts';
import { asCopied } from './candidates/example-values.ts';
import { type ComponentFile, isEditable } from './component-file.ts';
import { unreadOfAmd, withoutAmd } from './relevance/amd.ts';
import { withExports, withImports } from './relevance/implied-imports.ts';
import { type Outline, outlineOf } from './relevance/outline.ts';
import type { ScriptIn, Source } from './texts/script-reader.ts';

/** What reads files: loaded before, as it is large. */
export interface Readers {
  readonly engines: Engines;
  readonly scriptIn: ScriptIn;
}

export class FileReader {
  readonly failures = new Map<string, Finding>();
  /** Files that may use anything of what they import, as nobody could read them. */
  readonly unread = new Set<string>();
  /** By their documents. */
  readonly unreadBlocks = new Map<string, readonly number[]>();
  readonly about: ReadonlyMap<string, ComponentFile>;
  readonly isAdvised: (file: string) => boolean;
  /** Most are looked at before they are parsed. */
  readonly #texts: (file: string) => FileText;
  readonly #resolve: Resolve;
  readonly #readers: Readers;
  /** Whether something in an example is so in its copies. */
  readonly #isOfCopies: (text: string) => boolean;

  constructor(cwd: string, files: readonly ComponentFile[], resolve: Resolve, readers: Readers, isOfCopies: (text: string) => boolean) {
    this.about = new Map(files.map((each) => [each.file, each]));
    this.#texts = memo((file) => textOf(cwd, file));
    this.#resolve = resolve;
    this.#readers = readers;
    this.#isOfCopies = isOfCopies;
    this.isAdvised = memo((file) => this.about.has(file) && mayHoldAdvice(this.text(file)));
  }

  text(file: string): string {
    return this.#texts(file).text;
  }

  load(file: string): Outline | undefined {
    workingOn(file, 'read');
    const about = this.about.get(file);
    if (about?.isUnread === true) {
      this.unread.add(file);
      return undefined;
    }
    const { kind = 'script', parts, implied = [], isShared, isFake, isExample } = about ?? {};
    const isKept = isExample === true ? this.#isOfCopies : undefined;
    const source = { file, kind, text: this.text(file) };
    const program = programOf({ ...source, parts }, this.#readers);
    const leftOut = parts?.filter((part) => program?.includes(part) === false) ?? [];
    if (leftOut.length > 0) this.unreadBlocks.set(file, leftOut);
    const read = readModule(this.#texts(file), { file, kind, parts: program, implied, isShared, isKept }, this.#readers);
    if (this.#isCut({ ...source, parts })) this.unread.add(file);
    if ('code' in read) {
      this.#fail({ ...source, parts }, about, read);
      return undefined;
    }
    if (unreadOfAmd(read.tree, read.text).some((each) => this.#resolve(file, each) !== undefined)) this.unread.add(file);
    return outlineOf({ ...read, isFake });
  }

  /** Whether it holds code that is not read: in its texts, or where a page cannot be taken apart. */
  #isCut({ file, kind, text, parts }: Source): boolean {
    if (kind === 'script') return callsInTexts(text);
    const isPage = kind === 'markup' || (kind === 'markdown' && parts === undefined);
    return isPage && this.#readers.scriptIn({ file, kind, text }).isCut === true;
  }

  #fail({ file, kind, text, parts }: Source, about: ComponentFile | undefined, failure: Finding): void {
    // A code block need not be a whole program, and what JSON holds is reported with its own file.
    const isShown = parts !== undefined || kind === 'markdown';
    if (about !== undefined && isEditable(about) && !isShown) this.failures.set(file, failure);
    if (parts !== undefined) this.unreadBlocks.set(file, parts);
    // Scripts of a workflow, and of a page, are texts again where one of them cannot be read.
    else if (kind === 'yaml' || isShown) this.unreadBlocks.set(file, this.#readers.scriptIn({ file, kind, text }).parts ?? []);
    if (parts === undefined) this.unread.add(file);
  }
}

const { callsInTexts } = combined(clientRules);

/** A file as it was read. */
interface FileText {
  /** As far as it can be read: what it may use counts even so. */
  readonly text: string;
  readonly failure?: Finding;
}

function textOf(cwd: string, file: string): FileText {
  let bytes: Buffer;
  try {
    bytes = readFileSync(pathOf(cwd, file));
  } catch (error) {
    const failure: Finding = { code: 'unreadable', file, start: 0, end: 0, line: 1, column: 1, detail: { reason: systemCode(error) } };
    return { text: '', failure };
  }
  try {
    return { text: decode(bytes) };
  } catch (error) {
    if (!(error instanceof ApplyError)) throw error;
    return { text: bytes.toString(), failure: failureOf(file, error) };
  }
}

function readModule(
  { text, failure }: FileText,
  {
    file,
    kind,
    parts,
    implied,
    isShared = false,
    isKept,
  }: Omit<Source, 'text'> & Pick<ComponentFile, 'implied' | 'isShared'> & { readonly isKept: ((text: string) => boolean) | undefined },
  { engines, scriptIn }: Readers,
): ParsedFile | Finding {
  if (failure !== undefined) return failure;
  try {
    const source = { file, kind, text, parts };
    const { path: dialect, script, value } = scriptIn(source);
    const written = value?.() ?? withoutAmd(engines.parse(dialect, script).tree, script);
    const tree = isKept === undefined ? written : asCopied(written, isKept);
    const whole = isShared ? withExports(tree) : tree;
    return parsedFile(file, text, implied.length === 0 ? whole : withImports(whole, implied));
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const { message: reason, at } = error;
    return { code: 'syntax', file, start: at, end: at, ...positionsOf(text)(at), detail: { reason } };
  }
}

/** The code blocks without those that are none of a program: cut short, or made up. One alone is found to be so where it is read. */
const programOf = ({ parts, ...source }: Source, { engines, scriptIn }: Readers): Source['parts'] =>
  parts?.filter((part) => {
    if (parts.length === 1) return true;
    try {
      const { path, script } = scriptIn({ ...source, parts: [part] });
      engines.check(path, script);
      return true;
    } catch (error) {
      if (error instanceof SyntaxFault) return false;
      throw error;
    }
  });
