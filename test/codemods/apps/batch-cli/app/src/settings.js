import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

export const settings = {
  api: {
    root: 'https://api.example.com',
    version: 'v1',
    keyHeader: 'x-api-key',
  },
  warehouse: { root: 'https://warehouse.example.org', version: 'v1' },
  userAgent: `contact-export/${version}`,
  pageSize: 100,
};
