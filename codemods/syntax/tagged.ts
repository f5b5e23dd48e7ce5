/**
 * Tagged templates: a tag that the project declares is called with the texts of the template, and with what stands between them, so that is what
 * stands in the tree. Other tags belong to libraries, which say what theirs make.
 */
import { memoOf } from '../once.ts';
import type { ArrayNode, CallNode, Expression, Node, TaggedNode, TemplateNode, TemplateText } from './tree.ts';

/** @param source what the file is read by, with its text */
export function taggedOf(node: TaggedNode, source: { readonly text: string }): TaggedNode | CallNode {
  const { tag, template, start, end } = node;
  if (!ownNames(source).has(rootOf(tag) ?? '')) return node;
  const texts =
    template.kind === 'template' ? template.texts : [{ start: template.start + 1, end: template.end - 1, value: template.value }];
  const strings: ArrayNode = {
    kind: 'array',
    elements: texts.map(alone),
    start: template.start,
    end: template.end,
    parent: undefined,
  };
  const expressions = template.kind === 'template' ? template.expressions : [];
  return { kind: 'call', callee: tag, args: [strings, ...expressions], isNew: false, start, end, parent: undefined };
}

const alone = (text: TemplateText): TemplateNode => ({
  kind: 'template',
  texts: [text],
  expressions: [],
  start: text.start,
  end: text.end,
  parent: undefined,
});

/** Whether a node is one of the texts that a tag is given, as it stands there: a template of nothing but a text is a string elsewhere. */
export function isRawText(node: Node | undefined, source: string): boolean {
  if (node?.kind !== 'template' || node.expressions.length > 0) return false;
  return node.texts.every(({ start, end, value }) => source.slice(start, end) === value);
}

/** What a tag is taken of, by its name: `client` of `client.get`. */
function rootOf(tag: Expression): string | undefined {
  let at = tag;
  while (at.kind === 'member') at = at.object;
  return at.kind === 'this' ? thisName : at.kind === 'name' ? at.name : undefined;
}

/** Functions and objects that a file declares, and what it imports of files. */
const ownNames = memoOf(({ text }: { readonly text: string }): ReadonlySet<string> => {
  const made = Array.from(text.matchAll(declared), ([, one, other]) => one ?? other ?? '');
  const taken = Array.from(text.matchAll(imported), ([, names = '']) => names.match(/[\w$]+/g) ?? [])
    .flat()
    .filter((name) => name !== shell);
  const own = new Set([thisName, ...made, ...taken]);
  // In the order in which they are made of each other.
  for (const [, name = '', of = ''] of text.matchAll(derived)) if (own.has(of)) own.add(name);
  return own;
});

const thisName = 'this';
/** Runs commands, whoever hands it on: `import { $ } from './deps.ts'`. */
const shell = '$';

/** `function get(strings, ...values)`, `const get = (strings) =>`, `const api = { get }` */
const declared =
  /\bfunction\s+([\w$]+)|\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;]*)?=\s*(?:async\s*)?(?:function\b|new\b|[({<]|[\w$]+\s*=>)/g;
/** `const get = client('https://…')`, `const { get } = …` aside */
const derived = /\b(?:const|let|var)\s+([\w$]+)\s*(?::[^=;]*)?=\s*(?:(?:await|new)\s+)?([\w$]+)/g;
/** Of a package, whose name begins as no path or alias does, rules know what its tags make. */
const imported = /\bimport\s+([^'";]*?)\s*\bfrom\s*['"](?:[./~#$]|@\/)/g;
