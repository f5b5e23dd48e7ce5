/** In every worker: see imports.cjs. */
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./imports.cjs');
