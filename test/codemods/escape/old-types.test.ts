import { expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { treeOf } from '../find/tree.ts';

const client = (types: string): string => `${types}
export const contacts = (key: string, version: Version = 'v1') =>
  fetch(\`https://api.example.com/\${version}/contacts\`, { headers: { 'x-api-key': key } });
`;

async function typesIn(types: string): Promise<unknown[]> {
  using tree = treeOf({ 'client.ts': client(types) });
  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });
  return plan.findings.filter(({ code }) => code === 'old-type').map(({ detail }) => detail['how']);
}

test.each([
  ['alone', `type Version = 'v1';`],
  ['or nothing', `interface Options {\n  apiVersion?:\n    | undefined\n    | 'v1'\n}`],
])('a type that lets v1 %s be the version goes with the value that moved', async (_what, types) => {
  expect(await typesIn(types)).toEqual(['value']);
});

test.each([
  ['another version may be, on a line of its own', `type Version =\n  | 'v1'\n  | 'v2'\n  | 'beta';`],
  ['is of something else', `interface ExportFile {\n  format: 'v1';\n}`],
])('a type in which v1 %s does not', async (_what, types) => {
  expect(await typesIn(types)).toEqual([undefined]);
});
