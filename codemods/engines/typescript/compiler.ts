/** The one place that loads ts-morph, for the TypeScript compiler that it brings; it is imported only where something is to be parsed. */
import { createRequire } from 'node:module';
import type { ts } from 'ts-morph';

const require = createRequire(import.meta.url);

/** Without what ts-morph puts around it: that takes a third of the time to load, and nothing here asks for it. */
function load(): typeof ts {
  try {
    return createRequire(require.resolve('ts-morph'))('@ts-morph/common/dist/typescript.js');
  } catch {
    // Another version of it may keep the compiler elsewhere.
    return require('ts-morph').ts;
  }
}

export const compiler = load();
export type { ts };
