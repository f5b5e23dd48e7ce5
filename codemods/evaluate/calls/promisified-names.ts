/** Methods that bluebird's `promisifyAll` puts beside those that call back: `client.askAsync` does what `client.ask` does. */
import { memoOf } from '../../once.ts';
import type { World } from '../program.ts';
import { optionsOf, type Value } from '../values/values.ts';

const isUsed = memoOf(({ modules }: World) => [...modules.values()].some(({ text }) => text.includes('promisifyAll')));

/**
 * The name of the method that one was made of.
 * @param found what the object has under that name itself
 */
export function calledBackName(world: World, object: Value, name: string, found: Value): string | undefined {
  const isOpen = object.type === 'external' || object.type === 'http' || optionsOf(found).every(isMissing);
  return isOpen && /.Async$/.test(name) && isUsed(world) ? name.slice(0, -'Async'.length) : undefined;
}

const isMissing = (value: Value): boolean => value.type === 'unknown' || (value.type === 'literal' && value.value === undefined);
