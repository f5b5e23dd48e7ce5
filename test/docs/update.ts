/** `npm run docs`: writes the generated parts of the documents anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../helpers/build.ts';
import { documents, regenerate } from './blocks.ts';

for (const name of documents) {
  const file = join(projectRoot, name);
  writeFileSync(file, regenerate(readFileSync(file, 'utf8')));
}
