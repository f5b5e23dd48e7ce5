/**
 * Bases of ours, and versions, that an object or a class has from elsewhere beside what is named in it for a person: `host = ENV.APP.API_HOST` beside
 * `get headers() { return { 'x-api-key': key }; }`. Whoever changes one has to change the other, and would not find it.
 */
import type { Evaluation } from '../../evaluate/evaluation.ts';
import { isScript } from '../../evaluate/module.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import { optionsOf } from '../../evaluate/values/values.ts';
import type { Expression, Node } from '../../syntax/tree.ts';
import { type Bases, matchUrl } from '../../verdict/bases/routes.ts';
import type { Suspicious } from './suspicious.ts';

/**
 * @param named what is told, and by what nobody is seen to ask
 * @param placed files and offsets of which the ledger has something already
 */
export function heldBeside(ev: Evaluation, named: readonly Suspicious[], bases: Bases, placed: ReadonlySet<string>): Suspicious[] {
  const found = new Map<Node, Suspicious>();
  const looked = new Set<Node>();
  for (const { node, module } of named)
    for (const holder of isTest(module) ? [] : holdersAround(node)) {
      if (looked.has(holder)) continue;
      looked.add(holder);
      const held = valuesIn(holder).flatMap((value) =>
        optionsOf(ev.budget.question({ node: value, module }, () => ev.evaluate(value, { module, frame: undefined })).value),
      );
      const texts = held.flatMap((value) => (value.type === 'text' && value.parts.length === 1 ? value.parts : []));
      const sources = texts.flatMap((part) => ('text' in part && part.source !== undefined ? [{ ...part.source, text: part.text }] : []));
      // A version alone is one of ours beside our base.
      if (!sources.some(({ text }) => isBase(text, bases))) continue;
      for (const { node: at, module: of, text } of sources)
        if (isScript(of) && !placed.has(`${of.file} ${at.start}`) && (isBase(text, bases) || /^\/?v1\/?$/.test(text)))
          found.set(at, { node: at, module: of, start: at.start, end: at.end });
    }
  return [...found.values()];
}

const isBase = (text: string, bases: Bases): boolean => {
  const match = matchUrl(text, bases);
  return match.kind === 'ours' && /^\/?(?:v1\/?)?$/.test(text.slice(match.baseEnd));
};

/** Objects and classes that a place stands in, one in the other. */
function holdersAround(node: Node): Node[] {
  const found: Node[] = [];
  for (let at = node.parent; at !== undefined; at = at.parent) if (at.kind === 'object' || at.kind === 'class') found.push(at);
  return found;
}

/** What stands elsewhere: a text that is written here is seen beside the place itself. */
function valuesIn(holder: Node): Expression[] {
  const values =
    holder.kind === 'object'
      ? holder.properties.map((each) => (each.kind === 'property' ? each.value : undefined))
      : holder.kind === 'class'
        ? holder.members.map((each) => (each.role === 'field' ? each.value : undefined))
        : [];
  return values.filter((value) => value?.kind === 'name' || value?.kind === 'member');
}
