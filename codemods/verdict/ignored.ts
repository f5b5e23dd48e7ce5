/** `// migrate-v2-ignore: reason` leaves alone what follows, at a line's end its line; `migrate-v2-ignore-file: reason` the file. */
import { blockAt } from './ignore-comments.ts';
import type { SourceModule } from '../evaluate/module.ts';
import type { Finding } from '../model.ts';
import type { Comment, Node } from '../syntax/tree.ts';
import { walk } from '../syntax/link.ts';

interface Place {
  readonly start: number;
  readonly end: number;
}

export interface Ignored extends Place {
  /** What the comment gives; may be empty. */
  readonly reason: string;
  /** Where the comment stands, where it speaks for the file. */
  readonly file: Place | undefined;
}

const mark = /migrate-v2-ignore(?<whole>-file)?\b:?\s*(?<reason>[^*\r\n]*)/;
/** How far down a comment still speaks for the file. */
const headLines = 10;

/** They are asked for with every call and every change. */
const known = new WeakMap<SourceModule, readonly Ignored[]>();

/** The comment that exempts what stands in a stretch of a file. */
export function ignoredAt(module: SourceModule, start: number, end: number): Ignored | undefined {
  const stretches = known.get(module) ?? ignoredIn(module);
  known.set(module, stretches);
  return stretches.find((each) => each.start < end && start < each.end);
}

/** What holds back edits is told, whatever a comment says of its place. */
const isHeld = ({ code, group }: Finding): boolean => group !== undefined || code === 'ignored';

/**
 * What comments speak of is told as left alone, once for each comment.
 * @returns the findings, of which those that a comment settles are so
 */
export function exempted(modules: ReadonlyMap<string, SourceModule>, findings: readonly Finding[]): Finding[] {
  const commentOf = ({ file, start, end }: Finding): Ignored | undefined => {
    const module = modules.get(file);
    return module && ignoredAt(module, start, end);
  };
  const told = new Set(findings.filter(({ code }) => code === 'ignored').flatMap((finding) => commentOf(finding) ?? []));
  return findings.flatMap((finding) => {
    const comment = isHeld(finding) ? undefined : commentOf(finding);
    if (comment === undefined) return [finding];
    const isTold = told.has(comment);
    told.add(comment);
    return isTold ? [] : [ignoredFinding(comment, finding)];
  });
}

const ignoredFinding = ({ reason }: Ignored, finding: Finding): Finding => ({
  ...finding,
  code: 'ignored',
  detail: reason === '' ? {} : { reason },
});

/** The stretches of a file that its comments exempt, those around its script included. */
function ignoredIn(module: SourceModule): Ignored[] {
  const inScript = module.tree.comments.map((comment) => ({ comment, stretchOf: () => stretchOf(module, comment) }));
  const around = markupIn(module).map((comment) => ({ comment, stretchOf: () => stretchBelow(module, comment) }));
  return [...inScript, ...around].flatMap(({ comment, stretchOf }): Ignored[] => {
    const groups = mark.exec(comment.text)?.groups;
    if (groups === undefined) return [];
    const reason = (groups['reason'] ?? '').trim();
    if (groups['whole'] === undefined) return [{ ...stretchOf(), reason, file: undefined }];
    const isHead = module.position(comment.start).line <= headLines;
    return isHead ? [{ start: 0, end: module.text.length, reason, file: { start: comment.start, end: comment.end } }] : [];
  });
}

/** Comments of documents and components, in which the script is only a part. */
function markupIn({ file, text }: SourceModule): (Place & { readonly text: string })[] {
  if (!/\.(?:mdx?|vue|svelte|astro|html?)$/.test(file) || !text.includes('migrate-v2-ignore')) return [];
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
  if (module.text.slice(lineStart, start).trim() !== '') return { start: lineStart, end: lineEnd(module.text, end) };
  const next = nextNode(module, end);
  return typeStretch(module.text, end, next?.start ?? module.text.length) ?? next ?? { start: end, end };
}

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
