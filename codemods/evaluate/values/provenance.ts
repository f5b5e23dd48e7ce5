/** The way that a value came, so that an edit can be proven and nothing else uses what is edited. */
import type { Node } from '../../syntax/tree.ts';
import type { SourceModule } from '../module.ts';

/** A rope of the references, members, calls and imports that a value came through, the newest first; or either of two, by which the same came. */
export type Provenance =
  | undefined
  | { readonly node: Node; readonly module: SourceModule; readonly rest: Provenance }
  | { readonly first: Provenance; readonly rest: Provenance; readonly isEither?: true };

export const joinProvenance = (first: Provenance, rest: Provenance): Provenance =>
  first === undefined ? rest : rest === undefined ? first : { first, rest };

export const uniteProvenance = (a: Provenance, b: Provenance): Provenance =>
  a === b || a === undefined || b === undefined ? joinProvenance(a, b) : { first: a, rest: b, isEither: true };

/** Whether both say the same, as far as one way and nothing beside it does. */
export const isSameWay = (a: Provenance, b: Provenance): boolean =>
  a === b || (a !== undefined && b !== undefined && 'node' in a && 'node' in b && a.node === b.node && isSameWay(a.rest, b.rest));

/** The nodes of a provenance, the newest first. */
export const nodesOf = (provenance: Provenance): { readonly node: Node; readonly module: SourceModule }[] =>
  piecesOf(provenance).filter((piece) => 'node' in piece);

/** Whether a value came in one way alone. */
export const isOneWay = (provenance: Provenance): boolean =>
  piecesOf(provenance).every((piece) => 'node' in piece || piece.isEither === undefined);

/** A provenance may share what it is made of many times over: each rope is walked once. */
function piecesOf(provenance: Provenance): Exclude<Provenance, undefined>[] {
  const found = new Set<Exclude<Provenance, undefined>>();
  const rest: Provenance[] = [provenance];
  while (rest.length > 0) {
    let at = rest.pop();
    for (; at !== undefined && !found.has(at); at = 'node' in at ? at.rest : at.first) {
      found.add(at);
      if (!('node' in at)) rest.push(at.rest);
    }
  }
  return [...found];
}
