/** Work that waits for the disk. */

/** How much of it waits at once. */
const width = 16;

/** Does the same for all items, some at a time and in their order. */
export async function inParallel<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  // All workers take from one queue.
  const queue = [...items].values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
