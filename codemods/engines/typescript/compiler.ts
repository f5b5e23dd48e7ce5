/**
 * The one place that loads ts-morph: for the TypeScript compiler it brings. Its own wrappers are left out, as nothing of them is used
 * and loading them costs as much as the compiler does.
 */
import { createRequire } from 'node:module';
import type { ts } from 'ts-morph';

export type { ts };

const require = createRequire(import.meta.url);

function load(): typeof ts {
  // The packages have no types for what they are required by.
  try {
    return createRequire(require.resolve('ts-morph'))('@ts-morph/common/dist/typescript.js') as typeof ts;
  } catch {
    // Where the compiler lies is not promised; under this name it is.
    return (require('ts-morph') as { readonly ts: typeof ts }).ts;
  }
}

export const compiler = load();
