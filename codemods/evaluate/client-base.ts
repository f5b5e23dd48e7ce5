/** The base of a client, where the program reads it back: `api.defaults.baseURL`, `api.getBaseURL()`. */
import type { Evaluation } from './evaluation.ts';
import type { World } from './program.ts';
import type { HttpValue, Value } from './values.ts';
import { writtenPlaces } from './written-places.ts';

/** @returns what the client was made with; undefined where the project may give some client another base later */
export const baseReadBack = (ev: Evaluation, { stage, mock, base }: HttpValue): Value | undefined =>
  stage === 'client' && mock === undefined && !setsBases(ev.world) ? base : undefined;

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
