/** Seven clients that v1 let do as they liked, and whose hour on v2 is too short. */
import { minuteInMs } from '../../../src/contract/times.ts';
import { at, type Behaviour, every, get, second, send, series } from './behaviour.ts';

const poller: Behaviour = {
  name: 'poller',
  who: 'a watcher of deliveries, which asks for each of its last ten messages once a minute, as v1 tells nobody',
  plan: 'Free',
  apps: { watcher: 'goes on', shop: 'goes on' },
  settings: { final: { states: ['READ', 'FAILED'] } },
  contacts: 0,
  hour: () => [
    ...every(minuteInMs, 0, () => series(10, second, (index) => get('watcher', `/v1/messages/{message:${index}}`))),
    ...every(5 * minuteInMs, 90 * second, () => series(1, 0, () => send('shop'))),
  ],
};

const batchAtMidnight: Behaviour = {
  name: 'batch at midnight',
  who: 'a newsletter that cron sends at midnight, in London and in Delhi, beside a dashboard that is open all day',
  plan: 'Free',
  apps: { newsletter: 'goes on', dashboard: 'goes on' },
  settings: { reuse: { listMessages: '2m' } },
  contacts: 0,
  hour: (hour) => [
    ...(hour === 0 ? series(80, second, () => send('newsletter')) : []),
    // Midnight in Delhi, by UTC.
    ...(hour === 18
      ? at(
          30 * minuteInMs,
          series(45, second, () => send('newsletter')),
        )
      : []),
    ...every(20 * second, 15 * second + 1, () => series(1, 0, () => get('dashboard', '/v1/messages?limit=50'))),
  ],
};

const cron: Behaviour = {
  name: 'cron every 5 minutes',
  who: 'a job of a booking system, which reads what there is, looks how its reminders fare and sends the next three',
  plan: 'Free',
  apps: { job: 'goes on' },
  settings: { final: { states: ['READ', 'FAILED'] }, reuse: { listContacts: '30m' } },
  contacts: 30,
  hour: () =>
    every(5 * minuteInMs, 0, () => [
      ...series(1, 0, () => get('job', '/v1/contacts?limit=100')),
      ...at(
        second,
        series(1, 0, () => get('job', '/v1/messages?limit=20')),
      ),
      ...at(
        2 * second,
        series(5, second, (index) => get('job', `/v1/messages/{message:${index}}`)),
      ),
      ...at(
        10 * second,
        series(3, second, () => send('job')),
      ),
    ]),
};

/** Early, late and in between, as sales begin when they do. */
const minuteOfBurst = (hour: number): number => (hour * 37 + 11) % 60;

const burst: Behaviour = {
  name: 'burst of sends',
  who: 'a shop that confirms all orders of a sale at once, beside a status page that asks twice a minute',
  plan: 'Free',
  apps: { shop: 'goes on', 'status page': 'goes on' },
  settings: { reuse: { listMessages: '1m' } },
  contacts: 0,
  hour: (hour) => [
    ...at(
      minuteOfBurst(hour) * minuteInMs,
      series(45, 0, () => send('shop')),
    ),
    ...every(30 * second, 10 * second, () => series(1, 0, () => get('status page', '/v1/messages?limit=10'))),
  ],
};

const crawler: Behaviour = {
  name: 'list crawler',
  who: 'the synchronization of a CRM: one job reads all pages of contacts each half hour, another writes what has changed; both heed Retry-After',
  plan: 'Free',
  apps: { crawl: 'comes back', changes: 'comes back' },
  settings: { reserve: '30%' },
  contacts: 1_200,
  hour: (hour) =>
    every(30 * minuteInMs, 0, (half) => [
      ...series(60, 2 * second, (page) => get('crawl', `/v1/contacts?page=${page + 1}&limit=20`)),
      ...at(
        25 * minuteInMs,
        series(5, second, (index) => ({
          app: 'changes',
          endpoint: `PUT /v1/contacts/{contact:${index}}`,
          json: { notes: `${hour}:${half}` },
        })),
      ),
      // Whom it does not know that it knows: v2 says 409, and the proxy looks who it is.
      ...at(
        26 * minuteInMs,
        series(2, second, (index) => ({ app: 'changes', endpoint: 'POST /v1/contacts', json: { phone: phone(index) } })),
      ),
    ]),
};

const twoApps: Behaviour = {
  name: 'two apps on one key',
  who: 'a shop that confirms orders, and two screens of a call centre that ask for the newest messages every 20 seconds',
  plan: 'Free',
  apps: { shop: 'comes back', screens: 'goes on' },
  settings: { reuse: { listMessages: '1m' } },
  contacts: 0,
  hour: () => [
    ...every(2 * minuteInMs, 5 * second, () => series(1, 0, () => send('shop'))),
    ...every(20 * second, 0, () => series(2, 0, () => get('screens', '/v1/messages?limit=20'))),
  ],
};

const halfMigrated: Behaviour = {
  name: 'half-migrated',
  who: 'a shop whose new service speaks v2 and whose old one still watches deliveries by v1, both through the proxy',
  plan: 'Free',
  apps: { old: 'goes on', new: 'goes on' },
  settings: { final: { states: ['READ', 'FAILED'] }, reuse: { getMessage: '3m' } },
  contacts: 0,
  hour: () => [
    ...every(minuteInMs, 0, () => series(5, second, (index) => get('old', `/v1/messages/{message:${index}}`))),
    ...every(3 * minuteInMs, 20 * second, () => series(1, 0, () => send('old'))),
    ...every(3 * minuteInMs, 80 * second, () => series(1, 0, () => send('new', 'v2'))),
    ...every(2 * minuteInMs, 45 * second, () => series(1, 0, () => get('new', '/v2/messages?limit=20'))),
  ],
};

export const phone = (index: number): string => `+1555${String(index).padStart(7, '0')}`;

export const behaviours: readonly Behaviour[] = [poller, batchAtMidnight, cron, burst, crawler, twoApps, halfMigrated];
