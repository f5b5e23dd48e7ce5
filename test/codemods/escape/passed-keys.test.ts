import { expect, test } from 'vitest';
import { migrate } from '../../../codemods/migrate.ts';
import { treeOf } from '../find/tree.ts';

test('a key that nginx sends on as it comes is told as one that goes on with calls of v1 alone', async () => {
  const server = `server {
  location /api/ {
    proxy_pass https://api.example.com/v1/;
    proxy_set_header x-api-key $http_x_api_key;
  }
}
`;
  using tree = treeOf({ 'nginx.conf': server });

  const { plan } = await migrate({ paths: ['.'], cwd: tree.root, v1Base: ['https://api.example.com'], dryRun: true });

  const found = plan.findings.filter(({ line }) => line === 4).map(({ code, detail }) => [code, detail['how']]);
  expect(found).toEqual([['reads-header', 'handed on']]);
});
