/**
 * What is planted: the module that holds address and key for some twenty files, the functions that call v1 with it in the forms people
 * use, and code of other vendors that looks alike and is not ours.
 */
import { camel } from './filler.ts';
import type { Pen } from './filler.ts';

/** The base that the benchmark names with `--v1-base`. */
export const v1Base = 'https://api.example.com';

/** Lines that plant a number of calls, with what they need from elsewhere. */
export interface Planted {
  readonly lines: readonly string[];
  /** Places that call v1. */
  readonly calls: number;
  /** Names of the shared module that are used. */
  readonly names: readonly SharedName[];
  /** Packages whose default export is used. */
  readonly packages: readonly string[];
}

export const sharedNames = ['API_BASE', 'API_KEY', 'apiHeaders', 'client'] as const;
export type SharedName = (typeof sharedNames)[number];

/** The shared module: address, key, headers, an axios client, and calls of its own with each, as nobody else of a small group may use one of them. */
export function sharedModule({ typed }: Pen): Planted {
  const record = typed ? ': Record<string, string>' : '';
  const lines = `export const API_BASE = '${v1Base}';
export const API_KEY = process.env.API_KEY ?? '';

export function apiHeaders()${record} {
  return { 'Content-Type': 'application/json', 'x-api-key': API_KEY };
}

export const client = axios.create({ baseURL: API_BASE, timeout: 10_000, headers: { 'x-api-key': API_KEY } });

/** Whether address and key are right. */
export async function isReachable()${typed ? ': Promise<boolean>' : ''} {
  const response = await fetch(\`\${API_BASE}/v1/messages\`, { headers: apiHeaders() });
  return response.ok && (await client.get('/v1/contacts')).status === 200;
}`;
  return { lines: [...lines.split('\n'), ''], calls: 2, names: [], packages: ['axios'] };
}

interface Form {
  readonly text: (pen: Pen, name: string) => string;
  readonly calls: number;
  readonly names: readonly SharedName[];
  readonly packages: readonly string[];
}

const string = ({ typed }: Pen): string => (typed ? ': string' : '');
const unknown = ({ typed }: Pen): string => (typed ? ': unknown' : '');

const forms: readonly Form[] = [
  {
    text: (pen, name) => `export async function read${name}(id${string(pen)}) {
  const response = await fetch(\`\${API_BASE}/v1/contacts/\${encodeURIComponent(id)}\`, { headers: apiHeaders() });
  if (!response.ok) throw new Error(\`contact \${id}: \${response.status}\`);
  return response.json();
}`,
    calls: 1,
    names: ['API_BASE', 'apiHeaders'],
    packages: [],
  },
  {
    text: (pen, name) => `export async function send${name}(to${string(pen)}, content${string(pen)}) {
  const response = await fetch(API_BASE + '/v1/messages/send', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': API_KEY },
    body: JSON.stringify({ channel: 'SMS', to, content }),
  });
  const { messageId } = await response.json();
  return fetch(\`\${API_BASE}/v1/messages/\${messageId}\`, { headers: { 'x-api-key': API_KEY } });
}`,
    calls: 2,
    names: ['API_BASE', 'API_KEY'],
    packages: [],
  },
  {
    text: (_pen, name) => `export const list${name} = async (page = 1) => {
  const { data } = await client.get('/v1/contacts', { params: { page, limit: 50 } });
  return data;
};`,
    calls: 1,
    names: ['client'],
    packages: [],
  },
  {
    text: (pen, name) => `export async function update${name}(id${string(pen)}, body${unknown(pen)}) {
  const { data } = await axios.put(\`\${API_BASE}/v1/contacts/\${id}\`, body, { headers: { 'x-api-key': API_KEY } });
  await axios({ method: 'post', url: \`\${API_BASE}/v1/contacts\`, data: body, headers: apiHeaders() });
  return data;
}`,
    calls: 2,
    names: ['API_BASE', 'API_KEY', 'apiHeaders'],
    packages: ['axios'],
  },
  {
    text: (pen, name) => `export function start${name}(campaign${unknown(pen)}) {
  return got.post(\`\${API_BASE}/v1/campaigns\`, { json: campaign, headers: { 'x-api-key': API_KEY } }).json();
}`,
    calls: 1,
    names: ['API_BASE', 'API_KEY'],
    packages: ['got'],
  },
  {
    text: (pen, name) => `const ${camel(name)}Api = got.extend({ prefixUrl: API_BASE, headers: { 'x-api-key': API_KEY } });

export async function launch${name}(id${string(pen)}) {
  const campaign = await ${camel(name)}Api.get(\`v1/campaigns/\${id}\`).json();
  await ${camel(name)}Api.post(\`v1/campaigns/\${id}/send\`, { json: {} });
  return campaign;
}`,
    calls: 2,
    names: ['API_BASE', 'API_KEY'],
    packages: ['got'],
  },
  {
    text: (_pen, name) => `export async function count${name}() {
  const response = await fetch('${v1Base}/v1/messages', { headers: { 'x-api-key': API_KEY } });
  const messages = await response.json();
  return Array.isArray(messages) ? messages.length : 0;
}`,
    calls: 1,
    names: ['API_KEY'],
    packages: [],
  },
];

/** One to three functions that call v1, in forms by chance. */
export function callingCode(pen: Pen): Planted {
  const chosen = Array.from({ length: 1 + pen.random.below(3) }, () => pen.random.pick(forms));
  return {
    lines: chosen.flatMap(({ text }) => [...text(pen, pen.fresh()).split('\n'), '']),
    calls: chosen.reduce((sum, { calls }) => sum + calls, 0),
    names: sharedNames.filter((name) => chosen.some(({ names }) => names.includes(name))),
    packages: [...new Set(chosen.flatMap(({ packages }) => packages))],
  };
}

/** Another vendor's API with our header and a version in its paths, which a rule on strings alone would change. */
export function lookalike(pen: Pen): Planted {
  const name = pen.fresh();
  const text = `const CHARGES = 'https://payments.example.net/v1/charges';

export async function charge${name}(amount${pen.typed ? ': number' : ''}, currency = 'EUR') {
  const response = await fetch(CHARGES, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'x-api-key': process.env.PAYMENTS_KEY ?? '' },
    body: JSON.stringify({ amount, currency }),
  });
  return response.json();
}`;
  return { lines: [...text.split('\n'), ''], calls: 0, names: [], packages: [] };
}
