/** Rows come in pages. Handing them on one by one costs more than all else, wherever it is done: so it is done once, at the end. */

export async function* mapPages<T, U>(pages: AsyncIterable<readonly T[]>, map: (item: T) => U): AsyncGenerator<readonly U[]> {
  for await (const page of pages) yield page.map(map);
}

/** @param errorOf says what was wrong with a page */
export async function* pagesOf<T>(pages: AsyncIterable<readonly T[]>, errorOf: (error: unknown) => Error): AsyncGenerator<readonly T[]> {
  try {
    yield* pages;
  } catch (error) {
    throw errorOf(error);
  }
}

/**
 * The items of pages, one by one.
 * @param errorOf says what was wrong with a page
 */
export function itemsOf<T extends object>(pages: AsyncIterable<readonly T[]>, errorOf: (error: unknown) => Error): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]: () => {
      const source = pages[Symbol.asyncIterator]();
      let page: Iterator<T> | undefined;
      const next = async (): Promise<IteratorResult<T>> => {
        for (;;) {
          const item = page?.next();
          if (item?.done === false) return item;
          const more = await source.next().catch((error: unknown) => {
            throw errorOf(error);
          });
          if (more.done === true) return { done: true, value: undefined };
          page = more.value.values();
        }
      };
      const end = async (): Promise<IteratorResult<T>> => {
        await source.return?.();
        return { done: true, value: undefined };
      };
      return { next, return: end };
    },
  };
}
