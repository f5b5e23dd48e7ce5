/** The index of the fixtures: test/codemods/fixtures/README.md, which `npm run docs` writes. */
import { join } from 'node:path';
import { table } from '../../docs/tables.ts';
import { type Fixture, fixturesRoot, loadFixtures } from './fixtures.ts';

export const indexFile = join(fixturesRoot, 'README.md');

/** The folders of the fixtures, and what each is about. */
const folders: Readonly<Record<string, string>> = {
  clients: 'Libraries that send requests: each begins with the name of its own',
  language: 'JavaScript and TypeScript in every form, in documents too, and their bytes: ends of lines, marks, dialects',
  urls: 'How the address of a request comes together, and its method',
  headers: 'How the header comes together, and the key in it',
  mocks: 'Mocks of requests, and expectations of them',
  formats: 'Files that are no scripts',
  'refused/foreign': 'What is not v1 of ours, whatever it looks like',
  'refused/unknown': 'Address, path or key are not known',
  'refused/overwritten': 'Other code may put another host in the place of ours',
  'refused/shared': 'Another host gets the same header, client or function',
  'refused/conflicts': 'Credentials or addresses with which v2 would be asked wrongly',
  'refused/escapes': 'Something else reads what would change; `harmless-…` shows what does not',
  'refused/elsewhere': 'What another file says holds it',
  'refused/ignored': 'A comment says that it stays',
  'refused/allowed': 'A comment says that what would hold a client back may move along',
  'refused/by-hand': 'Requests move, and what depends on their answers or settings is for a person',
};

/** All of README.md. */
export function fixtureIndex(): string {
  const byFolder = Map.groupBy(loadFixtures(), ({ name }) => name.slice(0, name.lastIndexOf('/')));
  const unlisted = [...byFolder.keys()].filter((folder) => !(folder in folders));
  if (unlisted.length > 0)
    throw new Error(`Say in test/codemods/helpers/fixture-index.ts what these folders are about: ${unlisted.join(', ')}`);
  const sections = Object.entries(folders).map(([folder, about]) => {
    const rows = (byFolder.get(folder) ?? []).map(({ name, facts, unchanged }: Fixture) => [
      `[${name.slice(folder.length + 1)}](${name})`,
      facts.title,
      unchanged ? 'stays' : facts.run === undefined ? 'moved' : 'moved, run',
    ]);
    return `## ${folder}\n\n${about}.\n\n${table(['Fixture', 'What it shows', ''], rows)}\n`;
  });
  return `${head}\n${sections.join('\n')}`;
}

const head = `# Fixtures

Each is a folder with \`input/\`, \`output/\` (only the files that change; none where nothing may) and \`fixture.json\` (what it shows, and every finding).
All are migrated by the files of \`../axes\`; those that are *run* are executed before and after by \`fixtures-run.test.ts\`, with the real libraries.
A fixture stands in the folder of what its code shows; in \`refused/\` where the code could be any, and only the reason why it stays counts.

\`npm run docs\` writes this file.
`;
