import { row, table } from '../helpers/values/table.ts';

const read = { isOnlyRead: true } as const;
const asked = 'axios request GET "https://a.test/v1" with { "x-api-key": "k" }';

table('clients and requests', [
  row(
    'fetch',
    `ask(fetch('https://a.test/v1', { headers: { 'x-api-key': 'k' } }));`,
    'fetch request GET "https://a.test/v1" with { "x-api-key": "k" }',
    read,
  ),
  row('fetch with a method', `ask(fetch('https://a.test/v1', { method: 'POST' }));`, 'fetch request POST "https://a.test/v1"', read),
  row(
    'fetch of a Request',
    `ask(fetch(new Request('https://a.test/v1', { method: 'PUT' })));`,
    'fetch request PUT "https://a.test/v1"',
    read,
  ),
  row('fetch under another name', `const get = fetch; ask(get('https://a.test/v1'));`, 'fetch request GET "https://a.test/v1"', read),
  row('fetch as a parameter', `const f = (get) => get('https://a.test/v1'); ask(f(fetch));`, 'fetch request GET "https://a.test/v1"', read),
  row('axios.get', `import axios from 'axios'; ask(axios.get('https://a.test/v1', { headers: { 'x-api-key': 'k' } }));`, asked, read),
  row(
    'axios with a configuration',
    `import axios from 'axios'; ask(axios({ url: 'https://a.test/v1', headers: { 'x-api-key': 'k' } }));`,
    asked,
    read,
  ),
  row(
    'axios by require',
    `const axios = require('axios'); ask(axios.get('https://a.test/v1', { headers: { 'x-api-key': 'k' } }));`,
    asked,
    read,
  ),
  row(
    'a client of axios',
    `import axios from 'axios'; ask(axios.create({ baseURL: 'https://a.test' }));`,
    'axios client "https://a.test"',
    read,
  ),
  row(
    'a request of a client of axios',
    `import axios from 'axios'; const api = axios.create({ baseURL: 'https://a.test', headers: { 'x-api-key': 'k' } }); ask(api.get('/v1'));`,
    asked,
    read,
  ),
  row(
    'a client of axios in another file',
    {
      'api.ts': `import axios from 'axios'; export const api = axios.create({ baseURL: 'https://a.test', headers: { 'x-api-key': 'k' } });`,
      'main.ts': `import { api } from './api'; ask(api.get('/v1'));`,
    },
    asked,
    read,
  ),
  row(
    'a client of axios in a class',
    `import axios from 'axios'; class C { api = axios.create({ baseURL: 'https://a.test', headers: { 'x-api-key': 'k' } }); get(x) { return this.api.get(x); } } ask(new C().get('/v1'));`,
    asked,
    read,
  ),
  row(
    'a client of axios by its type',
    `import type { AxiosInstance } from 'axios'; export const f = (api: AxiosInstance) => ask(api.get('/v1'));`,
    'axios request GET "/v1"',
    read,
  ),
  row(
    'a client of axios of a function',
    `import axios from 'axios'; const make = (baseURL) => axios.create({ baseURL, headers: { 'x-api-key': 'k' } }); ask(make('https://a.test').get('/v1'));`,
    asked,
    read,
  ),
  row(
    'axios.post has a body between',
    `import axios from 'axios'; ask(axios.post('https://a.test/v1', {}, { headers: { 'x-api-key': 'k' } }));`,
    'axios request POST "https://a.test/v1" with { "x-api-key": "k" }',
    read,
  ),
  row(
    'a method of axios by brackets',
    `import axios from 'axios'; const m = 'get'; ask(axios[m]('https://a.test/v1'));`,
    'axios request GET "https://a.test/v1"',
    read,
  ),
  row(
    'a method of axios that is one of two',
    `import axios from 'axios'; ask(axios[flag ? 'get' : 'delete']('https://a.test/v1'));`,
    'axios request DELETE "https://a.test/v1" | axios request GET "https://a.test/v1"',
    read,
  ),
  row(
    'a URL that is one of two',
    `import axios from 'axios'; ask(axios.get(flag ? 'https://a.test/v1' : 'https://b.test/v1'));`,
    'axios request GET "https://a.test/v1" | "https://b.test/v1"',
    read,
  ),
  row('got', `import got from 'got'; ask(got('https://a.test/v1'));`, 'got request GET "https://a.test/v1"', read),
  row(
    'a client of got',
    `import got from 'got'; const api = got.extend({ prefixUrl: 'https://a.test' }); ask(api.get('v1'));`,
    'got request GET "https://a.test/v1"',
    read,
  ),
  row('ky', `import ky from 'ky'; ask(ky.post('https://a.test/v1'));`, 'ky request POST "https://a.test/v1"', read),
  row(
    'what superagent goes on with is the request itself',
    `import superagent from 'superagent'; ask(superagent.get('https://a.test/v1').set('x-api-key', 'k'));`,
    'superagent request GET "https://a.test/v1"',
    read,
  ),
  row(
    'undici',
    `import { request } from 'undici'; ask(request('https://a.test/v1', { method: 'POST' }));`,
    'undici request POST "https://a.test/v1"',
    read,
  ),
  row('a method of a client itself', `import axios from 'axios'; const api = axios.create(); ask(api.get);`, 'axios client.get', read),
  row('what no rule knows is unknown', `import unheard from 'unheard'; ask(unheard.get('https://a.test/v1'));`, '?', read),
]);
