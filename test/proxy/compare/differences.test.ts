import { describe, expect, test } from 'vitest';
import { toldName } from '../../../proxy/compare/names.ts';
import { document as documentOf } from '../../openapi/documents.ts';
import { answer, answerOf, compare, found } from './answers.ts';

const contact = {
  id: 'c_1',
  firstName: 'Anna',
  phone: '+41791234567',
  age: 42,
  balance: 1.5,
  active: true,
  status: 'ACTIVE',
  createdAt: '2026-05-01T10:00:00.000Z',
  token: '7b5e1c1a-52d4-4c3f-9d6e-0a2b4c6d8e0f',
  note: null,
  address: { city: 'Bern', geo: { lat: 46.9, lng: 7.4 } },
  tags: ['vip', 'north', 'beta'],
};
const others = ['c_2', 'c_3', 'c_4'].map((id) => ({ ...contact, id, firstName: `Somebody ${id}` }));
const page = { data: [contact, ...others], page: { number: 1, total: 4 } };
const { firstName: _first, ...withoutFirstName } = contact;
const { status: _status, ...withoutStatus } = contact;
const { note: _note, ...withoutNote } = contact;
const decomposed = 'Zu\u0308rich';

/** A page whose contacts have something else. */
const each = (change: object): unknown => ({ ...page, data: page.data.map((item) => ({ ...item, ...change })) });

/** What differs, v1's content, v2's content, and all that is found. */
const planted: [string, unknown, unknown, string[]][] = [
  ['a field missing', contact, withoutFirstName, ['missing firstName: text -> absent']],
  ['a field added', withoutFirstName, contact, ['added firstName: absent -> text']],
  ['a field renamed', contact, { ...withoutStatus, state: 'ACTIVE' }, ['missing status: text -> absent', 'added state: absent -> text']],
  [
    'a nested field missing',
    contact,
    { ...contact, address: { city: 'Bern', geo: { lat: 46.9 } } },
    ['missing address.geo.lng: number -> absent'],
  ],
  ['a nested field added', { a: { b: {} } }, { a: { b: { c: [] } } }, ['added a.b.c: absent -> empty list']],
  ['a whole object missing', contact, { ...contact, address: undefined }, ['missing address: object -> absent']],
  ['a field missing in each item', page, each({ firstName: undefined }), ['missing data[].firstName: text -> absent']],
  ['another type', contact, { ...contact, active: {} }, ['type active: boolean -> empty object']],
  ['a number as text', contact, { ...contact, age: '42' }, ['type age: integer -> text of a number']],
  ['a text as number', { zip: '8001' }, { zip: 8001 }, ['type zip: text of a number -> integer']],
  ['a boolean as text', contact, { ...contact, active: 'true' }, ['type active: boolean -> text']],
  ['a boolean as number', contact, { ...contact, active: 1 }, ['type active: boolean -> integer']],
  ['another boolean', contact, { ...contact, active: false }, ['value active: boolean -> boolean']],
  ['a list cut', page, { ...page, data: page.data.slice(0, 2) }, ['missing data[]: object -> absent']],
  ['a list cut at its front', [1, 2, 1, 2], [2, 1, 2], ['missing []: integer -> absent']],
  ['a list longer', contact, { ...contact, tags: [...contact.tags, 'new'] }, ['added tags[]: absent -> text']],
  ['a list empty', page, { ...page, data: [] }, ['missing data[]: object -> absent']],
  ['a list for one value', { to: 'Anna' }, { to: ['Anna'] }, ['type to: text -> list']],
  ['an item doubled', page, { ...page, data: [...page.data, contact] }, ['added data[]: absent -> object']],
  ['one item another', { tags: ['vip', 'north'] }, { tags: ['vip', 'south'] }, ['value tags[]: text -> text']],
  ['another order', contact, { ...contact, tags: ['beta', 'vip', 'north'] }, ['order tags: list -> list']],
  ['another order of contacts', page, { ...page, data: page.data.toReversed() }, ['order data: list -> list']],
  [
    'another order, and a field of them is missing',
    page,
    { ...page, data: page.data.toReversed().map((item) => ({ ...item, age: undefined })) },
    ['order data: list -> list', 'missing data[].age: integer -> absent'],
  ],
  [
    'messages in another order, and one of their fields another',
    [
      { messageId: 'a', status: 'SENT' },
      { messageId: 'b', status: 'READ' },
    ],
    [
      { messageId: 'b', status: null },
      { messageId: 'a', status: null },
    ],
    ['order : list -> list', 'type [].status: text -> null'],
  ],
  [
    'a list within a list',
    { rows: [[1, 2], [3]] },
    {
      rows: [
        [1, 2],
        [3, 4],
      ],
    },
    ['added rows[][]: absent -> integer'],
  ],
  ['an order within a list', { rows: [[1, 2], [3]] }, { rows: [[2, 1], [3]] }, ['order rows[]: list -> list']],
  [
    'another item',
    [
      { id: 1, n: 1 },
      { id: 2, n: 2 },
    ],
    [
      { id: 1, n: 1 },
      { id: 3, n: 3 },
    ],
    ['missing []: object -> absent', 'added []: absent -> object'],
  ],
  ['a field added in one item', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2, b: 3 }], ['added [].b: absent -> integer']],
  [
    'another order, of items and of their members',
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
    [
      { b: 4, a: 3 },
      { b: 2, a: 1 },
    ],
    ['order : list -> list'],
  ],
  ['null for absent', withoutNote, contact, ['added note: absent -> null']],
  ['absent for null', contact, withoutNote, ['missing note: null -> absent']],
  ['an empty text for null', contact, { ...contact, note: '' }, ['type note: null -> empty text']],
  ['null for a text', contact, { ...contact, firstName: null }, ['type firstName: text -> null']],
  ['an object for a list', page, { ...page, data: { 0: contact } }, ['type data: list -> object']],
  ['a list for an object', contact, { ...contact, address: ['Bern'] }, ['type address: object -> list']],
  ['another text', contact, { ...contact, firstName: 'Berta' }, ['value firstName: text -> text']],
  ['an enum in another case', contact, { ...contact, status: 'active' }, ['value status: text (other case) -> text (other case)']],
  ['a text cut', { text: 'Hello there' }, { text: 'Hello' }, ['value text: text -> text (cut)']],
  ['other spaces', { text: 'Hello  there ' }, { text: 'Hello there' }, ['value text: text (other spaces) -> text (other spaces)']],
  [
    'another normal form',
    { city: decomposed.normalize() },
    { city: decomposed },
    ['value city: text (other normal form) -> text (other normal form)'],
  ],
  ['an emptied text', contact, { ...contact, firstName: '' }, ['value firstName: text -> empty text']],
  ['a time shifted', contact, { ...contact, createdAt: '2026-05-01T12:00:00.000Z' }, ['value createdAt: text of a time -> text of a time']],
  [
    'the zone of a time',
    contact,
    { ...contact, createdAt: '2026-05-01T12:00:00.000+02:00' },
    ['value createdAt: time (the same instant) -> time (the same instant)'],
  ],
  [
    'the precision of a time',
    contact,
    { ...contact, createdAt: '2026-05-01T10:00:00Z' },
    ['value createdAt: time (the same instant) -> time (the same instant)'],
  ],
  ['a time as a number', contact, { ...contact, createdAt: 1777629600 }, ['type createdAt: text of a time -> integer']],
  ['a UUID as another id', contact, { ...contact, token: 'tok_1' }, ['value token: text of a UUID -> text']],
  ['an id as number', { data: [{ id: '17' }] }, { data: [{ id: 17 }] }, ['type data[].id: text of a number -> integer']],
  ['a number rounded', contact, { ...contact, balance: 2 }, ['value balance: number -> integer']],
  ['an envelope added', { id: 'x' }, { data: { id: 'x' } }, ['missing id: text -> absent', 'added data: absent -> object']],
  ['an envelope removed', { data: { id: 'x' } }, { id: 'x' }, ['missing data: object -> absent', 'added id: absent -> text']],
  ['an envelope around a list', [contact], { data: [contact] }, ['type : list -> object']],
  [
    'a field of the paging renamed',
    page,
    { ...page, page: { number: 1, count: 4 } },
    ['missing page.total: integer -> absent', 'added page.count: absent -> integer'],
  ],
];

describe('what differs', () => {
  test.each(planted)('%s', (_what, v1, v2, expected) => {
    expect(found(compare(answerOf(v1), answerOf(v2)))).toEqual(expected);
  });

  test.each([
    ['a big integer rounded', '{"id":12345678901234567890}', '{"id":12345678901234567000}', ['value id: integer -> integer']],
    ['a fraction that is written out', '[1]', '[1.0]', ['value []: number (written otherwise) -> number (written otherwise)']],
    ['an exponent', '{"n":1}', '{"n":1e0}', ['value n: number (written otherwise) -> number (written otherwise)']],
    ['the last digit of a fraction', '{"n":0.1234567890123456789}', '{"n":0.1234567890123456788}', ['value n: number -> number']],
    ['no JSON for JSON', '{"id":1}', '<html>', ['type : object -> no JSON']],
    ['JSON for no JSON', 'Not found', '{}', ['type : no JSON -> empty object']],
    ['no content', '{"id":1}', '', ['missing : object -> absent']],
    ['content for none', '', '[]', ['added : absent -> empty list']],
    ['a text for an object', '{}', '"x"', ['type : empty object -> text']],
  ])('%s', (_what, v1, v2, expected) => {
    expect(found(compare(answer(v1), answer(v2)))).toEqual(expected);
  });
});

describe('what is the same', () => {
  test.each([
    ['the order of members', '{"a":1,"b":{"c":2,"d":3}}', '{"b":{"d":3,"c":2},"a":1}'],
    ['white space', '{"a":[1,2]}', ' {\n"a" : [ 1, 2 ] }'],
    ['escapes', String.raw`{"a":"\u00e9\/"}`, '{"a":"é/"}'],
    ['nothing', '', '  \n'],
  ])('%s', (_what, v1, v2) => {
    expect(compare(answer(v1), answer(v2))).toEqual({ differences: [] });
  });

  test('the head, however it is written', () => {
    const v2 = answer('{}', { mediaType: 'Application/JSON; Charset="UTF-8"; profile=x' });
    expect(compare(answer('{}'), v2)).toEqual({ differences: [] });
  });
});

describe('the head', () => {
  test.each([
    ['another type', 'application/json', 'text/html', 'application/json -> text/html'],
    ['a type that nobody knows', 'application/json', 'application/vnd.secret+json', 'application/json -> other'],
    ['another charset', 'application/json', 'application/json; charset=ISO-8859-1', 'application/json -> application/json; other charset'],
    ['none', 'application/json', undefined, 'application/json -> absent'],
  ])('%s is a difference of the media type', (_what, v1, v2, expected) => {
    expect(found(compare(answer('{}', { mediaType: v1 }), answer('{}', { mediaType: v2 })))).toEqual([`mediaType : ${expected}`]);
  });

  test('another status hides no other difference', () => {
    const v2 = answer('{"a":"1"}', { status: 201 });
    expect(found(compare(answer('{"a":1}'), v2))).toEqual(['status : 200 -> 201', 'type a: integer -> text of a number']);
  });

  test('of an error beside a success, the status is told and nothing else', () => {
    const v2 = answer('<html>', { status: 502, mediaType: 'text/html' });
    expect(found(compare(answer('{"a":1}'), v2))).toEqual(['status : 200 -> 502']);
  });

  test('two errors are compared', () => {
    const [v1, v2] = [answer('{"code":"A"}', { status: 404 }), answer('{"code":"B"}', { status: 410 })];
    expect(found(compare(v1, v2))).toEqual(['status : 404 -> 410', 'value code: text -> text']);
  });
});

describe('paths', () => {
  test.each([
    '+41791234567',
    'anna@example.com',
    'c_12345',
    'Anna Muster',
    '7b5e1c1a-52d4-4c3f-9d6e-0a2b4c6d8e0f',
    'sk_live_4eC39HqLyjWD',
    'Zürich',
    '',
    'a.b',
    'x[]',
    '__proto__',
    'x'.repeat(41),
    'numberOfMessagesThatWereDeliveredToContacts',
  ])('do not tell %s', (name) => {
    const v2 = answer(`{"byId":{${JSON.stringify(name)}:{"name":"a"}}}`);
    expect(found(compare(answer('{"byId":{}}'), v2))).toEqual(['added byId.*: absent -> object']);
  });

  test.each([
    'id',
    '_id',
    '$ref',
    '@type',
    'createdAt',
    'created_at',
    'content-type',
    'address2',
    'oauth2Token',
    'SMS',
    'timezone',
    'unsubscribedAt',
    'messageId',
    'externalReference',
    'nextPageUrl',
  ])('tell %s', (name) => {
    expect(found(compare(answerOf({}), answerOf({ [name]: 1 })))).toEqual([`added ${name}: absent -> integer`]);
  });

  test("tell all names of v2's document", () => {
    const names = new Set<string>();
    JSON.stringify(documentOf('v2'), (name, value: unknown) => {
      if (name === 'properties') for (const property of Object.keys(Object(value))) names.add(property);
      return value;
    });
    expect(names.size).toBeGreaterThan(30);
    expect([...names].filter((name) => toldName(name) !== name)).toEqual([]);
  });

  test('tell no name among others that are data', () => {
    const [v1, v2] = [{ byKey: { rosalind: 1, k17k3: 1, m4x4: 1 } }, { byKey: { k17k3: 1, m4x4: 1, benedikt: 2 } }];
    expect(found(compare(answerOf(v1), answerOf(v2)))).toEqual(['missing byKey.*: integer -> absent', 'added byKey.*: absent -> integer']);
  });

  test('that are not told are compared one by one', () => {
    const [v1, v2] = [
      { '+4171': { a: 1 }, '+4172': { a: 1 } },
      { '+4172': { a: 1 }, '+4171': { a: null } },
    ];
    expect(found(compare(answerOf(v1), answerOf(v2)))).toEqual(['type *.a: integer -> null']);
  });
});

describe('bounds', () => {
  const nested = (depth: number, inner = ''): string => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

  test('64 levels are compared, and no more', () => {
    expect(found(compare(answer(nested(64)), answer(nested(64, '1'))))).toEqual([`added ${'[]'.repeat(64)}: absent -> integer`]);
    expect(compare(answer(nested(65)), answer(nested(65)))).toEqual({ differences: [], notCompared: 'too large' });
  });

  test('ten thousand values are compared, and no more', () => {
    const list = (items: number): string => JSON.stringify(Array.from({ length: items }, (_, index) => index % 7));
    expect(found(compare(answer(list(9_999)), answer(list(9_998))))).toEqual(['missing []: integer -> absent']);
    expect(compare(answer(list(10_000)), answer('[]'))).toEqual({ differences: [], notCompared: 'too large' });
  });

  test('a million levels overflow nothing', () => {
    expect(compare(answer('['.repeat(1_000_000)), answer('{"a":'.repeat(1_000_000)))).toEqual({
      differences: [],
      notCompared: 'too large',
    });
  });

  test('brackets within texts are no levels', () => {
    const text = (last: string): string => JSON.stringify({ text: `"${'['.repeat(100)}${last}` });
    expect(found(compare(answer(text('a')), answer(text('b'))))).toEqual(['value text: text -> text']);
  });

  test('what is too large is still another status', () => {
    expect(compare(answer(nested(65)), answer(nested(65), { status: 202 }))).toEqual({
      differences: [{ path: '', kind: 'status', v1: '200', v2: '202' }],
      notCompared: 'too large',
    });
  });

  test('two contents that are no JSON were not compared', () => {
    expect(compare(answer('<a>'), answer('<b>'))).toEqual({ differences: [], notCompared: 'no JSON' });
  });

  test('200 differences are told, in the order of the first answer', () => {
    const verbs = ['sent', 'read', 'open', 'paid', 'seen', 'left', 'held', 'done', 'used', 'kept', 'made', 'told', 'lost', 'sold', 'run'];
    const names = verbs.flatMap((verb) => verbs.map((last) => `${verb}_${last}`));
    const { differences } = compare(answerOf(Object.fromEntries(names.map((name) => [name, 1]))), answerOf({}));
    expect(differences.map(({ path }) => path)).toEqual(names.slice(0, 200));
  });
});

describe('hostile JSON', () => {
  test.each([
    ['__proto__ in v2', '{"a":1}', '{"a":1,"__proto__":{"b":2}}', ['added *: absent -> object']],
    [
      '__proto__ that hides a field',
      '{"b":2,"c":1}',
      '{"__proto__":{"b":2},"c":1}',
      ['missing b: integer -> absent', 'added *: absent -> object'],
    ],
    [
      'names of Object',
      '{}',
      '{"constructor":1,"toString":2}',
      ['added constructor: absent -> integer', 'added toString: absent -> integer'],
    ],
    ['names of Object in v1', '{"constructor":1}', '{}', ['missing constructor: integer -> absent']],
    ['a member that is there twice', '{"a":1,"a":2}', '{"a":1}', ['value a: integer -> integer']],
    ['an object that looks like a number', '{"a":{"text":"1"}}', '{"a":1}', ['type a: object -> integer']],
    ['an exponent beyond all reason', '{"a":1e9999999999999999999999}', '{"a":1e9999999999999999999998}', ['value a: number -> number']],
    ['a lone surrogate', String.raw`["\ud800"]`, String.raw`["\udc00"]`, ['value []: text -> text']],
  ])('%s', (_what, v1, v2, expected) => {
    expect(found(compare(answer(v1), answer(v2)))).toEqual(expected);
  });

  test.each(['{"a":1,}', '{a:1}', 'nul', '[1] 2', '01', '{"a":"\n"}', '"', '[', 'NaN'])('%j is no JSON', (text) => {
    expect(found(compare(answer('1'), answer(text)))).toEqual(['type : integer -> no JSON']);
  });

  test('zeros by the hundred thousand cost no more than others', () => {
    const zeros = `{"a":1${'0'.repeat(300_000)}1}`;
    expect(found(compare(answer(zeros), answer('{"a":1}')))).toEqual(['value a: integer -> integer']);
  });
});
