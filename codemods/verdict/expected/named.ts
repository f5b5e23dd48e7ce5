/**
 * What a stretch of code is made of, as far as names say: by itself, and by what it names of its file, whoever gave that its value. Many tests name the same, and
 * what each of them puts into it all of them name: every name is therefore followed once.
 */
import { summedUp } from '../../circles.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import { givenFirst } from '../../evaluate/names/specifiers.ts';
import { memo, memoOf } from '../../once.ts';
import { walk } from '../../syntax/link.ts';
import type { Binding } from '../../syntax/scopes.ts';
import type { Node } from '../../syntax/tree.ts';

export interface Named {
  /** Where it, and what it names of its file, imports from; each set is shared by all that name the same. */
  readonly specifiers: ReadonlySet<ReadonlySet<string>>;
  /** Whether a function around it is given some of that. */
  readonly isGiven: boolean;
  /** The stretch, and what it names of its file. */
  parts(): ReadonlySet<Node>;
}

export const namedIn = (stretch: Node, module: SourceModule): Named => namesOf(module)(stretch);

/** What a part names itself. */
interface Own {
  readonly bindings: ReadonlySet<Binding>;
  readonly specifiers: ReadonlySet<string>;
  readonly isGiven: boolean;
}

const namesOf = memoOf(({ scopes }: SourceModule): ((stretch: Node) => Named) => {
  const ownOf = memo((part: Node): Own => {
    const bindings = new Set<Binding>();
    const specifiers = new Set<string>();
    let isGiven = false;
    walk(part, (node) => {
      if (node.kind === 'call') for (const text of givenFirst(node)) specifiers.add(text);
      const binding = node.kind === 'name' ? scopes.bindingOf(node) : undefined;
      if (binding === undefined) return;
      const { owner } = binding;
      bindings.add(binding);
      if (owner.kind === 'import') specifiers.add(owner.source.value);
      else if (owner.kind === 'param') isGiven ||= owner.start < part.start || part.end < owner.end;
    });
    return { bindings, specifiers, isGiven };
  });
  const nextOf = memo((binding: Binding): ReadonlySet<Binding> => new Set(partsOf(binding).flatMap((part) => [...ownOf(part).bindings])));
  const sumOf = summedUp<Binding, Omit<Own, 'bindings'>>(nextOf, (circle, beyond) => {
    const all = [...circle.flatMap(partsOf).map(ownOf), ...beyond];
    return { specifiers: new Set(all.flatMap(({ specifiers }) => [...specifiers])), isGiven: all.some(({ isGiven }) => isGiven) };
  });
  const partsFrom = (stretch: Node): ReadonlySet<Node> => {
    // Sets that grow while they are walked.
    const parts = new Set([stretch]);
    const seen = new Set<Binding>();
    for (const part of parts)
      for (const binding of ownOf(part).bindings) {
        if (seen.has(binding)) continue;
        seen.add(binding);
        for (const each of partsOf(binding)) parts.add(each);
      }
    return parts;
  };
  return memo((stretch: Node) => {
    const all = [ownOf(stretch), ...Array.from(ownOf(stretch).bindings, sumOf)];
    return {
      specifiers: new Set(all.map(({ specifiers }) => specifiers)),
      isGiven: all.some(({ isGiven }) => isGiven),
      parts: () => partsFrom(stretch),
    };
  });
});

/** What a name stands for in its file: what declares it, and what is put into it. */
const partsOf = memoOf(({ owner, references }: Binding): readonly Node[] => [
  ...(owner.kind === 'import' || owner.kind === 'param' ? [] : [owner]),
  ...references.flatMap(({ parent }) => putInto(parent)),
]);

/** What becomes of a name where it is used: `server = made`, `server.use('/path', handler)`. */
function putInto(use: Node | undefined): readonly Node[] {
  if (use?.kind === 'assign') return [use.value];
  const call = use?.kind === 'member' && putting.test(use.property ?? '') ? use.parent : undefined;
  return call?.kind === 'call' && call.callee === use ? call.args : [];
}

const putting = /^(?:on|use|all|get|post|put|patch|delete|route|register|mount)$/;
