/** The writes of replicas that tell each other of them through their store. */
import type { Notes } from '../../src/usage/store/notes.ts';
import { type Write, type Writes } from './writes.ts';
import { type Resource, everything } from './touched.ts';

/**
 * What is guaranteed: a write is told when it begins and when it is over, each a note that takes a few milliseconds to all others. As long as `hears`
 * is true, what was told came through, but for the last 2.5 seconds where somebody's connection has just broken: then that is known, and what was kept is dropped.
 * @param otherwise whether nobody else is there, where notes do not come through
 */
export function toldWrites(notes: Notes, otherwise: Writes): Writes {
  return {
    get hears() {
      return notes.hears || otherwise.hears;
    },
    began: (write) => notes.tell(JSON.stringify({ began: write })),
    over: (write) => notes.tell(JSON.stringify({ over: write })),
    heard: (listener) =>
      notes.listen({
        note: (text) => {
          const { began, over } = read(text);
          if (began !== undefined) listener.began(began);
          else if (over !== undefined) listener.over(over);
          // Of another version: it may be anything.
          else listener.missed();
        },
        missed: () => listener.missed(),
      }),
  };
}

function read(text: string): { readonly began?: Write | undefined; readonly over?: Write | undefined } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null) return {};
    const { began, over }: Record<string, unknown> = { ...value };
    return { began: writeOf(began), over: writeOf(over) };
  } catch {
    return {};
  }
}

function writeOf(value: unknown): Write | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { id, group, touched }: Record<string, unknown> = { ...value };
  if (typeof id !== 'string' || typeof group !== 'string' || typeof touched !== 'object' || touched === null) return undefined;
  const { resources, item }: Record<string, unknown> = { ...touched };
  if (!Array.isArray(resources) || !resources.every(isResource)) return undefined;
  if (item !== undefined && typeof item !== 'string') return undefined;
  return { id, group, touched: { resources, item } };
}

const isResource = (value: unknown): value is Resource => everything.some((resource) => resource === value);
