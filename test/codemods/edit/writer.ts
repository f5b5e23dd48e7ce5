/** Writes every file of a folder anew, as fast as it can, and prints the name of each: to be killed in the middle. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText, writeText } from '../../../codemods/edit/write.ts';
import { isTemporary } from '../../../codemods/find/temporary.ts';

const [folder = '', appended = ''] = process.argv.slice(2);
const names = readdirSync(folder).filter((name) => !isTemporary(name));
await Promise.all(
  [0, 1, 2, 3].map(async (worker) => {
    for (const name of names.filter((_, index) => index % 4 === worker)) {
      const path = join(folder, name);
      const before = readText(path);
      await writeText({ path, before, after: before + appended });
      console.log(name);
    }
  }),
);
