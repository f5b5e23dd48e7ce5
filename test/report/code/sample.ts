import type { CodeFindings } from '../../../src/report/code/model.ts';

/** Sites of every kind, beside the record with something of everything. */
export const sampleFindings: readonly CodeFindings[] = [
  {
    repository: 'billing',
    bases: ['https://api.test'],
    sites: [
      { file: 'src/messages.ts', line: 4, endpoint: 'GET /v1/messages/:id', library: 'undici', state: 'found' },
      { file: 'src/contacts.sh', line: 2, endpoint: 'GET /v1/contacts', library: 'curl', state: 'found' },
      { file: 'src/gone.ts', line: null, endpoint: 'GET /v1/campaigns/:id', library: 'fetch', state: 'moved' },
      { file: 'src/any.ts', line: 9, endpoint: null, library: null, state: 'left' },
    ],
  },
  { repository: 'unsearched', bases: [], sites: [] },
];
