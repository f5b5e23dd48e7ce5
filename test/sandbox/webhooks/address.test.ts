import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AddressRulesOptions, createAddressRules, type Destination, type RefusedUrl } from '../../../src/sandbox/webhooks/address.ts';

/** Checks a URL with a resolver that knows `hook.example` alone. */
function check(url: string, { allowPrivate = false, at = ['93.184.215.14'] as readonly string[] } = {}): Promise<Destination | RefusedUrl> {
  const resolve: AddressRulesOptions['resolve'] = async (hostname) => {
    if (hostname === 'hook.example') return at;
    throw Object.assign(new Error('nothing known'), { code: 'ENOTFOUND' });
  };
  return createAddressRules({ allowPrivate, resolve }).check(url);
}

/** What a check came to: the addresses, or the problem. */
async function outcome(...given: Parameters<typeof check>): Promise<readonly string[] | RefusedUrl['problem']> {
  const checked = await check(...given);
  return 'problem' in checked ? checked.problem : checked.addresses;
}

const inUrl = (address: string): string => `https://${address.includes(':') ? `[${address}]` : address}/hook`;

const notPublic = [
  ['0.0.0.0', 'this host'],
  ['0.255.255.255', 'this network'],
  ['10.0.0.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.127.255.255', 'carrier-grade NAT'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['169.254.169.254', 'link-local, where clouds keep their metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'IETF protocol assignments'],
  ['192.0.0.171', 'NAT64 discovery'],
  ['192.0.2.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relays'],
  ['192.168.0.1', 'private'],
  ['192.175.48.1', 'AS112'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::8.8.8.8', 'IPv4-compatible, even of a public address'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:a00:1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped, even of a public address'],
  ['::ffff:0:127.0.0.1', 'IPv4-translated'],
  ['64:ff9b::127.0.0.1', 'NAT64'],
  ['64:ff9b::8.8.8.8', 'NAT64, even of a public address'],
  ['64:ff9b:1::a00:1', 'NAT64 of local use'],
  ['64:ff9b:1:ffff::1', 'NAT64 of local use'],
  ['64:ff9b:2::1', 'beside NAT64, not given out'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix of RFC 9780'],
  ['1fff:ffff::1', 'below 2000::/3'],
  ['2001::1', 'Teredo'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
  ['2001:1::1', 'port control protocol anycast'],
  ['2001:2::1', 'benchmarking'],
  ['2001:3::1', 'AMT'],
  ['2001:4:112::1', 'AS112'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHIDv2'],
  ['2001:30::1', 'drone identifiers'],
  ['2001:1ff:ffff::1', 'IETF protocol assignments'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:808:808::1', '6to4, even of a public address'],
  ['2620:4f:8000::1', 'AS112'],
  ['3fff::1', 'documentation'],
  ['3fff:fff::1', 'documentation'],
  ['4000::1', 'above 2000::/3'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd12:3456:789a::1', 'unique local'],
  ['fe80::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'multicast'],
] as const;

/** Next to what is not public, to show where it ends. */
const isPublic = [
  '1.0.0.0',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2000::1',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7::1',
  '2001:db9::1',
  '2003::1',
  '2606:4700:4700::1111',
  '3fff:1000::1',
] as const;

describe('an address', () => {
  test.each(notPublic)('%s is refused: %s', async (address) => {
    expect(await outcome(inUrl(address))).toBe('NOT_PUBLIC');
    expect(await outcome('https://hook.example/', { at: [address] })).toBe('NOT_PUBLIC');
  });

  test.each(isPublic)('%s is accepted', async (address) => {
    expect(await outcome(inUrl(address))).toEqual([address]);
    expect(await outcome('https://hook.example/', { at: [address] })).toEqual([address]);
  });

  test.each([
    'https://2130706433/',
    'https://0x7f000001/',
    'https://017700000001/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://127.0.1/',
    'https://0177.0.0.01/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://0/',
    'https:127.0.0.1',
    'https:\\\\127.0.0.1\\',
    'https://[0:0:0:0:0:ffff:127.0.0.1]/',
    'https://[0000:0000:0000:0000:0000:0000:0000:0001]/',
  ])('in disguise is refused: %s', async (url) => {
    expect(await outcome(url)).toBe('NOT_PUBLIC');
  });

  test('of IPv6 outside of 2000::/3 is never public', async () => {
    const part = fc.integer({ min: 0, max: 0xffff });
    const outside = part.filter((first) => first >> 13 !== 1);
    await fc.assert(
      fc.asyncProperty(outside, fc.array(part, { minLength: 7, maxLength: 7 }), async (first, rest) => {
        const address = [first, ...rest].map((value) => value.toString(16)).join(':');
        expect(await outcome('https://hook.example/', { at: [address] })).toBe('NOT_PUBLIC');
      }),
    );
  });
});

describe('a name', () => {
  test('is pinned to its addresses, in their order', async () => {
    const at = ['2606:4700:4700::1111', '8.8.8.8'];
    expect(await check('https://hook.example:8443/path?a=b', { at })).toEqual({
      url: new URL('https://hook.example:8443/path?a=b'),
      addresses: at,
    });
  });

  test('is refused when one of its addresses is not public, whichever', async () => {
    for (const at of [
      ['10.0.0.1', '8.8.8.8', '9.9.9.9'],
      ['8.8.8.8', '10.0.0.1', '9.9.9.9'],
      ['8.8.8.8', '9.9.9.9', '::1'],
    ]) {
      expect(await outcome('https://hook.example/', { at })).toBe('NOT_PUBLIC');
    }
  });

  test.each([
    ['that does not exist', 'https://other.example/', ['8.8.8.8']],
    ['without an address', 'https://hook.example/', []],
    ['with a zone', 'https://hook.example/', ['2606:4700:4700::1111%eth0']],
    ['with half an address', 'https://hook.example/', ['8.8.8.8', '127.1']],
    ['with another name for an address', 'https://hook.example/', ['localhost']],
  ])('%s is refused, private addresses allowed or not', async (_case, url, at) => {
    expect(await outcome(url, { at })).toBe('UNRESOLVED');
    expect(await outcome(url, { at, allowPrivate: true })).toBe('UNRESOLVED');
  });

  test('is looked up by the system where no resolver is given', async () => {
    expect(await createAddressRules({ allowPrivate: false }).check('https://localhost/')).toMatchObject({ problem: 'NOT_PUBLIC' });
    const tooLong = `https://${'a'.repeat(300)}.example/`;
    expect(await createAddressRules({ allowPrivate: false }).check(tooLong)).toMatchObject({ problem: 'UNRESOLVED' });
  });

  test('is resolved anew at every check', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const rules = createAddressRules({ allowPrivate: false, resolve: async () => answers.shift() ?? [] });
    expect(await rules.check('https://hook.example/')).toMatchObject({ addresses: ['8.8.8.8'] });
    expect(await rules.check('https://hook.example/')).toMatchObject({ problem: 'NOT_PUBLIC' });
  });
});

describe('a URL', () => {
  test.each([
    ['', 'INVALID_URL'],
    ['hook.example', 'INVALID_URL'],
    ['/hook', 'INVALID_URL'],
    ['https://', 'INVALID_URL'],
    ['https://hook.example:65536/', 'INVALID_URL'],
    ['https://hook example/', 'INVALID_URL'],
    ['https://[fe80::1%25eth0]/', 'INVALID_URL'],
    ['https://256.1.1.1/', 'INVALID_URL'],
    ['ftp://hook.example/', 'NOT_HTTPS'],
    ['file:///etc/passwd', 'NOT_HTTPS'],
    ['javascript:alert(1)', 'NOT_HTTPS'],
    ['wss://hook.example/', 'NOT_HTTPS'],
    ['https://user@hook.example/', 'CREDENTIALS'],
    ['https://:word@hook.example/', 'CREDENTIALS'],
    ['https://user:word@hook.example/', 'CREDENTIALS'],
    ['https://8.8.8.8@127.0.0.1/', 'CREDENTIALS'],
  ])('%j is refused with %s, private addresses allowed or not', async (url, problem) => {
    expect(await outcome(url)).toBe(problem);
    expect(await outcome(url, { allowPrivate: true })).toBe(problem);
  });

  test('of 2,048 characters is accepted, one more is not', async () => {
    const longest = 'https://hook.example/'.padEnd(2_048, 'a');
    expect(await outcome(longest)).toEqual(['93.184.215.14']);
    expect(await outcome(`${longest}a`)).toBe('INVALID_URL');
  });

  test('with http is refused, and the refusal says what to do', async () => {
    expect(await check('http://hook.example/')).toEqual({
      problem: 'NOT_HTTPS',
      detail: 'The URL must begin with https://; http:// is accepted with --allow-private-webhooks only',
    });
  });
});

describe('with private addresses allowed', () => {
  test.each(['http://hook.example/', 'https://hook.example/'])('%s may be private', async (url) => {
    expect(await outcome(url, { allowPrivate: true, at: ['::1', '127.0.0.1'] })).toEqual(['::1', '127.0.0.1']);
  });

  test.each(['http://127.0.0.1:4000/', 'https://10.0.0.1/', 'http://[::1]/'])('%s is accepted', async (url) => {
    expect(await outcome(url, { allowPrivate: true })).toHaveLength(1);
  });
});
