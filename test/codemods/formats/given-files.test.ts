/** Which commands of package.json are given a file of variables, and run what somebody else made. */
import { expect, test } from 'vitest';
import { givenByCommands } from '../../../codemods/formats/shell/given-files.ts';

test.each([
  ['dotenv -e ../.env -- npx lingo.dev@latest run', []],
  ['dotenv -e ../.env -- npx tsx src/jobs.ts', []],
  ['dotenv -e ../.env -- npx texts-relay start', ['../.env']],
  ['dotenv -e ../.env -- npx -y texts-relay@2 start', ['../.env']],
  ['dotenv -e ../.env -- texts-relay start', ['../.env']],
  ['dotenv -e ../.env -- python3 relay.py', ['../.env']],
  ['dotenv -e ../.env -- python3 -m http.server', []],
])('%s', (command, files) => {
  const given = givenByCommands(
    JSON.stringify({ scripts: { run: command } }, undefined, 2),
    'package.json',
    () => undefined,
    ({ paths }) => paths.includes('src/jobs.ts'),
  );
  expect(given.map(({ name }) => name)).toEqual(files);
});
