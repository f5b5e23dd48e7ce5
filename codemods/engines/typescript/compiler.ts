/** The one place that loads ts-morph: for the TypeScript compiler it brings, of the version its own wrappers are tested with. */
export { ts } from 'ts-morph';
