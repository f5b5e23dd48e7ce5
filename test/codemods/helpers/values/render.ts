/**
 * A value as a short text that is read in a table. It says what the value may be, and nothing of how the evaluator keeps it:
 * alternatives and properties are sorted, each stands once, and what is missing is left out where something else may be there.
 *
 *     "/v1/" + ? + "/x"           a text with something unknown in it; `env X` and alternatives stand there as they are
 *     "a" | "b" | ?               one of them, or something unknown
 *     { a: "1", ... }             an object that may have more properties
 *     ["a", ...]                  a list that may have more items
 *     fn f, class C, new C        a function, a class, an instance
 *     axios request GET "/x" with { "x-api-key": "k" }
 */
import { givenIn } from '../../../../codemods/evaluate/libraries/given.ts';
import { headersOf } from '../../../../codemods/evaluate/writes/writes.ts';
import { joinUrl } from '../../../../codemods/evaluate/values/text.ts';
import { type HttpValue, optionsOf, type Part, partsOf, plainText, type Value } from '../../../../codemods/evaluate/values/values.ts';
import type { FunctionNode, ClassNode } from '../../../../codemods/syntax/tree.ts';
import type { Answers, Asked } from './program.ts';

/** Objects in objects beyond this are not looked into: they may hold themselves. */
const maxDepth = 5;

export type Place = Pick<Answers, 'ev'> & Pick<Asked, 'call' | 'module'>;

export function render(value: Value, place: Place, depth = 0): string {
  const texts = optionsOf(value).map((option) => renderOne(option, place, depth));
  const distinct = [...new Set(texts)];
  const there = distinct.filter((text) => !missing.has(text));
  return (there.length === 0 ? distinct : there).toSorted().join(' | ');
}

const missing = new Set(['undefined', 'null', 'false']);

function renderOne(value: Value, place: Place, depth: number): string {
  switch (value.type) {
    case 'text':
      return renderText(partsOf(value), place, depth);
    case 'literal':
      return typeof value.value === 'string' ? JSON.stringify(value.value) : String(value.value);
    case 'object':
      return depth > maxDepth ? '{ … }' : renderObject(value, place, depth);
    case 'list':
      return `[${[...value.items.map((item) => render(item, place, depth + 1)), ...(value.isOpen ? ['...'] : [])].join(', ')}]`;
    case 'function':
      return `fn ${nameOf(value.node)}`.trim();
    case 'class':
      return `class ${nameOf(value.node)}`.trim();
    case 'instance':
      return `new ${nameOf(value.of.node)}`.trim();
    case 'env':
      return `env ${value.name}`;
    case 'external':
      // What neither the program nor the platform has comes from elsewhere.
      if (value.source === '' && !Object.hasOwn(globalThis, value.path[0] ?? '')) return '?';
      return [value.source === '' ? 'global' : value.source, ...value.path].join('.');
    case 'namespace':
      return `exports of ${value.module.file}`;
    case 'method':
      if (value.receiver.type === 'unknown') {
        const by = givenIn(value);
        return by === undefined ? '?' : `given ${by.name}`;
      }
      return [renderOne(value.receiver, place, depth), ...value.path].join('.');
    case 'http':
      return renderHttp(value, place, depth);
    case 'unknown':
      return value.givenAs === undefined ? '?' : `given ${value.givenAs}`;
    case 'param':
      return '?';
    default:
      return render(value, place, depth);
  }
}

function renderText(parts: readonly Part[], place: Place, depth: number): string {
  const pieces: string[] = [];
  let known = '';
  for (const part of parts) {
    if ('text' in part) known += part.text;
    else {
      if (known !== '') pieces.push(JSON.stringify(known));
      known = '';
      pieces.push(renderHole(part.unknownPart, place, depth));
    }
  }
  if (known !== '' || pieces.length === 0) pieces.push(JSON.stringify(known));
  return pieces.join(' + ');
}

function renderHole(unknownPart: Value, place: Place, depth: number): string {
  const text = render(unknownPart, place, depth + 1);
  return unknownPart.type === 'choice' ? `(${text})` : ['external', 'method', 'object', 'list'].includes(unknownPart.type) ? '?' : text;
}

function renderObject(value: Extract<Value, { type: 'object' }>, { ev, call, module }: Place, depth: number): string {
  const names = [...new Set(value.entries.map(({ name }) => name))].filter((name) => name !== undefined);
  const isOpen = value.unknown.length > 0 || value.entries.some(({ name }) => name === undefined);
  const properties = names.toSorted().flatMap((name) => {
    const text = render(ev.member(value, name, call, { module, frame: undefined }), { ev, call, module }, depth + 1);
    return missing.has(text) && text === 'undefined' ? [] : [`${/^\w+$/.test(name) ? name : JSON.stringify(name)}: ${text}`];
  });
  const all = [...properties, ...(isOpen ? ['...'] : [])];
  return all.length === 0 ? '{}' : `{ ${all.join(', ')} }`;
}

function renderHttp(http: HttpValue, place: Place, depth: number): string {
  const url = joinUrl(http.base, http.url, http.join ?? 'append');
  const method = typeof http.method === 'object' ? (plainText(http.method) ?? '?') : http.method;
  const headers = http.headers.map((each) => renderOne(headersOf(each) ?? each, place, depth + 1)).filter((text) => text !== '{}');
  return [
    `${http.client} ${http.stage}`,
    ...(method === undefined ? [] : [method.toUpperCase()]),
    ...(url === undefined ? [] : [render(url, place, depth)]),
    ...(headers.length === 0 ? [] : [`with ${headers.join(' and ')}`]),
  ].join(' ');
}

/** Its own name, or that of what it is put into. */
function nameOf(node: FunctionNode | ClassNode): string {
  if (node.name !== undefined) return node.name.name;
  const { parent } = node;
  if (parent?.kind === 'variable' && parent.target.kind === 'patternName') return parent.target.name;
  return parent?.kind === 'property' || parent?.kind === 'classMember' ? (parent.name ?? '') : '';
}
