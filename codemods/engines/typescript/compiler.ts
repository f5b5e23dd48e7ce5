/** The one place that loads ts-morph, for the TypeScript compiler that it brings; it is imported only where something is to be parsed. */
import { ts as compiler, type ts } from 'ts-morph';

export { compiler };
export type { ts };
