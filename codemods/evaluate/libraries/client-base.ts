/** The base of a client, where the program reads it back: `api.defaults.baseURL`, `api.getBaseURL()`. */
import type { Evaluation } from '../evaluation.ts';
import type { World } from '../program.ts';
import { Shape } from '../values/shape.ts';
import type { Entry, HttpValue, Value } from '../values/values.ts';
import { writtenPlaces } from '../writes/written-places.ts';
import { ruleNamed } from './rules.ts';

/** @returns what the client was made with; undefined where the project may give some client another base later */
export const baseReadBack = (ev: Evaluation, { stage, mock, base }: HttpValue): Value | undefined =>
  stage === 'client' && mock === undefined && !setsBases(ev.world) ? base : undefined;

/** What `{ ...api.defaults }` has of what the client was made with: its base and its headers, and whatever else there is. */
export function defaultsSpread(ev: Evaluation, value: Value): Value {
  const on = value.type === 'method' ? value.receiver : undefined;
  if (value.type !== 'method' || on?.type !== 'http' || on.stage !== 'client' || on.mock !== undefined) return value;
  const { defaults, bases = [] } = ruleNamed(ev.rules, on.client) ?? {};
  if (defaults === undefined || defaults.length === 0 || defaults.join('.') !== value.path.join('.')) return value;
  const entry = (name: string, given: Value): Entry => ({
    name,
    key: undefined,
    node: on.node,
    module: on.module,
    valueNode: undefined,
    value: () => given,
  });
  const shape = new Shape(on.node);
  for (const each of on.headers) shape.spread(each);
  const { entries, unknown } = shape.end();
  const base = baseReadBack(ev, on);
  return {
    type: 'object',
    node: on.node,
    module: on.module,
    entries: [
      entry('headers', { type: 'object', node: on.node, module: on.module, entries, unknown }),
      ...(base === undefined ? [] : ['baseURL', ...bases].map((name) => entry(name, base))),
    ],
    unknown: [value],
  };
}

const known = new WeakMap<World, boolean>();

function setsBases(world: World): boolean {
  const before = known.get(world);
  if (before !== undefined) return before;
  const found = [...world.modules.values()].some(
    (module) =>
      module.calls.some(({ callee }) => callee.kind === 'member' && callee.property === 'setBaseURL') ||
      writtenPlaces(module).some(
        ({ object, property, value }) =>
          property === 'baseURL' ||
          (object.kind === 'member' && object.property === 'defaults' && typeof property !== 'string') ||
          (object.kind !== 'object' && property === 'defaults') ||
          (value?.kind === 'object' && value.properties.some((each) => each.kind === 'property' && each.name === 'baseURL')),
      ),
  );
  known.set(world, found);
  return found;
}
