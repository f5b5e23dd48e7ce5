/** What is done to a client apart from where it is made: its base is set, headers are added. */
import type { ClientRule, Mutation } from '../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../evaluate/evaluation.ts';
import type { Frame } from '../evaluate/calls/frame.ts';
import { choiceOf, type HttpValue, type Value } from '../evaluate/values/values.ts';
import type { SourceModule } from '../evaluate/module.ts';
import { isLeftOut } from './left-out.ts';
import type { CallGraph } from './call-graph.ts';
import { ruleNamed, rulesWith } from '../evaluate/libraries/rules.ts';

/** What adds to one client: more than this is not followed. */
const maxMutations = 200;

/**
 * Base and headers with what is done to the client apart from where it is made.
 * @param frame the way to the request: what is done beside it is done on that way, too
 */
export function withMutations(
  ev: Evaluation,
  { mutations }: CallGraph,
  http: HttpValue,
  frame: Frame | undefined,
): Pick<HttpValue, 'base' | 'headers'> & { readonly moved: Value | undefined; readonly prefixes: readonly Value[] } {
  const rule = ruleNamed(ev.rules, http.client);
  const isOfClient = http.stage === 'client' || http.origins.some((origin) => typeof origin !== 'string' && origin !== http.node);
  const done = http.origins.flatMap((origin) =>
    bounded(ev, addingTo(rule, mutations.get(origin) ?? [])).flatMap((mutation) => {
      // What is done to another that the same factory made.
      const by = http.madeBy?.get(origin);
      if (by !== undefined && mutation.of !== undefined && mutation.of !== by) return [];
      if (isLeftOut(ev, mutation.node, mutation.module, http, mutation.frame ?? frame)) return [];
      if (typeof origin === 'string' && !runTogether(ev, mutation.module, http.module)) return [];
      const isOfLibrary = typeof origin === 'string' && rule?.ownOfClients?.includes(mutation.path[0] ?? '') === true;
      if (isOfClient && isOfLibrary) return [];
      const more = rule?.additions?.({ ...mutation, frame: mutation.frame ?? frame }, http, ev);
      return more === undefined ? [] : [{ ...more, isOwn: typeof origin !== 'string' }];
    }),
  );
  for (const other of rulesWith(ev.rules, 'reaches')) {
    if (other === rule || other.reaches?.(http, ev) !== true) continue;
    const all = addingTo(other, mutations.get(other.name) ?? []);
    done.push(
      ...bounded(ev, all)
        .flatMap((mutation) => [other.additions?.(mutation, http, ev) ?? []].flat())
        .map((more) => ({ ...more, isOwn: false })),
    );
  }
  const added = done.filter(({ base }) => base !== undefined);
  // What is set on the client itself replaces what it was made with; defaults of the library do not.
  const later = added.flatMap(({ base, isOwn }) => (isOwn && base !== undefined && http.base !== undefined ? [base] : []));
  return {
    base:
      later.length > 0
        ? choiceOf([...(http.base === undefined ? [] : [http.base]), ...later])
        : (http.base ?? (added.length === 0 ? undefined : choiceOf(added.flatMap((each) => each.base ?? [])))),
    moved: done.find(({ moved }) => moved !== undefined)?.moved ?? http.notes?.['moved'],
    headers: [...done.flatMap((each) => each.headers ?? []), ...http.headers],
    prefixes: done.flatMap((each) => each.prefixes ?? []),
  };
}

/** Whether what one file does to a library another one finds: a program by itself shares its process with none, and no document what another has loaded. */
const runTogether = ({ world }: Evaluation, one: SourceModule, other: SourceModule): boolean =>
  one === other || (![one, other].some((each) => world.runsAlone?.(each) === true) && ![one, other].every(isWholeDocument));

/** `<!doctype html>`: a part of one, which a server puts into others, has none. */
const isWholeDocument = ({ file, text }: SourceModule): boolean => /\.html?$/i.test(file) && /<(?:!doctype\s+html|html)\b/i.test(text);

/** What is too much to be looked at for each request: with all of it the requests of one client take the square. */
function bounded(ev: Evaluation, mutations: readonly Mutation[]): readonly Mutation[] {
  if (mutations.length <= maxMutations) return mutations;
  ev.budget.cut();
  return mutations.slice(0, maxMutations);
}

const adding = new WeakMap<readonly Mutation[], { readonly of: number; readonly by: Map<ClientRule, readonly Mutation[]> }>();

/** The mutations of one origin that a rule makes something of: every request asks for them, and a package is called in all files. */
function addingTo(rule: ClientRule | undefined, all: readonly Mutation[]): readonly Mutation[] {
  // A library of mocks and the like adds nothing later, however often it is called: `jest.fn()`.
  if (rule?.additions === undefined) return [];
  const { addsBy } = rule;
  if (addsBy === undefined) return all;
  const before = adding.get(all);
  const known = before?.of === all.length ? before : { of: all.length, by: new Map<ClientRule, readonly Mutation[]>() };
  adding.set(all, known);
  const found = known.by.get(rule) ?? all.filter(({ path }) => path.some((name) => name !== undefined && addsBy.includes(name)));
  known.by.set(rule, found);
  return found;
}
