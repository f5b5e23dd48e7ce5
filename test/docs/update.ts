/** `npm run docs`: writes the generated parts of the documents anew, and the index of the fixtures. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixtureIndex, indexFile } from '../codemods/helpers/fixture-index.ts';
import { projectRoot } from '../helpers/build.ts';
import { regenerate } from './blocks.ts';
import { documents } from './document.ts';

for (const name of documents) {
  const file = join(projectRoot, name);
  writeFileSync(file, regenerate(readFileSync(file, 'utf8')));
}
writeFileSync(indexFile, fixtureIndex());
