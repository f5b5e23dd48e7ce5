/**
 * Clients that may be what somebody asks by a path of v1 where nobody knows what is asked: they stay, and that place is told. So is what a document shows,
 * `this.$api.post('/v1/messages/send')`, but nobody runs that: it holds no program.
 */
import type { ComponentPlan } from '../../component/analyse.ts';
import type { Left } from '../../uses-between-components.ts';
import type { LooseCall } from '../../escape/calls/loose-calls.ts';
import type { Finding } from '../../model.ts';

const isDocument = /\.md$/;

/**
 * @param isOpen whether no comment lets a place stay as it is
 * @param packageOf the package that a file is of: a client comes from another by an import, which is followed
 */
export function leftWithLooseCalls(
  components: readonly Pick<ComponentPlan, 'edits' | 'looseCalls' | 'pathMethods'>[],
  isOpen: (place: LooseCall) => boolean,
  packageOf: (place: Pick<LooseCall, 'file'>) => string,
): { readonly left: Left[]; readonly findings: Finding[] } {
  const loose = Map.groupBy(
    components.flatMap(({ looseCalls }) => looseCalls),
    (call) => `${packageOf(call)} ${call.method}`,
  );
  const told = new Set<LooseCall>();
  const left = components.flatMap(({ edits, pathMethods }) => {
    const namesOf = Map.groupBy(loose.size === 0 ? [] : pathMethods, ({ group }) => group);
    return edits.flatMap(({ file, start, end, group }): Left[] => {
      const names = new Set(namesOf.get(group)?.map(({ name }) => name));
      const calls = [...names].flatMap((name) => loose.get(`${packageOf({ file })} ${name}`) ?? []).filter(isOpen);
      for (const call of calls) told.add(call);
      const first = calls.find((call) => !isDocument.test(call.file));
      return first === undefined ? [] : [{ file, start, end, name: first.route, by: `${first.file}:${first.line}`, why: 'caller' }];
    });
  });
  const findings = [...told].map(({ method: _method, route, ...place }): Finding => {
    return { ...place, code: 'base-not-proven', detail: { route } };
  });
  return { left, findings };
}
