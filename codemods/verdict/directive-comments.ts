/**
 * What a person says of a place by a comment: `// migrate-v2-ignore: reason` leaves alone what follows, at a line's end its line, with
 * `-file` the file; `// migrate-v2-allow: reason` lets what follows move along with the calls that it would hold back.
 */
import { isScript, type SourceModule } from '../evaluate/module.ts';
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Finding, FindingCode, Span } from '../model.ts';
import type { Comment, Node } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Directive extends Place {
  readonly verb: 'ignore' | 'allow';
  /** What the comment gives; may be empty. */
  readonly reason: string;
  /** Where the comment stands, where it speaks for the file. */
  readonly file: Place | undefined;
}

const mark = /migrate-v2-(?<verb>ignore|allow)(?<whole>-file)?\b:?\s*(?<reason>[^*\r\n]*)/;
const hasMark = /migrate-v2-(?:ignore|allow)/;
/** How far down a comment still speaks for the file. */
const headLines = 10;

/** They are asked for with every call and every change. */
const known = new WeakMap<SourceText, readonly Directive[]>();

/** Whether nobody says of a place that what it holds may move. */
export type IsOpen = (place: Span) => boolean;

/** Lets lines of a file move along as a comment above each would. It is called before anything is asked of the file. */
export function allowLines(module: SourceText, lines: readonly number[] = []): void {
  if (lines.length === 0) return;
  const starts = [0, ...Array.from(module.text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)];
  const given = lines.flatMap((line): Directive[] => {
    const start = starts[line - 1];
    return start === undefined ? [] : [{ verb: 'allow', reason: '', file: undefined, start, end: starts[line] ?? module.text.length + 1 }];
  });
  known.set(module, [...stretchesOf(module), ...given]);
}

/** The comment that says of a stretch of a file that it is right as it is, by either verb. */
export function directiveAt(module: SourceText, start: number, end: number, verb?: Directive['verb']): Directive | undefined {
  return stretchesOf(module).find((each) => each.start < end && start < each.end && (verb === undefined || each.verb === verb));
}

function stretchesOf(module: SourceText): readonly Directive[] {
  const stretches = known.get(module) ?? (isScript(module) ? directivesIn(module) : directivesOfLines(module));
  known.set(module, stretches);
  return stretches;
}

/** The comment that leaves a stretch of a file on v1. */
export const ignoredAt = (module: SourceText, start: number, end: number): Directive | undefined =>
  directiveAt(module, start, end, 'ignore');

/** The comment by which a stretch of a file holds nothing back. */
export const allowedAt = (module: SourceText, start: number, end: number): Directive | undefined =>
  directiveAt(module, start, end, 'allow');

/** Findings that hold back edits are reported, whatever a comment says of their place. */
const isHeld = ({ code, group }: Finding): boolean => group !== undefined || code === 'ignored';

/**
 * What a comment exempts is reported as left alone, what it allows as that, once for each comment.
 * @param codes those that a comment can settle, if not all
 * @returns the findings, of which those that a comment settles are so
 */
export function exempted(
  modules: ReadonlyMap<string, SourceText>,
  findings: readonly Finding[],
  codes?: ReadonlySet<FindingCode>,
): Finding[] {
  const commentOf = ({ file, start, end, code }: Finding): Directive | undefined => {
    const module = modules.get(file);
    return module && directiveAt(module, start, end, code === 'allowed' ? 'allow' : 'ignore');
  };
  const told = new Set(findings.filter(({ code }) => code === 'ignored').flatMap((finding) => commentOf(finding) ?? []));
  return findings.flatMap((finding) => {
    const comment = isHeld(finding) || codes?.has(finding.code) === false ? undefined : commentOf(finding);
    if (comment === undefined) return [finding];
    const isReported = told.has(comment);
    told.add(comment);
    return isReported ? [] : [{ ...finding, ...findingOf(comment) }];
  });
}

/** What is reported of a place that a comment speaks of. */
export const findingOf = ({ verb, reason }: Directive): Pick<Finding, 'code' | 'detail'> => ({
  code: verb === 'allow' ? 'allowed' : 'ignored',
  detail: reason === '' ? {} : { reason },
});

/** What is reported of a use in whose place a comment lets it move along. */
export function saidAt(module: SourceText, start: number, end: number): { readonly allowed?: Pick<Finding, 'code' | 'detail'> } {
  const found = allowedAt(module, start, end);
  return found === undefined ? {} : { allowed: findingOf(found) };
}

interface Line extends Place {
  readonly text: string;
}

/** What the comment of a line says, in whatever way its format writes one. */
function commentIn({
  text,
}: Line): (Pick<Directive, 'verb' | 'reason'> & { readonly isForFile: boolean; readonly isAlone: boolean }) | undefined {
  const at = text.search(hasMark);
  const before = text.slice(0, Math.max(at, 0)).trimEnd();
  const [sign] = /(?:#|\/\/|<!--|\/\*|;)$/.exec(before.slice(-4)) ?? [];
  const found = /^migrate-v2-(?<verb>ignore|allow)(?<whole>-file)?\b:?(?<reason>.*)/.exec(text.slice(at, at + maxCommentLength));
  if (at === -1 || sign === undefined || found === null) return undefined;
  const reason = (found.groups?.['reason'] ?? '').trim().replace(/(?:-->|\*\/)$/, '');
  return {
    verb: verbOf(found.groups),
    reason: reason.trim(),
    isForFile: found.groups?.['whole'] !== undefined,
    isAlone: before.trim() === sign,
  };
}

const verbOf = (groups: Partial<Record<string, string>> | undefined): Directive['verb'] =>
  groups?.['verb'] === 'allow' ? 'allow' : 'ignore';

/** What `--todo` writes, which may stand between a comment and what that is about. */
const isTodo = /^\s*(?:#|\/\/)\s*TODO\(migrate-v2\)/;

/** Characters of a reason that are kept. */
const maxCommentLength = 1_000;

/** The stretches of a file without a tree: a comment speaks for its line, or for the next one or the block that begins there. */
function directivesOfLines({ text: source }: SourceText): Directive[] {
  if (!hasMark.test(source)) return [];
  const lines = Array.from(source.matchAll(/[^\r\n]*(?:\r\n|\n|\r|$)/g), ({ index, 0: text }) => ({
    start: index,
    end: index + text.length,
    text,
  }));
  const found: Directive[] = [];
  let next: Line | undefined;
  for (const [i, line] of [...lines.entries()].toReversed()) {
    const said = commentIn(line);
    const { start, end } = line;
    if ((said === undefined || !said.isAlone) && line.text.trim() !== '' && !isTodo.test(line.text)) next = line;
    if (said === undefined) continue;
    const { verb, reason } = said;
    const directive = { verb, reason, file: undefined };
    if (said.isForFile && i < headLines) found.push({ start: 0, end: source.length, ...directive });
    else if (!said.isForFile && !said.isAlone) found.push({ start, end, ...directive });
    else if (!said.isForFile && next !== undefined) found.push({ ...(blockAt(source, next.start) ?? boundsOf(next)), ...directive });
  }
  return found.toReversed();
}

const boundsOf = ({ start, end }: Place): Place => ({ start, end });

/** A fenced block of code, or the script of a component, that begins at a line: a comment above it speaks for all of it. */
function blockAt(source: string, start: number): Place | undefined {
  const block = /[ \t>]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?^[ \t>]*\1|[ \t]*<script\b[\s\S]*?<\/script>/my;
  block.lastIndex = start;
  return block.test(source) ? { start, end: block.lastIndex } : undefined;
}

/** The stretches of a file that its comments speak of, those around its script included. */
function directivesIn(module: SourceModule): Directive[] {
  const inScript = module.tree.comments.map((comment) => ({ comment, stretchOf: () => stretchOf(module, comment) }));
  const around = markupIn(module).map((comment) => ({ comment, stretchOf: () => stretchBelow(module, comment) }));
  return [...inScript, ...around].flatMap(({ comment, stretchOf }): Directive[] => {
    const groups = mark.exec(comment.text)?.groups;
    if (groups === undefined) return [];
    const said = { verb: verbOf(groups), reason: (groups['reason'] ?? '').trim() };
    if (groups['whole'] === undefined) return [{ ...stretchOf(), ...said, file: undefined }];
    const isHead = module.position(comment.start).line <= headLines;
    return isHead ? [{ start: 0, end: module.text.length, ...said, file: { start: comment.start, end: comment.end } }] : [];
  });
}

/** Comments of documents and components, in which the script is only a part. */
function markupIn({ file, text }: SourceModule): (Place & { readonly text: string })[] {
  if (!/\.(?:mdx?|vue|svelte|astro|html?)$/.test(file) || !hasMark.test(text)) return [];
  return Array.from(text.matchAll(/<!--([\s\S]*?)-->/g), ({ index, 0: whole, 1: said = '' }) => ({
    start: index,
    end: index + whole.length,
    text: said,
  }));
}

/** A block of code or a script, if it is what comes next. */
function stretchBelow({ text }: SourceModule, { end }: Place): Place {
  const next = end + (/^\s*?(?=[^\S\r\n]*\S)/.exec(text.slice(end))?.[0].length ?? 0);
  return blockAt(text, next) ?? { start: end, end };
}

function stretchOf(module: SourceModule, { start, end }: Comment): Place {
  const lineStart = Math.max(module.text.lastIndexOf('\n', start - 1), module.text.lastIndexOf('\r', start - 1)) + 1;
  const before = module.text.slice(lineStart, start).trim();
  // A comment among elements stands in braces.
  const isBraced = before === '{' && /^\s*\}/.test(module.text.slice(end));
  if (before !== '' && !isBraced) return { start: lineStart, end: lineEnd(module.text, end) };
  const next = nextNode(module, isBraced ? module.text.indexOf('}', end) + 1 : end);
  const type = typeStretch(module.text, end, next?.start ?? module.text.length);
  const isAboutNothing = next !== undefined && !isBraced && leavesBlock(module, end, next.start);
  return type ?? (isAboutNothing ? undefined : next) ?? { start: end, end };
}

/** Whether the block ends between a comment and what comes next: then it is about nothing. */
const leavesBlock = ({ text, tree }: SourceModule, from: number, to: number): boolean =>
  tree.comments
    .filter(({ start, end }) => from <= start && end <= to)
    .reduceRight((between, { start, end }) => between.slice(0, start - from) + between.slice(end - from), text.slice(from, to))
    .includes('}');

/** What stands next may be a type, or a line of one, of which the tree has no node: then the node after it is not meant. */
function typeStretch(text: string, from: number, next: number): Place | undefined {
  const ahead = text.slice(from, next);
  if (/^\s*(?:export\s+)?(?:declare\s+)?(?:interface|type)\s+[\w$]/.test(ahead)) return { start: from, end: next };
  const [line] = /^\s*(["'`])[^"'`\r\n]*\1\??\s*:.*/.exec(ahead) ?? [];
  return line === undefined ? undefined : { start: from, end: from + line.length };
}

const lineEnd = (text: string, from: number): number => {
  const length = text.slice(from).search(/[\r\n]/);
  return length === -1 ? text.length : from + length;
};

/** The outermost that begins next: a statement, a property, an argument. */
function nextNode({ tree }: SourceModule, from: number): Node | undefined {
  let next: Node | undefined;
  walk(tree.program, (node) => {
    if (node.end <= from) return false;
    if (node.start >= from && (next === undefined || node.start < next.start)) next = node;
    return node.start < from;
  });
  return next;
}
