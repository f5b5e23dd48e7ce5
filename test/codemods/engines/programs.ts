import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '../../..');

/** Programs of every kind, in several dialects: with the rows of `readings`, they have all kinds of nodes that our other sources have. */
export const programs = ['proxy', 'examples', 'test/codemods/fixtures', 'test/codemods/apps', 'test/codemods/decoys'].flatMap((folder) =>
  readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
    // What a fixture becomes differs from what it was in a few characters.
    .filter((name) => /\.([mc]?[jt]s|[jt]sx)$/.test(name) && !/node_modules|[\\/]output[\\/]/.test(name))
    .map((name) => join(repository, folder, name)),
);
