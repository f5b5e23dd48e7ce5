import type { Mark } from '../../../src/usage/model.ts';
import type { UsageReader } from '../../../src/usage/store/store.ts';

/** The reader of a store in which this was noted of customers. */
export const marked = (reader: UsageReader, marks: readonly Mark[]): UsageReader =>
  new Proxy(reader, {
    get: (target, name) => {
      if (name === 'marks') return async () => marks;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
