// Runs on old Nodes too: see bin.ts. They do not know the prefix `node:`.
import { existsSync, readFileSync } from 'fs';
import { dirname, join } from 'path';
import { fileURLToPath } from 'url';

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The sources and the build lie at different depths below package.json. */
function find(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) ? file : find(dirname(folder));
}

/** What this package says about itself. */
export const packageJson: PackageJson = JSON.parse(readFileSync(find(dirname(fileURLToPath(import.meta.url))), 'utf8'));
