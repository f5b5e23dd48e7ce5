/** In every worker: see priority.cjs. */
import { createRequire } from 'node:module';

createRequire(import.meta.url)('./priority.cjs');
