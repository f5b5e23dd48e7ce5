import { expect, it } from 'vitest';
import { openWriter } from '../../../src/usage/store/open.ts';
import { Database } from '../../../src/usage/store/postgres/database.ts';
import { expectStore } from '../../../src/usage/store/postgres/schema.ts';
import { minuteInMs } from '../../../src/contract/times.ts';
import { useDatabases } from '../../helpers/postgres.ts';
import { batchOf, rowOf } from '../rows.ts';
import { start } from '../uses.ts';

const databases = useDatabases();
const proxies = 24;
/** One start in forty came in between another's tables and their rows, before each question had a snapshot of its own: 144 starts find it 97 times in a hundred. */
const rounds = 6;

it('proxies that start while another makes the tables wait for them, and use them', async () => {
  for (let round = 0; round < rounds; round++) {
    const address = await databases.address();
    const secrets = new Set<string>();
    await Promise.all(
      Array.from({ length: proxies }, async () => {
        const writer = await openWriter(address);
        secrets.add(writer.hashSecret);
        await writer.close();
      }),
    );
    expect(secrets.size).toBe(1);
  }
});

it('a reader that begins while another makes the tables sees none of them, and not a part of them', async () => {
  const address = await databases.address();
  const database = new Database(address);
  const seen = database.transaction('read', async (transaction) => {
    // From now on this transaction sees this state of the database only.
    await transaction.rows('SELECT 1');
    await (await openWriter(address)).close();
    await expectStore(transaction);
  });
  await expect(seen).rejects.toMatchObject({ code: 'STORE_MISSING' });
  await database.close();
});

it('a start waits longer for those that start with it than a batch waits for others', async () => {
  const address = await databases.address();
  await databases.by(address, (client) =>
    client.query(
      `CREATE TABLE public.wait (what text PRIMARY KEY, lock interval NOT NULL);
       CREATE FUNCTION public.note_start() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO public.wait VALUES ('start', current_setting('lock_timeout')::interval) ON CONFLICT DO NOTHING; END $$;
       CREATE FUNCTION public.note_batch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO public.wait VALUES ('batch', current_setting('lock_timeout')::interval); RETURN NULL; END $$;
       CREATE EVENT TRIGGER starting ON ddl_command_start WHEN TAG IN ('CREATE SCHEMA') EXECUTE FUNCTION public.note_start()`,
    ),
  );
  const writer = await openWriter(address);
  await databases.by(address, (client) =>
    client.query(`DROP EVENT TRIGGER starting;
      CREATE TRIGGER batch AFTER INSERT ON migrate_v2.gap FOR EACH STATEMENT EXECUTE FUNCTION public.note_batch()`),
  );
  await writer.write(batchOf([rowOf(start / minuteInMs)], { gaps: [{ since: start, until: start, calls: 1 }] }));
  await writer.close();
  const { rows } = await databases.by(address, (client) =>
    client.query(
      `SELECT (SELECT lock FROM public.wait WHERE what = 'start') > (SELECT lock FROM public.wait WHERE what = 'batch') AS longer`,
    ),
  );
  expect(rows).toEqual([{ longer: true }]);
});
