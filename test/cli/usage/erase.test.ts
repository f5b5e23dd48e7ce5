import { describe, expect, test } from 'vitest';
import { openReader } from '../../../src/usage/store/open.ts';
import { keyFingerprinter } from '../../../src/usage/key-fingerprint.ts';
import { hashOf } from '../../helpers/usage-store.ts';
import { useCommandLine } from '../run.ts';
import { newFolder, storeOfNow } from '../report/stores.ts';

const run = useCommandLine();

const uses = [
  { key: 'mk_acme_1', daysAgo: 1 },
  { key: 'mk_bolt_1', daysAgo: 2 },
];
const erase = (store: string, args: readonly string[], env: Record<string, string> = {}) =>
  run(['usage', 'erase', '--store', store, ...args], { env });

async function keysOf(store: string): Promise<readonly (string | null)[]> {
  const reader = await openReader(store);
  const callers = await reader.callers();
  await reader.close();
  return callers.map(({ keyHash }) => keyHash);
}

describe('migrate-v2 usage erase', () => {
  test('forgets a key by its hash, and no other', async () => {
    const store = await storeOfNow(newFolder(), uses);
    expect(await erase(store, ['--key', `hash:${hashOf('mk_acme_1')}`, '--yes'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Forgot 1 call of 1 client. Until when somebody called stays, without whom: erasing makes no report say SAFE\n',
    });
    expect(await keysOf(store)).toEqual([hashOf('mk_bolt_1')]);
  });

  test.each([[], ['--hash-secret', 'env:HASH_SECRET']])(
    'finds a key that a variable holds by the secret of the hashes: %j',
    async (...args) => {
      const folder = newFolder();
      const key = 'mk_live_0123456789';
      const reader = await openReader(await storeOfNow(folder, []));
      const { hash } = keyFingerprinter(args.length === 0 ? reader.hashSecret : 'our secret')(key);
      await reader.close();
      const { code, stderr } = await erase(`${folder}/usage.db`, ['--key', 'env:OLD_KEY', ...args], {
        OLD_KEY: key,
        HASH_SECRET: 'our secret',
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: `Nothing is recorded of hash:${hash}\n` });
    },
  );

  test('does not forget without being told twice', async () => {
    const store = await storeOfNow(newFolder(), uses);
    const { code, stderr } = await erase(store, ['--key', `hash:${hashOf('mk_acme_1')}`]);
    expect(code).toBe(4);
    expect(stderr).toBe(
      `migrate-v2: --yes: is needed to forget all that is recorded of the key mk_acme_… (hash:${hashOf('mk_acme_1')}, 1 client), as this is no terminal to ask in; it cannot be undone\n`,
    );
    expect(await keysOf(store)).toHaveLength(2);
  });

  test.each([
    [[], /^--key: is required; give hash: and the hash that the report shows$/],
    [['--key', 'mk_live_0123456789'], /^--key: must be hash: .* a key on the command line stands in the history of the shell/],
  ])('ends with 4 and one line for %j, which never shows the key', async (args, line) => {
    const { code, stdout, stderr } = await erase('usage.db', args);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(/^migrate-v2: [^\n]*\n$/);
    expect(stderr.slice('migrate-v2: '.length, -1)).toMatch(line);
    expect(stderr).not.toContain('mk_live_0123456789');
  });

  test.each([
    [['usage'], 'usage: needs to be told what to do: usage erase --key …, usage retire NAME, usage mark NAME STATUS, or usage import LOG'],
    [['usage', 'forget'], 'usage forget: no such command; did you mean usage erase, usage retire, usage mark or usage import?'],
  ])('is all that can be done to the record: %j', async (args, line) => {
    expect(await run(args)).toEqual({ code: 4, stdout: '', stderr: `migrate-v2: ${line}\n` });
  });
});
